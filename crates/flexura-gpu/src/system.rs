//! A lowered model on a device: its arrays, one evaluation, states in and out.

use crate::args::{Address, Args, CLOCK_WORDS, Steps, clock};
use crate::device::{Call, Choice, Description, Device, Program};
use crate::error::DeviceError;
use crate::steps::Stepping;
use flexura::lower::words::{NODE_FIELDS, PATH_FIELDS, POSE_FIELDS};
use flexura::lower::{Launch, Lowered};
use flexura::{Model, State};

/// Bodies of a lane of a huge system: long enough that joining costs little, short enough for many lanes.
fn leaf_bodies(bodies: usize, modes: usize) -> usize {
    match (bodies, modes) {
        (..4_096, _) => 4,
        (..65_536, 0) => 8,
        (..524_288, 0) => 16,
        (_, 0) => 32,
        (_, 1..6) => 16,
        _ => 8,
    }
}

/// One system or a batch of systems on a device.
pub struct System<'m> {
    pub(crate) model: &'m Model,
    pub(crate) lowered: Lowered,
    pub(crate) device: Box<dyn Device>,
    pub(crate) args: Args,
    pub(crate) stepping: Option<Stepping>,
    /// That of an earlier start: the next one takes over its arrays.
    pub(crate) earlier: Option<Stepping>,
    evaluation: Program,
    /// Coordinates and speeds on the way to and from the device.
    q: Vec<f64>,
    v: Vec<f64>,
}

impl<'m> System<'m> {
    /// One system by divide and conquer.
    pub fn huge(model: &'m Model, choice: Choice) -> Result<Self, DeviceError> {
        let modes = model.bodies.iter().map(|body| body.modes).max().unwrap_or(0);
        Self::huge_with_leaf(model, leaf_bodies(model.body_count(), modes), choice)
    }

    /// One system with lanes of about `leaf` bodies.
    pub fn huge_with_leaf(model: &'m Model, leaf: usize, choice: Choice) -> Result<Self, DeviceError> {
        Self::new(model, Lowered::huge(model, leaf).map_err(DeviceError::Refused)?, choice)
    }

    /// A chain of `count` bodies whose links repeat those of the short chain `model`: for studies of size. Its state is set
    /// and read by [`System::set_numbers`] and [`System::numbers`].
    pub fn repeated(
        model: &'m Model,
        count: usize,
        leaf: usize,
        choice: Choice,
    ) -> Result<Self, DeviceError> {
        Self::new(model, Lowered::repeated(model, count, leaf).map_err(DeviceError::Refused)?, choice)
    }

    /// Coordinates and speeds by a function of their place in the arrays of the device.
    pub fn set_numbers(
        &mut self,
        time: f64,
        mut coordinate: impl FnMut(usize) -> f64,
        mut speed: impl FnMut(usize) -> f64,
    ) -> Result<(), DeviceError> {
        self.q.iter_mut().enumerate().for_each(|(i, x)| *x = coordinate(i));
        self.v.iter_mut().enumerate().for_each(|(i, x)| *x = speed(i));
        self.send(time)
    }

    /// Coordinates, speeds and accelerations as they stand on the device.
    pub fn numbers(&mut self) -> Result<[Vec<f64>; 3], DeviceError> {
        let mut rates = vec![0.0; self.lowered.speeds()];
        self.device.read(self.args.rate, &mut rates)?;
        self.fetch()?;
        Ok([self.q.clone(), self.v.clone(), rates])
    }

    /// `systems` systems alike.
    pub fn batch(model: &'m Model, systems: usize, choice: Choice) -> Result<Self, DeviceError> {
        Self::new(model, Lowered::batch(model, systems).map_err(DeviceError::Refused)?, choice)
    }

