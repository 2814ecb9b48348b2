"use strict";(()=>{var b=[{name:"pendulum",title:"pendulum",text:`# A rigid pendulum: a 1 m rod hinged at its upper end, released from horizontal.
[model]
name = "pendulum"
gravity = [0, 0, -9.81]

[[body]]
name = "rod"
mass = 1.0
inertia = [1e-4, 0.083333, 0.083333]   # about the centre of mass, kg m²

[[body.frame]]
name = "pivot"
position = [-0.5, 0, 0]

[[body.frame]]
name = "tip"
position = [0.5, 0, 0]

[[joint]]
name = "hinge"
type = "revolute"
between = ["ground.origin", "rod.pivot"]
axis = [0, 1, 0]
position = 0.0                         # rad; horizontal

[simulation]
end = 5.0
output_interval = 0.01
`},{name:"flexible_arm",title:"flexible arm",text:`# A two-link flexible arm: a motor turns the shoulder through 90 degrees in one
# second, a spring-damper holds the elbow, a 2 kg payload sits at the hand.
# Aluminium tubes; bending in both planes and torsion. SI units.
[model]
name = "flexible arm"
gravity = [0, 0, -9.81]

[[body]]
name = "upper"
[body.beam]
length = 2.0
density = 2700
young = 70e9
poisson = 0.33
section = { tube = [0.025, 0.022] }
boundary = "clamped-free"
bending_y = 2
bending_z = 2
torsion = 1
damping = { ratios = [0.01, 0.01, 0.01, 0.01, 0.01] }
[[body.frame]]
name = "elbow"
station = "tip"

[[body]]
name = "fore"
[body.beam]
length = 1.5
density = 2700
young = 70e9
poisson = 0.33
section = { tube = [0.02, 0.018] }
boundary = "clamped-free"
bending_y = 2
bending_z = 2
damping = { ratios = [0.01, 0.01, 0.01, 0.01] }
[[body.frame]]
name = "hand"
station = "tip"

[[body]]
name = "payload"
mass = 2.0
inertia = [0.004, 0.004, 0.004]

[[joint]]
name = "shoulder"
type = "revolute"
between = ["ground.origin", "upper.origin"]
axis = [0, 0, 1]
motion = { cycloidal = { from = 0, to = 1.5707963267948966, start = 0.1, duration = 1.0 } }

[[joint]]
name = "elbow"
type = "revolute"
between = ["upper.elbow", "fore.origin"]
axis = [0, 0, 1]
position = -0.5
stiffness = 150.0
rest = -0.5
damping = 4.0

[[joint]]
name = "grip"
type = "weld"
between = ["fore.hand", "payload.origin"]

[simulation]
end = 2.5
output_interval = 0.01
`},{name:"four_bar",title:"four-bar",text:`# Flexible four-bar linkage (after Richard 2012, section 5.1, and Khulief 1992): a rigid crank
# at 210 rad/s drives a flexible coupler and a flexible follower of steel.
#
# The joints form a loop. Nobody has to open it: the joint \`b\`, farthest from the
# ground, becomes a constraint (\`flexura check\` says so). Coupler, follower and
# ground lengths are not in the paper; those here are a choice.
#
# Expected: the middle of the coupler bends by -29 mm at 0.63 rad of crank angle.
# SI units.
[model]
name = "four-bar"
gravity = [0, 0, 0]

[[ground.frame]]
name = "c"
position = [0.9, 0, 0]

[[body]]
name = "crank"
mass = 1.0
inertia = [0.001, 0.01, 0.01]
[[body.frame]]
name = "a"
position = [0.3, 0, 0]

[[body]]
name = "coupler"
[body.beam]
length = 0.9
density = 7800
young = 2e11
poisson = 0.3
section = { area = 1.767e-4, inertia_y = 3.112e-8, inertia_z = 3.112e-8, torsion = 6.224e-8 }
boundary = "pinned-pinned"         # the x axis passes through both hinges
bending_y = 2
[[body.frame]]
name = "start"
station = "root"
[[body.frame]]
name = "middle"
station = 0.45
[[body.frame]]
name = "end"
station = "tip"

[[body]]
name = "follower"
[body.beam]
length = 0.6
density = 7800
young = 2e11
poisson = 0.3
section = { area = 1.767e-4, inertia_y = 3.112e-8, inertia_z = 3.112e-8, torsion = 6.224e-8 }
boundary = "pinned-pinned"         # the x axis passes through both hinges
bending_y = 2
[[body.frame]]
name = "start"
station = "root"
[[body.frame]]
name = "middle"
station = 0.3
[[body.frame]]
name = "end"
station = "tip"

[[joint]]
name = "drive"
type = "revolute"
between = ["ground.origin", "crank.origin"]
motion = { polynomial = [0, 210] }

[[joint]]
name = "a"
type = "revolute"
between = ["crank.a", "coupler.start"]
position = 0.7227                  # near enough: assembly closes the loop

[[joint]]
name = "c"
type = "revolute"
between = ["ground.c", "follower.start"]
position = 1.4455

[[joint]]
name = "b"
type = "revolute"
between = ["coupler.end", "follower.end"]

[simulation]
end = 0.03
output_interval = 1e-4

[output]
channels = ["energy.*", "constraint.*", "drive.*", "*.eta.*", "*.middle.position.*", "b.*"]
`},{name:"slider_crank",title:"flexible slider-crank",text:`# Flexible slider-crank: a rigid crank at 20 turns a second drives a slider through a slender steel rod that bends.
# The loop is closed by a spherical joint; with one cylindrical joint no constraint counts twice. SI units.
[model]
name = "flexible slider-crank"
gravity = [0, 0, 0]

[[body]]
name = "crank"
mass = 0.4
inertia = [2e-4, 8e-4, 8e-4]
center_of_mass = [0.075, 0, 0]
frame = [{ name = "pin", position = [0.15, 0, 0] }]

[[body]]
name = "rod"
beam = { length = 0.6, density = 7850, young = 2.1e11, poisson = 0.3, section = { circle = 0.005 }, boundary = "pinned-pinned", bending_y = 2, damping = { ratios = [0.01, 0.01] } }
frame = [{ name = "middle", station = 0.3 }, { name = "end", station = "tip" }]

[[body]]
name = "slider"
mass = 0.5
inertia = [3e-4, 3e-4, 3e-4]

[[joint]]
name = "drive"
type = "revolute"
between = ["ground.origin", "crank.origin"]
motion = { polynomial = [0.5, 125.66] }   # rad

[[joint]]
name = "crankpin"
type = "cylindrical"
between = ["crank.pin", "rod.origin"]
position = [-0.6, 0]                 # roughly; assembly closes the loop

[[joint]]
name = "guide"
type = "prismatic"
between = ["ground.origin", "slider.origin"]
axis = [1, 0, 0]
position = 0.7

[[joint]]
name = "wristpin"
type = "spherical"
between = ["rod.end", "slider.origin"]

[simulation]
end = 0.15
method = "generalized-alpha"
step = 1e-4
spectral_radius = 0.9
output_interval = 0.0005

[output]
channels = ["drive.*", "guide.*", "rod.eta.*", "rod.middle.position.*", "wristpin.force.*", "energy.*", "constraint.*"]
`},{name:"spinning_top",title:"spinning top",text:`# A heavy symmetric top on a spherical joint: it spins fast about its own axis (y
# of the body), and gravity makes it precess instead of fall. SI units.
#
# Start: the axis lies horizontal, 150 rad/s of spin and the precession that keeps
# the nutation small. Expected: the centre of mass (1 m from the tip) is at
# (0.17334, 0.64009, -0.74849) m after 1 s; total energy and the angular momentum
# about the vertical stay constant.
[model]
name = "spinning top"
gravity = [0, 0, -9.81]

[[body]]
name = "top"
mass = 15.0
inertia = [0.234375, 0.46875, 0.234375]   # about the centre of mass, kg m2

[[body.frame]]
name = "tip"                              # the point that stands on the ground
position = [0, -1, 0]

[[body.frame]]
name = "mark"                             # a point on the rim, to watch the spin
position = [0.25, 0, 0]

[[joint]]
name = "contact"
type = "spherical"
between = ["ground.origin", "top.tip"]
orientation = { axis = [1, 0, 0], angle_deg = 0 }
speed = [0, 150, -4.61538]                # angular velocity in axes of the top, rad/s

[simulation]
end = 2.0
relative_tolerance = 1e-9
absolute_tolerance = 1e-11
output_interval = 0.002
`},{name:"controlled_arm",title:"controlled arm",text:`# A one-link flexible arm turned by 60 degrees with a sampled PD controller on the
# hub angle; the arm's bending rings after the move.
[model]
name = "controlled arm"
gravity = [0, 0, -9.81]

[[body]]
name = "hub"
mass = 1.0
inertia = [0.05, 0.05, 0.08]

[[body]]
name = "arm"
[body.beam]
length = 1.0
density = 2700
young = 70e9
poisson = 0.33
section = { rectangle = [0.006, 0.04] }   # thin across y: it bends in the plane of motion
boundary = "clamped-free"
bending_y = 3
damping = { ratios = [0.005, 0.005, 0.005] }
[[body.frame]]
name = "tip"
station = "tip"

[[joint]]
name = "motor"
type = "revolute"
between = ["ground.origin", "hub.origin"]
axis = [0, 0, 1]

[[joint]]
name = "clamp"
type = "weld"
between = ["hub.origin", "arm.origin"]

[[picture]]
body = "hub"
cylinder = { radius = 0.06, length = 0.1 }   # m; else a hub is drawn as the block of equal inertia, here too large

[[controller]]
name = "servo"
type = "pid"
sensors = ["motor.angle"]
reference = { cycloidal = { from = 0, to = 1.0472, start = 0.2, duration = 0.6 } }
actuators = ["motor.effort"]
proportional = 60.0      # N m/rad
derivative = 6.0         # N m s/rad
limit = 40.0             # N m
sample_time = 0.002      # s

[simulation]
end = 3.0
output_interval = 0.01
`},{name:"robot_arm",title:"robot arm",text:`# A robot arm with six revolute joints and rigid links. Base and shoulder follow
# given motions (their driving torques are results), the elbow is held by a spring,
# and the wrist is moved by motor torques against gear damping and friction.
# SI units; every link lies along its own x axis, with its centre in the middle.
[model]
name = "robot arm"
gravity = [0, 0, -9.81]

[[body]]
name = "column"
mass = 20.0
inertia = [0.30, 0.30, 0.20]
center_of_mass = [0, 0, 0.2]
[[body.frame]]
name = "shoulder"
position = [0, 0, 0.4]

[[body]]
name = "upper_arm"
mass = 12.0
inertia = [0.02, 0.37, 0.37]
center_of_mass = [0.3, 0, 0]
[[body.frame]]
name = "elbow"
position = [0.6, 0, 0]

[[body]]
name = "forearm"
mass = 7.0
inertia = [0.01, 0.15, 0.15]
center_of_mass = [0.25, 0, 0]
[[body.frame]]
name = "wrist"
position = [0.5, 0, 0]

[[body]]
name = "wrist_roll"
mass = 2.0
inertia = [0.002, 0.004, 0.004]
center_of_mass = [0.05, 0, 0]
[[body.frame]]
name = "end"
position = [0.1, 0, 0]

[[body]]
name = "wrist_bend"
mass = 1.5
inertia = [0.002, 0.003, 0.003]
center_of_mass = [0.04, 0, 0]
[[body.frame]]
name = "end"
position = [0.08, 0, 0]

[[body]]
name = "tool"
mass = 1.0
inertia = [0.001, 0.002, 0.002]
center_of_mass = [0.06, 0.02, 0]
[[body.frame]]
name = "point"
position = [0.15, 0, 0]

[[joint]]
name = "base"
type = "revolute"
between = ["ground.origin", "column.origin"]
axis = [0, 0, 1]
motion = { cycloidal = { from = 0.0, to = 1.2, start = 0.2, duration = 1.5 } }

[[joint]]
name = "shoulder"
type = "revolute"
between = ["column.shoulder", "upper_arm.origin"]
axis = [0, 1, 0]
motion = { table = { times = [0.0, 1.0, 2.0, 3.0], values = [-0.8, -0.6, -1.0, -0.9], start_rate = 0.0, end_rate = 0.0 } }

[[joint]]
name = "elbow"
type = "revolute"
between = ["upper_arm.elbow", "forearm.origin"]
axis = [0, 1, 0]
position = 1.2
stiffness = 400.0                  # N m/rad, relaxed at \`rest\`
rest = 1.1
damping = 12.0                     # N m s/rad

[[joint]]
name = "roll"
type = "revolute"
between = ["forearm.wrist", "wrist_roll.origin"]
axis = [1, 0, 0]
damping = 0.4
effort = { harmonic = { amplitude = 1.5, frequency = 0.5 } }

[[joint]]
name = "bend"
type = "revolute"
between = ["wrist_roll.end", "wrist_bend.origin"]
axis = [0, 1, 0]
stiffness = 40.0
damping = 0.8
effort = { piecewise = { breaks = [1.0], pieces = [0.0, 5.0] } }

[[joint]]
name = "turn"
type = "revolute"
between = ["wrist_bend.end", "tool.origin"]
axis = [1, 0, 0]
damping = 0.05
friction = 0.1                     # N m, whatever the speed
friction_speed = 0.05              # rad/s over which it builds up
effort = 0.3

[simulation]
end = 3.0
output_interval = 0.01

[[simulation.event]]
name = "elbow-reaches-one"
channel = "elbow.angle"
value = 1.0
`},{name:"chain",title:"long chain",text:`# A chain of 60 links on universal joints, laid out level and let go: it falls, swings and whips at its end. The same
# file runs with algorithm = "divide-and-conquer", and with any other number of links: --set n=1000. SI units.
[model]
name = "long chain"

[let]
n = 60
length = 0.07
middle = "= length/2"

[[body]]
name = "link{i}"
repeat = "= n"
mass = 0.05
inertia = [2e-6, 2e-5, 2e-5]
center_of_mass = ["= middle", 0, 0]
frame = [{ name = "end", position = ["= length", 0, 0] }]

[[joint]]
name = "joint{i}"
repeat = "= n"
type = "universal"
between = ["{if(i == 1, 'ground.origin', 'link' & (i - 1) & '.end')}", "link{i}.origin"]
axis = [0, 1, 0]
axis2 = [0, 0, 1]
damping = [2e-4, 2e-4]
position = ["= if(mod(i, 2) == 1, 0.02, -0.02)", "= if(mod(i, 3) == 0, -0.02, 0.01)"]

[[picture]]
body = "link{i}"
repeat = "= n"
cylinder = { radius = 0.012, length = 0.075 }
position = ["= middle", 0, 0]
rotation = { axis = [0, 1, 0], angle_deg = 90 }

[simulation]
end = 3.0
relative_tolerance = 1e-6
output_interval = 0.02

[output]
channels = ["link{n}.end.position.*", "joint1.*", "energy.*"]
`},{name:"crane",title:"tower crane",text:`# A tower crane: mast and jib of steel tubes that bend, a trolley that runs out while the jib slews, and a load of three tonnes
# on a rope (a stiff spring-damper). The load swings on after the move. SI units.
[model]
name = "tower crane"

[[ground.frame]]
name = "foundation"
rotation = { axis = [0, 1, 0], angle_deg = -90 }   # the x axis of the mast points up

[[body]]
name = "mast"
beam = { length = 40.0, density = 7850, young = 2.1e11, poisson = 0.3, section = { tube = [0.7, 0.68] }, boundary = "clamped-free", bending_y = 2, bending_z = 2, torsion = 1, damping = { ratios = [0.01, 0.01, 0.01, 0.01, 0.01] } }
[[body.frame]]
name = "top"
station = "tip"
rotation = { axis = [0, 1, 0], angle_deg = 90 }    # z up again

[[body]]
name = "jib"
beam = { length = 35.0, density = 7850, young = 2.1e11, poisson = 0.3, section = { tube = [0.4, 0.39] }, boundary = "clamped-free", bending_y = 2, bending_z = 2, damping = { ratios = [0.01, 0.01, 0.01, 0.01] } }
frame = [{ name = "tip", station = "tip" }]

[[body]]
name = "counterweight"
mass = 9000.0
inertia = [4000, 12000, 12000]
center_of_mass = [-8, 0, 0]

[[body]]
name = "trolley"
mass = 300.0
inertia = [50, 50, 50]

[[body]]
name = "load"
mass = 3000.0
inertia = [1000, 1000, 1000]
frame = [{ name = "hook", position = [0, 0, 1] }]

[[joint]]
name = "base"
type = "weld"
between = ["ground.foundation", "mast.origin"]

[[joint]]
name = "slew"
type = "revolute"
between = ["mast.top", "jib.origin"]
motion = { cycloidal = { to = 1.2, start = 1, duration = 12 } }

[[joint]]
name = "ballast"
type = "weld"
between = ["jib.origin", "counterweight.origin"]

[[joint]]
name = "track"                       # along the undeformed jib, from its root
type = "prismatic"
between = ["jib.origin", "trolley.origin"]
axis = [1, 0, 0]
motion = { cycloidal = { from = 12, to = 22, start = 1, duration = 12 } }

[[joint]]
name = "flight"
type = "free"
between = ["ground.origin", "load.origin"]
position = [12, 0, 19]

[[element]]
name = "rope"
type = "rod"                             # a rope as long as it hangs: drawn as one, not as a coil
between = ["trolley.origin", "load.hook"]
length = 19.9
stiffness = 400000
damping = 4000

[[picture]]
body = "counterweight"
box = [5, 2, 2]
position = [-8, 0, 0]
[[picture]]
body = "counterweight"
box = [8, 0.5, 0.5]                  # the counter-jib
position = [-4, 0, 0]
[[picture]]
body = "trolley"
box = [1.2, 0.9, 0.6]
[[picture]]
body = "load"
box = [2, 2, 2]

[simulation]
end = 25.0
output_interval = 0.05
relative_tolerance = 1e-6

[output]
channels = ["slew.*", "track.*", "load.*", "rope.*", "mast.top.*", "*.eta.*", "energy.*"]
`},{name:"deploying_panels",title:"deploying panels",text:`# Three solar panels unfold from a free satellite: hinges with springs, dampers and a little friction. The panels start folded
# in a zigzag and bend while they swing out; the hub recoils. Contact between the panels is left out. SI units.
[model]
name = "deploying panels"
gravity = [0, 0, 0]

[let]                             # hinge by hinge
folded = [-1.5708, 3.0, -3.0]     # rad
stiffness = [9.0, 5.0, 2.5]       # N m/rad, relaxed when open
damping = [22.0, 10.0, 4.0]       # N m s/rad

[[body]]
name = "hub"
mass = 150.0
inertia = [40.0, 45.0, 50.0]
frame = [{ name = "side", position = [0.6, 0, 0] }]

[[body]]
name = "panel{i}"
repeat = 3
beam = { length = 1.8, density = 180, young = 4e9, poisson = 0.3, section = { rectangle = [1.2, 0.02] }, boundary = "clamped-free", bending_z = 2, torsion = 1, damping = { ratios = [0.01, 0.01, 0.01] } }
frame = [{ name = "far", station = "tip" }]

[[joint]]
name = "orbit"
type = "free"
between = ["ground.origin", "hub.origin"]

[[joint]]
name = "hinge{i}"
repeat = 3
type = "revolute"
between = ["{if(i == 1, 'hub.side', 'panel' & (i - 1) & '.far')}", "panel{i}.origin"]
axis = [0, 1, 0]
position = "= folded[i]"
stiffness = "= stiffness[i]"
damping = "= damping[i]"
friction = 0.05
friction_speed = 0.02

[[picture]]
body = "hub"
box = [1.2, 1.2, 1.0]

[simulation]
end = 16.0
output_interval = 0.05

[output]
channels = ["hinge?.angle", "hinge?.rate", "panel?.eta.*", "hub.*", "momentum.*", "energy.*"]
`},{name:"whip",title:"whip",text:`# A whip: 24 links that get lighter towards the tip, on hinges with a little damping; a hand swings the handle and stops. The
# energy runs into ever lighter links, and the tip becomes far faster than the hand. It is drawn twice as thick as it is. SI units.
[model]
name = "whip"
gravity = [0, 0, -9.81]

[let]                       # link by link, from the handle to the tip
mass = [0.0144765, 0.0134626, 0.0124856, 0.0115454, 0.0106419, 0.0097753, 0.00894548, 0.00815245, 0.00739623, 0.00667681,
    0.00599418, 0.00534836, 0.00473935, 0.00416713, 0.00363171, 0.0031331, 0.00267129, 0.00224628, 0.00185807, 0.00150666,
    0.00119205, 0.000914244, 0.00067324, 0.000469037]
inertia_x = [4.632e-07, 4.006e-07, 3.446e-07, 2.946e-07, 2.503e-07, 2.112e-07, 1.769e-07, 1.469e-07, 1.209e-07, 9.854e-08,
    7.942e-08, 6.323e-08, 4.965e-08, 3.839e-08, 2.915e-08, 2.17e-08, 1.577e-08, 1.115e-08, 7.631e-09, 5.018e-09, 3.141e-09,
    1.848e-09, 1.002e-09, 4.863e-10]
inertia = [7.952e-06, 7.38e-06, 6.831e-06, 6.305e-06, 5.801e-06, 5.319e-06, 4.859e-06, 4.421e-06, 4.005e-06, 3.61e-06, 3.237e-06,
    2.884e-06, 2.552e-06, 2.242e-06, 1.951e-06, 1.682e-06, 1.433e-06, 1.204e-06, 9.948e-07, 8.061e-07, 6.373e-07, 4.885e-07,
    3.596e-07, 2.504e-07]
damping = [0.0004, 0.0003587, 0.0003204, 0.0002849, 0.0002521, 0.000222, 0.0001943, 0.000169, 0.0001461, 0.0001253, 0.0001066,
    8.983e-05, 7.493e-05, 6.178e-05, 5.026e-05, 4.027e-05, 3.171e-05, 2.445e-05, 1.839e-05, 1.343e-05, 9.452e-06, 6.348e-06,
    4.012e-06, 2.333e-06]
stiffness = [0.02, 0.0173, 0.01488, 0.01272, 0.01081, 0.009119, 0.007637, 0.006343, 0.005221, 0.004254, 0.003429, 0.00273,
    0.002144, 0.001657, 0.001259, 0.0009368, 0.000681, 0.0004815, 0.0003295, 0.0002166, 0.0001356, 7.977e-05, 4.326e-05, 2.1e-05]
radius = [0.016, 0.01543, 0.01486, 0.01429, 0.01372, 0.01315, 0.01258, 0.01201, 0.01144, 0.01087, 0.0103, 0.009726, 0.009154,
    0.008584, 0.008014, 0.007444, 0.006874, 0.006302, 0.005732, 0.005162, 0.004592, 0.00402, 0.00345, 0.00288]
n = "= len(mass)"

[[body]]
name = "handle"
mass = 0.3
inertia = [1e-4, 1e-3, 1e-3]
center_of_mass = [0.1, 0, 0]
frame = [{ name = "end", position = [0.25, 0, 0] }]

[[joint]]
name = "hand"
type = "revolute"
between = ["ground.origin", "handle.origin"]
axis = [0, 1, 0]
motion = { cycloidal = { from = -2.6, to = -0.2, start = 0.0, duration = 0.22 } }   # rad

[[body]]
name = "link{i}"
repeat = "= n"
mass = "= mass[i]"
inertia = ["= inertia_x[i]", "= inertia[i]", "= inertia[i]"]
center_of_mass = [0.04, 0, 0]
frame = [{ name = "end", position = [0.08, 0, 0] }]

[[joint]]
name = "hinge{i}"
repeat = "= n"
type = "revolute"
between = ["{if(i == 1, 'handle', 'link' & (i - 1))}.end", "link{i}.origin"]
axis = [0, 1, 0]
position = "= if(i < 8, 0.08, -0.02)"
damping = "= damping[i]"
stiffness = "= stiffness[i]"

[[picture]]
body = "link{i}"
repeat = "= n"
cylinder = { radius = "= radius[i]", length = 0.08 }
position = [0.04, 0, 0]
rotation = { axis = [0, 1, 0], angle_deg = 90 }

[[picture]]
body = "handle"
cylinder = { radius = 0.014, length = 0.25 }
position = [0.125, 0, 0]
rotation = { axis = [0, 1, 0], angle_deg = 90 }

[simulation]
end = 0.8
relative_tolerance = 1e-6
output_interval = 0.002

[output]
channels = ["hand.*", "link{n}.end.position.*", "link{n}.end.velocity.*", "energy.*"]
`},{name:"vehicle",title:"simple rigid car",text:`# A simple rigid car: chassis, four wheels on springs, dampers and bump stops. Tyres are spheres with friction on the plane
# of the ground, not a tyre model. The rear wheels push, the front wheels steer a lane change. SI units.
[model]
name = "simple rigid car"

[let]
corners = ["fl", "fr", "rl", "rr"]

[define.carrier]
mass = 20.0
inertia = [0.5, 0.5, 0.5]

[define.wheel]
mass = 18.0
inertia = [0.6, 1.0, 0.6]

[define.front_strut]
type = "cylindrical"              # steering angle (driven) and travel (sprung)
motion = [{ piecewise = { breaks = [1.0, 1.5, 2.5], pieces = [
    0,
    { cycloidal = { to = 0.04, start = 1.0, duration = 0.5 } },
    { cycloidal = { from = 0.04, to = -0.04, start = 1.5, duration = 1.0 } },
    { cycloidal = { from = -0.04, to = 0, start = 2.5, duration = 0.5 } },
] } }, "free"]
position = [0, 0]
stiffness = [0, 28000]
rest = [0, -0.1]                     # m; carries its share of the weight near zero
damping = [0, 2600]

[define.rear_strut]
type = "prismatic"
stiffness = 28000
rest = -0.1
damping = 2600

[define.hub]
type = "revolute"
axis = [0, 1, 0]
speed = 50.0

[define.driven_hub]
like = "hub"
effort = { piecewise = { breaks = [3.0], pieces = [150, 0] } }   # N m

[define.tyre]
type = "contact"
radius = 0.3
stiffness = 200000
exponent = 1
dissipation = 0.3
friction = 0.9
friction_speed = 0.2

[define.stop]
type = "bump-stop"
axis = [0, 0, 1]
gap = -0.08
stiffness = 200000

[[body]]
name = "chassis"
mass = 1200.0
inertia = [400.0, 1500.0, 1700.0]
frame = [
    { name = "fl", position = [1.3, 0.75, -0.25] },
    { name = "fr", position = [1.3, -0.75, -0.25] },
    { name = "rl", position = [-1.3, 0.75, -0.25] },
    { name = "rr", position = [-1.3, -0.75, -0.25] },
]

[[body]]
name = "carrier_fl"
like = "carrier"
[[body]]
name = "wheel_fl"
like = "wheel"
[[joint]]
name = "strut_fl"
like = "front_strut"
between = ["chassis.fl", "carrier_fl.origin"]
[[joint]]
name = "hub_fl"
like = "hub"
between = ["carrier_fl.origin", "wheel_fl.origin"]

[[body]]
name = "carrier_fr"
like = "carrier"
[[body]]
name = "wheel_fr"
like = "wheel"
[[joint]]
name = "strut_fr"
like = "front_strut"
between = ["chassis.fr", "carrier_fr.origin"]
[[joint]]
name = "hub_fr"
like = "hub"
between = ["carrier_fr.origin", "wheel_fr.origin"]

[[body]]
name = "carrier_rl"
like = "carrier"
[[body]]
name = "wheel_rl"
like = "wheel"
[[joint]]
name = "strut_rl"
like = "rear_strut"
between = ["chassis.rl", "carrier_rl.origin"]
[[joint]]
name = "hub_rl"
like = "driven_hub"
between = ["carrier_rl.origin", "wheel_rl.origin"]

[[body]]
name = "carrier_rr"
like = "carrier"
[[body]]
name = "wheel_rr"
like = "wheel"
[[joint]]
name = "strut_rr"
like = "rear_strut"
between = ["chassis.rr", "carrier_rr.origin"]
[[joint]]
name = "hub_rr"
like = "driven_hub"
between = ["carrier_rr.origin", "wheel_rr.origin"]

[[element]]
name = "tyre_fl"
like = "tyre"
between = ["ground.origin", "wheel_fl.origin"]
[[element]]
name = "stop_fl"
like = "stop"
between = ["carrier_fl.origin", "chassis.fl"]

[[element]]
name = "tyre_fr"
like = "tyre"
between = ["ground.origin", "wheel_fr.origin"]
[[element]]
name = "stop_fr"
like = "stop"
between = ["carrier_fr.origin", "chassis.fr"]

[[element]]
name = "tyre_rl"
like = "tyre"
between = ["ground.origin", "wheel_rl.origin"]
[[element]]
name = "stop_rl"
like = "stop"
between = ["carrier_rl.origin", "chassis.rl"]

[[element]]
name = "tyre_rr"
like = "tyre"
between = ["ground.origin", "wheel_rr.origin"]
[[element]]
name = "stop_rr"
like = "stop"
between = ["carrier_rr.origin", "chassis.rr"]

[[picture]]
body = "wheel_{corners[i]}"
repeat = 4
cylinder = { radius = 0.3, length = 0.2 }
rotation = { axis = [1, 0, 0], angle_deg = 90 }
colour = "#2f343b"
[[picture]]
body = "wheel_{corners[i]}"
repeat = 4
cylinder = { radius = 0.18, length = 0.21 }
rotation = { axis = [1, 0, 0], angle_deg = 90 }
colour = "#c9ced6"
[[picture]]                          # a spoke, that shows how the wheel turns
body = "wheel_{corners[i]}"
repeat = 4
box = [0.34, 0.214, 0.05]
colour = "#59636f"
[[picture]]
body = "carrier_{corners[i]}"
repeat = 4
box = [0.1, 0.1, 0.25]
colour = "#59636f"

[[joint]]
name = "road"
type = "free"
between = ["ground.origin", "chassis.origin"]
position = [0, 0, 0.54]
speed = [0, 0, 0, 15.0, 0, 0]        # 54 km/h

[[picture]]
body = "chassis"
box = [3.6, 1.3, 0.45]
position = [0, 0, 0.12]
colour = "#3f86c6"
[[picture]]
body = "chassis"
box = [1.7, 1.2, 0.5]
position = [-0.3, 0, 0.55]
colour = "#9db8cf"

[simulation]
end = 5.0
relative_tolerance = 1e-6
absolute_tolerance = 1e-8
output_interval = 0.02

[output]
channels = ["chassis.*", "strut_*", "hub_*.rate", "tyre_*", "energy.*"]
`}];function a(i){let e=document.querySelector(i);if(!e)throw new Error(`the page has no ${i}`);return e}function E(i){a("#status").textContent=i}var H=/(?<comment>#.*$)|(?<text>"""|'''|"(?:[^"\\]|\\.)*"|'[^']*')|(?<table>^\s*\[\[?[^\]#]*\]\]?)|(?<key>[A-Za-z_][\w.-]*(?=\s*=))|(?<word>\b(?:true|false|inf|nan)\b)|(?<number>[+-]?\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/g;function I(i){let e=[],n=0;for(let t of i.matchAll(H)){let o=Object.entries(t.groups??{}).find(([,r])=>r!==void 0)?.[0]??"";e.push(document.createTextNode(i.slice(n,t.index))),e.push(Object.assign(document.createElement("span"),{className:`t-${o}`,textContent:t[0]})),n=t.index+t[0].length}return e.push(document.createTextNode(i.slice(n)+`
`)),e}var f=class{constructor(e){this.changed=e;this.field.oninput=()=>{this.draw(),this.changed()}}changed;field=a("#text");colours=a("#coloured");numbers=a("#numbers");marks=a("#marks");lines=[];get text(){return this.field.value}set text(e){this.field.value=e.replaceAll(`\r
`,`
`),this.draw(),this.field.setSelectionRange(0,0),a("#code").scrollTo(0,0),this.changed()}draw(){let e=this.field.value.split(`
`),{children:n}=this.colours;for(;n.length>e.length;)this.colours.lastChild?.remove();for(e.forEach((t,o)=>{if(o<n.length&&this.lines[o]===t)return;let r=document.createElement("span");r.append(...I(t)),o<n.length?n[o].replaceWith(r):this.colours.append(r)}),this.lines=e;this.numbers.children.length>e.length;)this.numbers.lastChild?.remove();for(;this.numbers.children.length<e.length;)this.numbers.append(Object.assign(document.createElement("span"),{textContent:String(this.numbers.children.length+1)}))}mark(e){for(let t of this.numbers.children)t.className="",t.removeAttribute("title");let n=[];for(let{error:t,message:o,help:r,place:s}of[...e].sort((l,d)=>Number(l.error)-Number(d.error))){if(!s)continue;let l=t?"error":"warning",d=this.numbers.children[s.line-1];d instanceof HTMLElement&&(d.className=l,d.title=`${o}
${r}`);let p=this.lines[s.line-1]??"",j=s.lastLine===s.line?s.lastColumn-1:p.length,u=Object.assign(document.createElement("i"),{className:l});u.style.top=`calc(${s.line-1} * var(--row))`,u.style.left=`${s.column-1}ch`,u.style.width=`${Math.max(1,j-s.column+1)}ch`,n.push(u)}this.marks.replaceChildren(...n),this.field.setAttribute("aria-invalid",String(e.some(({error:t})=>t)))}go(e){let n=this.lines.slice(0,e.line-1).reduce((l,d)=>l+d.length+1,0),t=this.lines[e.line-1]??"",o=e.lastLine===e.line?e.lastColumn-1:t.length;this.field.focus({preventScroll:!0}),this.field.setSelectionRange(n+e.column-1,n+Math.max(o,e.column-1));let r=a("#code"),s=this.numbers.children[e.line-1];s instanceof HTMLElement&&r.scrollTo({top:s.offsetTop-r.clientHeight/3,left:0})}};var M=`"use strict";(()=>{var r=null,l=0,o=(n,e=[])=>self.postMessage(n,e),m=new TextDecoder,f={say:(n,e)=>{let s=m.decode(new Uint8Array(r.memory.buffer,n>>>0,e>>>0));o({said:JSON.parse(s)})},watch:(n,e,s,t,c)=>{let a=performance.now();if(a-l<100&&e<1)return 0;l=a;let u=new Float64Array(r.memory.buffer,t>>>0,c>>>0).slice();return o({rows:u,time:n,fraction:e,steps:s},[u.buffer]),1}};self.onmessage=async({data:n})=>{try{n.module&&(r=(await WebAssembly.instantiate(n.module,{page:f})).exports,r.flexura_about());let e=new TextEncoder().encode(n.text),s=r.flexura_room(e.length)>>>0;new Uint8Array(r.memory.buffer,s,e.length).set(e);let t=l=performance.now();n.task==="run"?r.flexura_run():r.flexura_check(),o({done:(performance.now()-t)/1e3})}catch(e){o({lost:String(e)})}};})();
`;var $=i=>{let e=`the check of this text broke off: ${i}`;return{error:!0,code:"check",message:e,help:"",place:null,text:`error: ${e}`}},g=(i,e)=>Object.assign(document.createElement("p"),{className:i,textContent:e});function q(i,e){let{place:n}=i,t=document.createElement(n?"button":"div");return t.className=i.error?"finding error":"finding warning",t.textContent=i.text.replaceAll("model.toml:","line ").trimEnd(),n&&t instanceof HTMLButtonElement&&(t.title=`Go to line ${n.line}`,t.onclick=()=>e(n)),t}function S(i,e){a("#findings").replaceChildren(...i.map(n=>q(n,e)))}var h=(i,e=4)=>String(Number(i.toPrecision(e)));function W(i,e){let n=i.seconds??0,t=e.events.map(r=>`${r.name} at ${h(r.time,6)} s`);return[...[`Reached ${h(e.time,6)} s in ${h(n,3)} s of computing: ${e.steps} steps (${e.rejected} more rejected), ${e.evaluations} evaluations, ${e.rows} rows.`,`Energy: ${h(e.energyUnaccounted,3)} J unaccounted for, ${h(e.energyShare,2)} of the largest.`,...e.stoppedBy===null?[]:[`Event ${e.stoppedBy} ended the run.`],...t.length?[`Events: ${t.slice(0,8).join(", ")}${t.length>8?`, and ${t.length-8} more`:""}.`]:[]].map(r=>g("told",r)),...e.warnings.map(r=>g("finding warning",`warning: ${r}`))]}function R(i,e){let n=i.ended?W(i,i.ended):[],t=e?` ${e} rows up to then are shown.`:"";i.failed!==null?n.push(g("finding error",`The run failed: ${i.failed}.${t}`)):i.stopped?n.push(g("told",`Stopped.${t}`)):i.scene||n.push(g("finding error","No model was built: see the lines marked above.")),a("#outcome").replaceChildren(...n)}async function U(i){let e=atob(i),n=new Uint8Array(e.length);for(let t=0;t<e.length;t++)n[t]=e.charCodeAt(t);return new Response(new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()}var y=class i{constructor(e,n){this.module=e;this.size=n}module;size;address=URL.createObjectURL(new Blob([M],{type:"text/javascript"}));checker=null;runner=null;waiting=null;checking=!1;end=null;static async of(e){let n=await U(e);return new i(await WebAssembly.compile(n),n.byteLength)}found=()=>{};about=()=>{};check(e){this.waiting=e,this.checking||this.next()}next(){let e=this.waiting;if(e===null)return;[this.waiting,this.checking]=[null,!0];let n=this.checker===null,t=this.checker??=new Worker(this.address),o=!1;t.onmessage=({data:r})=>{r.said?.about&&this.about(r.said.about),r.said?.findings&&this.found(e,r.said.findings),r.lost!==void 0&&(t.terminate(),this.checker=null);let s=r.said?.failed??r.lost;s!==void 0&&!o&&this.found(e,[$(s)]),o||=s!==void 0,!(r.done===void 0&&r.lost===void 0)&&(this.checking=!1,this.next())},t.postMessage({module:n?this.module:void 0,task:"check",text:e})}run(e,n){this.stop();let t={text:e,findings:[],scene:null,pieces:[],ended:null,failed:null,stopped:!0,seconds:null},o=this.runner=new Worker(this.address);return new Promise(r=>{let s=()=>{o.terminate(),this.runner===o&&(this.runner=null),r(t)};this.end=s,o.onmessage=({data:l})=>{let{said:d}=l;d?.findings&&(t.findings=d.findings),d?.scene&&(t.scene=d.scene),d?.ended&&(t.ended=d.ended),d?.failed!==void 0&&(t.failed=d.failed),l.rows&&(l.rows.length&&t.pieces.push(l.rows),n(l.fraction??0,l.time??0,l.steps??0)),l.lost!==void 0&&(t.failed??=`the engine was lost: ${l.lost}`),!(l.done===void 0&&l.lost===void 0)&&(Object.assign(t,{stopped:!1,seconds:l.done??null}),s())},o.onerror=l=>{Object.assign(t,{stopped:!1,failed:`the engine was lost: ${l.message}`}),s()},o.postMessage({module:this.module,task:"run",text:e})})}get running(){return this.runner!==null}stop(){this.runner&&this.end?.()}};function F(i){let e=new Float64Array(i.pieces.reduce((t,o)=>t+o.length,0)),n=0;for(let t of i.pieces)e.set(t,n),n+=t.length;return e}var w=i=>i.channels.length+1;function A(i){let e=new Uint8Array(i.buffer),n="";for(let t=0;t<e.length;t+=32768)n+=String.fromCharCode(...e.subarray(t,t+32768));return btoa(n)}function D(i){let e=n=>({kind:"run",body:/body `([^`]+)`/.exec(n)?.[1]??null,sufficient:!1,text:n});return i.ended&&{version:1,found:i.ended.warnings.map(e),left_out:0}}function J(i,e,n,t){let{columns:o,...r}=e,s=w(e),l=n.length/s,d=Math.max(1,Math.ceil(l*(o.length+s)/8e6)),p=[];for(let c=0;c<l;c+=d)p.push(c);p[p.length-1]!==l-1&&p.push(l-1);let j=c=>Float32Array.from(p,m=>n[m*s+c]),u=new Float32Array(p.length*o.length);p.forEach((c,m)=>o.forEach((P,O)=>u[m*o.length+O]=n[c*s+P]));let N=d>1?[`${p.length} of ${l} instants are shown; the table has all.`]:[];return{scene:{...r,rows:p.length,complete:i.ended!==null,notes:N,plots:t,verdicts:D(i)},times:A(Float64Array.from(p,c=>n[c*s])),frames:A(u),channels:e.channels.map((c,m)=>A(j(m+1)))}}var K="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:",G=i=>i.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll('"',"&quot;");function v(i,e,n,t,o,r=""){let s=JSON.stringify(J(i,e,n,o)).replaceAll("<","\\u003c");return`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${K}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${G(e.title)} – Flexura</title><link rel="icon" href="data:,"><style>${t.style}${r}</style></head><body><div id="app"></div><script id="flexura-data" type="application/json">${s}<\/script><script>${t.script}<\/script></body></html>
`}function V(i){if(Object.is(i,-0))return"-0";let e=Math.abs(i);return Number.isNaN(i)?"NaN":e===1/0?i>0?"inf":"-inf":i!==0&&(e<1e-5||e>=1e16)?i.toExponential().replace("e+","e"):e<1e-6||e>=1e21?i.toExponential():String(i)}function Z(i){let e=(/^[=+\-@\t\r]/.test(i)?`'${i}`:i).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g,"�");return/[,"\n\r]/.test(e)?`"${e.replaceAll('"','""')}"`:e}function L(i,e){let n=(r,s)=>Z(s?`${r} [${s}]`:r),t=w(i),o=[[n("time","s"),...i.channels.map((r,s)=>n(r,i.units[s]))].join(",")];for(let r=0;r<e.length;r+=t)o.push(Array.from(e.subarray(r,r+t),V).join(","));return`${o.join(`
`)}
`}function x(i,e,n){let t=document.createElement("a");t.href=URL.createObjectURL(new Blob([i],{type:n})),t.download=e,t.click(),setTimeout(()=>URL.revokeObjectURL(t.href),1e3)}var X=`
<header>
  <h1>Flexura <span>playground</span></h1>
  <div class="group" role="group" aria-label="Model">
    <label>Model <select id="example"></select></label>
    <label class="button" title="Read a model file of your own; it stays in this page">Open <input id="open" type="file" accept=".toml,text/plain" class="hidden"></label>
  </div>
  <div class="group" role="group" aria-label="Run">
    <button id="run" disabled title="Run the model (Ctrl+Enter)">▶ Run</button>
    <button id="stop" disabled title="End the run; what it gave so far is shown (Escape)">■ Stop</button>
  </div>
  <div id="progress" hidden><progress id="bar" max="1" value="0" aria-label="Progress of the run"></progress> <output id="reached"></output></div>
  <div class="group right" role="group" aria-label="Keep">
    <button id="keep-model" title="The text as a model file for \`flexura run\`">Model</button>
    <button id="keep-table" disabled title="All rows of the run as comma-separated text">CSV</button>
    <button id="keep-page" disabled title="The run as one page with everything inside, as \`flexura view --save\` writes it">Page</button>
    <button id="theme" aria-pressed="false" title="Dark or light">Dark</button>
  </div>
</header>
<section id="left" aria-label="Model">
  <p id="about"></p>
  <div id="code">
    <div id="numbers" aria-hidden="true"></div>
    <div id="sheet">
      <div id="marks" aria-hidden="true"></div>
      <pre id="coloured" aria-hidden="true"></pre>
      <textarea id="text" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off" aria-label="Text of the model (TOML)"></textarea>
    </div>
  </div>
  <div id="messages" aria-label="Messages" role="region">
    <div id="outcome" aria-live="polite"></div>
    <div id="findings"></div>
  </div>
</section>
<main id="view"><p id="empty"><span>Press <b>Run</b> to see the model move.<br>Change any number and run again.</span></p></main>
<p id="status" role="status" class="hidden"></p>`;function C(i){let e=document.getElementById("app");if(!e)throw new Error("the page has no place for the playground");e.innerHTML=X,a("#example").replaceChildren(...i.map((n,t)=>new Option(n,String(t))))}var Y=`
#app { grid-template: "top top" auto "stage plots" minmax(0, 1fr) "time time" auto / minmax(0, 1fr) 260px !important; }
h1, #theme, [aria-label="Results"] label, #compare-end { display: none !important; }
header { row-gap: 4px !important; padding: 5px 8px !important; font-size: 13px; }
footer { padding: 5px 8px !important; }
#bodies { display: none !important; position: relative; z-index: 2; grid-area: stage !important; width: 230px; box-shadow: 0 0 20px #0006; }
#bodies.open { display: flex !important; }
.drawer[data-drawer=bodies] { display: inline-block !important; }
@media (max-width: 620px) { #app { grid-template-columns: minmax(0, 1fr) 0 !important; } .drawer { display: inline-block !important; } }
@media (min-width: 621px) { #plots { display: flex !important; position: static !important; width: auto !important; box-shadow: none !important; } }
`,k=class{constructor(e){this.viewer=e}viewer;plots=[];dark=!1;shown=null;get inner(){return this.shown?.contentWindow?.flexura??null}theme(e){this.dark=e,this.inner?.theme(e)}show(e,n,t){let o=this.inner,r=o?.source.scene.title===n.title?o:null;this.plots=r?[...r.channels.plots.keys()].map(d=>r.source.scene.channels[d]):[];let s=r&&{eye:r.viewer.stage.camera.position.toArray(),target:r.viewer.stage.controls.target.toArray(),factor:r.viewer.motion.scale},l=document.createElement("iframe");l.title=`${n.title}: the run`,l.srcdoc=v(e,n,t,this.viewer,this.plots,Y),a("#view").replaceChildren(l),this.shown=l,l.onload=()=>this.loaded(l,s)}loaded(e,n){if(this.shown!==e)return;let t=this.inner;if(!t)return void setTimeout(()=>this.loaded(e,n),20);t.theme(this.dark),n&&(t.viewer.stage.camera.position.fromArray(n.eye),t.viewer.stage.controls.target.fromArray(n.target),t.viewer.stage.controls.update(),t.viewer.stage.invalidate(),t.deformation(n.factor)),matchMedia("(prefers-reduced-motion: reduce)").matches||t.play(!0),e.dataset.ready="yes"}};var _=i=>document.getElementById(i)?.textContent??"",T=class{constructor(e){this.engine=e;this.editor=new f(()=>this.edited()),e.about=({version:o,commit:r})=>a("h1").title=`Flexura ${o}, engine of ${r}`,e.found=(o,r)=>{o===this.editor.text&&(S(r,this.go),this.editor.mark(r),this.checked++)},this.bind(),this.theme(matchMedia("(prefers-color-scheme: dark)").matches);let n=b.findIndex(({name:o})=>encodeURIComponent(o)===location.hash.slice(1));this.example(Math.max(0,n));let t=JSON.parse(_("model"));t!==null&&this.own(t)}engine;run=null;rows=new Float64Array;editor;stage=new k({script:JSON.parse(_("viewer-script")),style:JSON.parse(_("viewer-style"))});checked=0;get checks(){return this.checked}get table(){return this.run?.scene?L(this.run.scene,this.rows):""}go=e=>this.editor.go(e);edited(){this.engine.check(this.editor.text)}example(e){let{name:n,text:t}=b[e];a("#example").value=String(e),history.replaceState(null,"",`#${n}`),this.editor.text=t,a("#about").textContent=t.split(`

`)[0].split(`
`).filter(o=>o.startsWith("#")).map(o=>o.slice(1).trim()).join(" ")}own(e){a("#example").value="",a("#about").textContent="A model of your own. It stays in this page: keep it with Model.",this.editor.text=e}async start(){let e=this.editor.text;this.busy(!0),E("running");let n=await this.engine.run(e,(r,s,l)=>this.progress(r,s,l));if(this.engine.running)return;this.busy(!1),e===this.editor.text&&(S(n.findings,this.go),this.editor.mark(n.findings));let t=F(n),o=n.scene?t.length/w(n.scene):0;R(n,o),E(n.ended?"the run has ended":n.failed!==null?"the run failed":n.stopped?"stopped":"the model has errors"),o>0&&([this.run,this.rows]=[n,t],this.stage.show(n,n.scene,t));for(let r of["#keep-table","#keep-page"])a(r).disabled=!this.run}busy(e){a("#stop").disabled=!e,a("#run").classList.toggle("busy",e),a("#progress").hidden=!e,e&&this.progress(0,NaN,0)}progress(e,n,t){Number.isFinite(e)&&(a("#bar").value=e),a("#reached").textContent=Number.isFinite(n)?`${n.toPrecision(4)} s, ${t} steps`:"starting"}theme(e){document.documentElement.dataset.theme=e?"dark":"light",a("#theme").setAttribute("aria-pressed",String(e)),this.stage.theme(e)}get name(){return(this.run?.scene?.title||"model").replace(/[^\p{L}\p{N}]+/gu,"_")}bind(){a("#example").onchange=n=>this.example(Number(n.target.value)),a("#run").onclick=()=>{this.start()},a("#stop").onclick=()=>this.engine.stop(),a("#theme").onclick=()=>this.theme(document.documentElement.dataset.theme!=="dark"),a("#keep-model").onclick=()=>x(this.editor.text,`${/^\s*name\s*=\s*"([\w -]+)"/m.exec(this.editor.text)?.[1].replaceAll(" ","_")??"model"}.toml`,"text/plain"),a("#keep-table").onclick=()=>x(this.table,`${this.name}.csv`,"text/csv"),a("#keep-page").onclick=()=>this.run?.scene&&x(v(this.run,this.run.scene,this.rows,this.stage.viewer,this.stage.plots),`${this.name}.html`,"text/html");let e=a("#open");e.onchange=()=>{e.files?.[0]?.text().then(n=>(this.own(n),e.value=""))},addEventListener("keydown",n=>{n.key==="Enter"&&(n.ctrlKey||n.metaKey)&&this.start(),n.key==="Escape"&&this.engine.running&&this.engine.stop()})}};async function Q(){C(b.map(({title:i})=>i));try{let i=new T(await y.of(_("engine")));Object.assign(window,{flexura:i}),a("#run").disabled=!1,new URLSearchParams(location.search).has("run")&&i.start()}catch(i){let e=document.createElement("p");throw e.className="finding error",e.setAttribute("role","alert"),e.textContent=`The engine could not be started: ${i}. The page needs a browser of 2023 or newer.`,a("#outcome").replaceChildren(e),i}}Q();})();
