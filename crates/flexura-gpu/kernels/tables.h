// What the kernels read: sizes, pointers, and the layout of the tables that lowering writes (src/lower).
//
// A lane is one leaf of the assembly tree of a huge system, or one system of a batch; a slot is the place of a body in
// its lane, carriers before what they carry. Field f of slot k of a lane stands at ((base(k) + f) * lanes + lane): lanes
// side by side read neighbouring words.
//
// A type is a body with its inboard joint and the point of its carrier at which it hangs; equal ones share one record.

#ifndef FX_MODES
#define FX_MODES 32 /* most modes of a body */
#endif
#ifndef FX_ROWS
#define FX_ROWS 96 /* most rows of level gram */
#endif
#define FX_SPACE (FX_MODES > 0 ? FX_MODES : 1)

// Words of a type record.
enum {
    T_KIND, T_DOF, T_NQ, T_REVERSED, T_FIXED, T_TURNS, T_MODES, T_LEVEL,
    T_PARENT_MODES, T_OUTER, T_INNER, T_PARENT_INNER, T_PRESCRIBED, T_LAW, T_STIFFNESS, T_DAMPING,
    T_INFLUENCE, T_RULE, T_PARENT_RULE, T_ROWS, T_CURVED, T_RESIDUAL, T_CARRIERS, T_ANGULAR1,
    T_JOINT_AT, T_MASS_AT, T_STIFFNESS_AT, T_DAMPING_AT, T_LAW_AT, T_OUTER_AT, T_INNER_AT, T_PARENT_INNER_AT,
    T_INFLUENCE_AT, T_INBOARD_AT, T_PLACES_AT, T_FUNCTIONS_AT, T_WORDS
};
enum { WELD, REVOLUTE, PRISMATIC, CYLINDRICAL, HELICAL, UNIVERSAL, SPHERICAL, PLANAR, TRANSLATIONAL, FREE };
enum { RIGID, RUTHLESS, GRAM };
enum { STILL, FROZEN, MOVING };      // points of a body: not moved by modes; moved but taken undeformed; moved
enum { NOTHING, DIAGONAL, FULL };    // modal matrices
enum { LAW_SPRING = 1, LAW_OTHER = 2 };

// Numbers of a one-axis joint between still points (fixed), or of one whose carrier's point moves with modes (mounted).
enum { J_ROTATION = 0, J_OFFSET = 27, J_SLIDE = 36, J_COLUMN = 39, J_LEVER = 45, J_FIXED = 48 };
// Numbers of any other joint.
enum { G_AXIS = 0, G_AXIS2 = 3, G_PITCH = 6, G_OUTER_POSITION = 7, G_OUTER_ROTATION = 10, G_INNER_POSITION = 19, G_INNER_ROTATION = 22, G_ALL = 31 };
// Numbers of a point: flags, place, then slopes, translations, and curvatures where there are any.
enum { P_QUADRATIC, P_TURNS, P_TURN_QUADRATIC, P_SIXTH, P_PLACE, P_SLOPES = P_PLACE + 3 };
// Numbers of the law of a coordinate, and the words of its functions.
enum { L_STIFFNESS, L_REST, L_DAMPING, L_FRICTION, L_FRICTION_SPEED, L_ALL };

// Words of a slot in the program of a lane.
enum { S_TYPE, S_CARRIER, S_FLAGS, S_KIDS, S_KIDS_AT, S_WORDS };
enum { KEPT = 1, ON_PATH = 2, BASE = 4, SHOWN = 8 };
// Words of a lane.
enum { LN_PROGRAM, LN_LENGTH, LN_NODE, LN_CARRIER_LANE, LN_CARRIER_SLOT, LN_NEXT_LANE, LN_BRANCHES, LN_BRANCHES_AT, LN_KIND, LN_WORDS };
enum { RUN, BUNDLE };
// Words of a branch that hangs on a slot of a lane: slot, node that shows it, lane and slot of its first body.
enum { B_SLOT, B_NODE, B_LANE, B_LINK, B_WORDS };
// Words of a slot in the layout: first fields, the same for all lanes.
enum { Y_Q, Y_V, Y_LINK, Y_OUT, Y_MODES, Y_DOF, Y_NQ, Y_INFLUENCE, Y_WORDS };
// Fields of a link: pose and motion of a body against its carrier. Compact for one-axis joints between still points.
enum { C_SINE, C_COSINE, C_OMEGA, C_BIAS = C_OMEGA + 3, C_ALL = C_BIAS + 6 };
enum { K_ROTATION = 0, K_FROM = 9, K_LEVER = 12, K_OMEGA = 15, K_BIAS = 18, K_COLUMNS = 24 };
// Words of a node: children, lane of its first body, whether its path goes on beyond it.
enum { N_LEFT, N_RIGHT, N_LANE, N_OPEN, N_WORDS };
// Fields of a node.
enum { E_INERTIA = 0, E_FORCE = 21, E_TRANSFER = 27, E_COMPLIANCE = 63, E_BIAS = 84, E_INTERFACE = 90, E_SPIN = 126, E_OFFSET = 135,
       E_OMEGA = 138, E_ACCELERATION = 141, E_PULL = 147, E_ALL = 153 };