    /// Systems of one topology that differ in numbers.
    pub fn batch_of(models: &[&'m Model], choice: Choice) -> Result<Self, DeviceError> {
        let Some(&model) = models.first() else {
            return Err(DeviceError::Driver("a batch needs at least one model".into()));
        };
        Self::new(model, Lowered::batch_of(models, models.len()).map_err(DeviceError::Refused)?, choice)
    }

    fn new(model: &'m Model, lowered: Lowered, choice: Choice) -> Result<Self, DeviceError> {
        let mut device = choice.open(&lowered.traits)?;
        let args = upload(&lowered, device.as_mut())?;
        let mut calls = Vec::new();
        if lowered.prescribed {
            calls.push(Call::Prescribe { count: lowered.slots * lowered.lanes });
        }
        calls.extend(evaluation_calls(&lowered));
        let evaluation = device.record(&args, &Steps::default(), &calls)?;
        let (q, v) = (vec![0.0; lowered.coordinates()], vec![0.0; lowered.speeds()]);
        Ok(Self { model, lowered, device, args, stepping: None, earlier: None, evaluation, q, v })
    }

    /// The device.
    pub fn device(&self) -> Description {
        self.device.describe()
    }

    /// Systems: those of the batch, or one.
    pub fn systems(&self) -> usize {
        if self.lowered.traits.batch { self.lowered.lanes } else { 1 }
    }

    /// The tables.
    pub fn lowered(&self) -> &Lowered {
        &self.lowered
    }

    /// Launches of one evaluation.
    pub fn launch_count(&self) -> usize {
        self.lowered.launches.len() + usize::from(self.lowered.prescribed)
    }

    /// Puts all systems into one state.
    pub fn set_state(&mut self, state: &State) -> Result<(), DeviceError> {
        for system in 0..self.systems() {
            self.lowered.scatter(self.model, state, system, &mut self.q, &mut self.v);
        }
        self.send(state.time)
    }

    /// Puts every system into a state of its own; all at the time of the first.
    pub fn set_states(&mut self, states: &[State]) -> Result<(), DeviceError> {
        if states.len() != self.systems() {
            return Err(DeviceError::Count { given: states.len(), systems: self.systems() });
        }
        for (system, state) in states.iter().enumerate() {
            self.lowered.scatter(self.model, state, system, &mut self.q, &mut self.v);
        }
        self.send(states.first().map_or(0.0, |state| state.time))
    }

    /// Sends what stands in `q` and `v`; earlier faults and clocks belong to other states.
    fn send(&mut self, time: f64) -> Result<(), DeviceError> {
        self.earlier = self.stepping.take().or_else(|| self.earlier.take());
        self.device.write_integers(self.args.fault, &vec![0; self.lowered.lanes])?;
        self.device.write(self.args.q, &self.q)?;
        self.device.write(self.args.v, &self.v)?;
        let clocks = if self.args.clocked != 0 { self.lowered.lanes } else { 1 };
        let times: Vec<f64> = (0..clocks).flat_map(|_| [time, 0.0]).collect();
        self.device.write(self.args.time, &times)
    }

    /// Evaluates the equations of motion of all systems at their states.
    pub fn evaluate(&mut self) -> Result<(), DeviceError> {
        self.device.replay(self.evaluation, 1)
    }

    /// Milliseconds of one evaluation on the device: the least of `rounds` means over ten.
    pub fn time_evaluation(&mut self, rounds: usize) -> Result<f64, DeviceError> {
        self.device.replay(self.evaluation, 2)?;
        let mut best = f64::INFINITY;
        for _ in 0..rounds.max(1) {
            best = best.min(self.device.time(self.evaluation, 10)? / 10.0);
        }
        Ok(best)
    }

    /// Accelerations of all speeds of one system, as the last evaluation left them.
    pub fn accelerations(&mut self, system: usize) -> Result<Vec<f64>, DeviceError> {
        let mut rates = vec![0.0; self.lowered.speeds()];
        self.device.read(self.args.rate, &mut rates)?;
        self.check()?;
        let mut out = vec![0.0; self.model.speed_count()];
        self.lowered.gather_speeds(self.model, &rates, system, &mut out);
        Ok(out)
    }

    /// Fetches coordinates and speeds of all systems; [`System::read_state`] then reads them.
    pub fn fetch(&mut self) -> Result<(), DeviceError> {
        self.device.read(self.args.q, &mut self.q)?;
        self.device.read(self.args.v, &mut self.v)
    }

    /// Writes what was fetched of one system into `state`.
    pub fn read_state(&self, system: usize, state: &mut State) {
        self.fetched().read_state(system, state);
    }

    /// What was fetched, for several threads to read.
    pub fn fetched(&self) -> Fetched<'_> {
        Fetched { model: self.model, lowered: &self.lowered, q: &self.q, v: &self.v }
    }

