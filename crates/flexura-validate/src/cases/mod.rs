//! All cases, in the order of the report.

use crate::context::Case;

/// Declares the modules of cases and their list.
macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// All cases, in the order of the report.
        pub const CASES: &[&Case] = &[$(&$name::CASE),*];
    };
}

pub(crate) use lugris_double_four_bar::with_flexible_bars as double_four_bar_with;

cases!(
    fdca_bar,
    fdca_two_link,
    soa_counts,
    lugris_double_four_bar,
    lugris_suspension,
    lugris_vehicle,
    flexnet_four_bar,
    flexnet_panels,
    iftomm_pendulum,
    iftomm_four_bar_chain,
    iftomm_andrews,
    iftomm_bricard,
    heavy_top,
    slider_crank_3d,
    slotted_lever,
    spin_up,
    rotating_beam,
    beam_modes,
    plate_modes,
    slider_crank_simeon,
    slider_crank_tiso,
    iftomm_four_bar,
    lateral_buckling,
    elastica,
    bend_45,
    princeton_beam,
    rubber_pendulum,
    flying_spaghetti,
    right_angle_cantilever,
    torsion_rod,
    rayleigh_shaft,
    mode_convergence,
    follower_columns,
    whirl_damping,
    mathieu_column,
    iltis_handling,
    sleeping_top,
    rolling,
    rssr_spin,
    flyball_governor,
    screws,
    gears,
    wound_spring,
);