// What closed parts show to their carrier stands where a closed node has no outer handle.
enum { E_SHOWN = E_TRANSFER };

struct Args {
    int lanes, slots, nodes, batch;
    int powered; // whether powers are summed
    int clocked; // one clock for each lane
    int split; // whether handles have a pass of their own
    int spare;
    real gravity[3];
    const int *layout, *types, *program, *lane, *branch, *node, *list, *variant;
    const real *table, *function;
    const real *time; // instant and side of each clock
    real *q, *v, *rate, *link, *out, *element, *power;
    int *fault; // per lane: body and pivot that failed first
    // What acts at frames: records, which of them a system of a batch has, for every slot first and last of its ends and the ends.
    const int *load, *load_variant, *ends;
    real *pose, *path, *wrench;
};

#ifdef FX_BATCH
#define IS_BATCH(a) (FX_BATCH)
#else
#define IS_BATCH(a) ((a).batch)
#endif
// With modes the equations of the second handle have a pass of their own: both at once would not fit into registers.
#ifdef __CUDACC__
#define IS_SPLIT(a) (FX_MODES > 0)
#else
#define IS_SPLIT(a) ((a).split)
#endif
// Loads at frames need poses, which nothing else does.
#ifdef __CUDACC__
#ifdef FX_LOADED
#define IS_LOADED(a) 1
#else
#define IS_LOADED(a) 0
#endif
#else
#define IS_LOADED(a) ((a).ends != 0)
#endif
#define AT(a, base, f, lane) ((size_t)((base) + (f)) * (a).lanes + (lane))

struct Slot {
    int k, lane;
    const int *entry, *layout, *type;
    int modes, dof, fixed, mounted;
};

FX const int *lane_words(const Args &a, int lane) { return a.lane + (IS_BATCH(a) ? 0 : (size_t)lane * LN_WORDS); }

FX Slot slot_of(const Args &a, const int *words, int lane, int k) {
    Slot s;
    s.k = k;
    s.lane = lane;
    s.entry = a.program + ((size_t)words[LN_PROGRAM] + k) * S_WORDS;
    s.layout = a.layout + k * Y_WORDS;
    int type = s.entry[S_TYPE];
    if (IS_BATCH(a) && a.variant) {
        int v = a.variant[(size_t)k * a.lanes + lane];
        if (v >= 0) type = v;
    }
    s.type = a.types + (size_t)type * T_WORDS;
#ifdef FX_UNIFORM
    s.modes = FX_MODES;
#else
    s.modes = FX_MODES > 0 ? s.type[T_MODES] : 0;
#endif
#ifdef FX_ONE_FREE
    s.dof = 1;
#else
    s.dof = s.type[T_DOF];
#endif
#ifdef FX_FIXED_ONLY
    s.fixed = 1;
    s.mounted = 0;
#else
    s.fixed = s.type[T_FIXED] == 1;
    s.mounted = s.type[T_FIXED] == 2;
#endif
    return s;
}
FX const real *numbers(const Args &a, const Slot &s, int word) { return a.table + s.type[word]; }
FX int prescribed(const Slot &s) {
#ifdef FX_ONE_FREE
    return 0;
#else
    return s.type[T_PRESCRIBED];
#endif
}
FX int level(const Slot &s) {
#ifdef FX_LEVEL
    return s.modes ? FX_LEVEL : RIGID;
#else
    return s.type[T_LEVEL];
#endif
}
FX int influences(const Slot &s) { return FX_MODES > 0 ? s.type[T_INFLUENCE] : 0; }
FX int parent_modes(const Slot &s) {
#ifdef FX_UNIFORM
    return FX_MODES;
#else
    return s.type[T_PARENT_MODES];
#endif
}