    /// State of the one system, or of the first of a batch.
    pub fn state(&mut self) -> Result<State, DeviceError> {
        self.fetch()?;
        let mut state = State::initial(self.model, 0.0);
        self.read_state(0, &mut state);
        state.time = self.time(0)?;
        Ok(state)
    }

    /// Says which body of which system failed, if one did.
    pub fn check(&mut self) -> Result<(), DeviceError> {
        match self.singular()?.into_iter().next() {
            Some((_, fault)) => Err(fault),
            None => Ok(()),
        }
    }

    /// Systems with a body that could not be eliminated; of a huge system the first such body.
    pub(crate) fn singular(&mut self) -> Result<Vec<(usize, DeviceError)>, DeviceError> {
        let mut faults = vec![0; self.lowered.lanes];
        self.device.read_integers(self.args.fault, &mut faults)?;
        if faults.iter().all(|&fault| fault == 0) {
            return Ok(Vec::new());
        }
        let clocks = self.clocks()?;
        let mut found = Vec::new();
        for (lane, &fault) in faults.iter().enumerate().filter(|(_, fault)| **fault != 0) {
            let body = self.lowered.body_at(lane, fault as usize - 1);
            let names = |k: usize| Some((&self.model.joints.get(k)?.name, &self.model.bodies.get(k)?.name));
            let name = match body.and_then(names) {
                Some((joint, body)) => format!("joint `{joint}` of body `{body}`"),
                None => "a body".into(),
            };
            let system = if self.lowered.traits.batch { lane } else { 0 };
            let time = clocks.get(system * CLOCK_WORDS + clock::TIME).copied().unwrap_or(0.0);
            found.push((system, DeviceError::Singular { system, body: name, time }));
            if !self.lowered.traits.batch {
                break;
            }
        }
        Ok(found)
    }
}

/// Coordinates and speeds of all systems as they were fetched.
#[derive(Clone, Copy)]
pub struct Fetched<'a> {
    model: &'a Model,
    lowered: &'a Lowered,
    q: &'a [f64],
    v: &'a [f64],
}

impl Fetched<'_> {
    /// Writes those of one system into `state`.
    pub fn read_state(&self, system: usize, state: &mut State) {
        self.lowered.gather(self.model, self.q, self.v, system, state);
    }
}

pub(crate) fn evaluation_calls(lowered: &Lowered) -> impl Iterator<Item = Call> + '_ {
    let call =
        |launch: &Launch| Call::Evaluate { kernel: launch.kernel, first: launch.first, count: launch.count };
    lowered.launches.iter().map(call)
}

/// Tables and arrays of one evaluation.
fn upload(lowered: &Lowered, device: &mut dyn Device) -> Result<Args, DeviceError> {
    let lanes = lowered.lanes;
    let [_, _, link, out] = lowered.fields;
    let batch = lowered.traits.batch;
    let variant = some_integers(&lowered.variant, device)?;
    let posed = usize::from(lowered.loads > 0);
    Ok(Args {
        lanes: lanes as i32,
        slots: lowered.slots as i32,
        nodes: lowered.nodes as i32,
        batch: i32::from(batch),
        powered: 1,
        clocked: i32::from(batch),
        split: i32::from(lowered.traits.modes > 0),
        spare: 0,
        gravity: lowered.gravity,
        layout: device.put_integers(&lowered.layout)?,
        types: device.put_integers(&lowered.types)?,
        program: device.put_integers(&lowered.program)?,
        lane: device.put_integers(&lowered.lane)?,
        branch: device.put_integers(&lowered.branch)?,
        node: device.put_integers(&lowered.node)?,
        list: device.put_integers(&lowered.list)?,
        variant,
        table: device.put_numbers(&lowered.table)?,
        function: device.put_numbers(&lowered.function)?,
        time: device.zeros(2 * if batch { lanes } else { 1 })?,
        q: device.zeros(lowered.coordinates())?,
        v: device.zeros(lowered.speeds())?,
        rate: device.zeros(lowered.speeds())?,
        link: device.zeros(link * lanes)?,
        out: device.zeros(out * lanes)?,
        element: device.zeros(NODE_FIELDS * lowered.nodes)?,
        power: device.zeros(lanes)?,
        fault: device.zero_integers(lanes)?,
        load: some_integers(&lowered.load, device)?,
        load_variant: some_integers(&lowered.load_variant, device)?,
        ends: some_integers(&lowered.ends, device)?,
        pose: device.zeros(posed * POSE_FIELDS * lowered.slots * lanes)?,
        path: device.zeros(posed * PATH_FIELDS * lowered.nodes)?,
        wrench: device.zeros(posed * lowered.end_numbers * lowered.end_systems())?,
    })
}

