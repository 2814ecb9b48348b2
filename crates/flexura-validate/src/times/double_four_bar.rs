//! Table 2 of Lugrís et al. (2007): the double four-bar with none to five flexible bars.

use super::{ROUNDS, Timed, compare};
use crate::cases::double_four_bar_with;
use crate::context::{Context, Fault};
use crate::run::Route;
use crate::table::Table;
use flexura::State;
use flexura::formulation::global::{GlobalModel, GlobalOptions};

/// Seconds of MATLAB programs in 2007: global, topological.
const TABLE_2: [[f64; 6]; 2] =
    [[0.91, 3.30, 6.24, 9.61, 11.51, 15.22], [4.85, 9.11, 12.62, 15.74, 17.74, 20.92]];

pub(super) fn measure(context: &mut Context) -> Result<(), Fault> {
    let caption =
        "Table 2: 5 s of the double four-bar in steps of 10 ms, bars with the amplitudes of Table 1";
    let mut table = Table::new(caption, &["flexible bars", "0", "1", "2", "3", "4", "5"]);
    let mut seconds = [[None; 6]; 2];
    let mut counts = [[None; 6]; 2];
    for flexible in 0..6 {
        let built = double_four_bar_with(flexible)?;
        let start = State::initial(&built.model, 0.0);
        let timed = Timed { built: &built, start: &start, end: 5.0, channel: "link_left.tip.position.x" };
        for (k, route) in [Route::Global(0.01), Route::Topological(0.01)].into_iter().enumerate() {
            seconds[k][flexible] = timed.run(context, route, 0.01, 2 * ROUNDS)?;
        }
        let natural = GlobalModel::new(&built.model, &GlobalOptions::default())?.coordinate_count();
        counts[0][flexible] = Some(natural as f64);
        counts[1][flexible] = Some(built.model.speed_count() as f64);
    }
    table.row("global, coordinates", counts[0]);
    table.row("topological, coordinates", counts[1]);
    compare(&mut table, [&TABLE_2[0], &TABLE_2[1]], [&seconds[0], &seconds[1]]);
    context.tabulate(table);
    Ok(())
}