/// A list that may be none.
fn some_integers(list: &[i32], device: &mut dyn Device) -> Result<Address, DeviceError> {
    if list.is_empty() { Ok(0) } else { device.put_integers(list) }
}

#[cfg(all(test, feature = "emulation"))]
mod tests {
    use super::*;
    use flexura::lower::Kernel;
    use flexura::model::description::InertiaLevel;
    use flexura_samples::chains;
    use flexura_samples::random_model::{Random, Recipe, random_state};

    /// Accelerations by blocks and teams, and with one launch for each level and one thread for each lane and node.
    fn both_ways(model: &Model, state: &State, lowered: &Lowered) -> [Vec<u64>; 2] {
        let mut plain = lowered.clone();
        plain.launches.clone_from(&plain.levels);
        [lowered.clone(), plain].map(|lowered| {
            let mut system = System::new(model, lowered, Choice::Emulated).expect("opened");
            system.set_state(state).expect("sent");
            system.evaluate().expect("evaluated");
            system.accelerations(0).expect("regular").iter().map(|x| x.to_bits()).collect()
        })
    }

    #[test]
    fn teams_and_blocks_give_the_bits_of_single_threads() {
        let (mut by_teams, mut subtrees) = (0, 0);
        let mut compare = |model: &Model, state: &State, leaf: usize| {
            let huge = Lowered::huge(model, leaf).expect("lowered");
            let batch = Lowered::batch(model, 2).expect("lowered");
            for lowered in [huge, batch] {
                let has = |kernel: Kernel| lowered.launches.iter().any(|launch| launch.kernel == kernel);
                by_teams += usize::from(has(Kernel::LaneTeam));
                subtrees += usize::from(has(Kernel::Subtree));
                let [found, expected] = both_ways(model, state, &lowered);
                assert_eq!(found, expected, "{} bodies, leaf {leaf}", model.body_count());
            }
        };
        let model = chains::model(chains::rigid_chain(700));
        compare(&model, &chains::random_state(&model, 1), 1);
        let model = chains::model(chains::rigid_tree(400, 3));
        compare(&model, &chains::random_state(&model, 2), 2);
        for (modes, level) in
            [(7, InertiaLevel::Gram), (10, InertiaLevel::Ruthless), (12, InertiaLevel::Gram)]
        {
            let model = chains::model(chains::clamped_chain(20, modes, level));
            compare(&model, &chains::random_state(&model, 3), 3);
            let model = chains::model(chains::flexible_chain(9, modes, level));
            compare(&model, &chains::random_state(&model, 4), 2);
        }
        for seed in 0..40 {
            let mut random = Random::new(seed);
            let mut recipe = Recipe::everything(&[InertiaLevel::Ruthless, InertiaLevel::Gram]);
            (recipe.modes, recipe.bodies) = (12, 12);
            let Ok(built) = flexura::build(recipe.describe(&mut random)) else { continue };
            let mut state = random_state(&built.model, &mut random);
            flexura::state::prescribe::apply_prescribed(&built.model, &mut state, None);
            compare(&built.model, &state, 1 + seed as usize % 4);
        }
        assert!(by_teams > 20 && subtrees > 1, "{by_teams} {subtrees}");
    }
}
