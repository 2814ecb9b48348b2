//! Mukherjee & Anderson: flexible divide and conquer.

use super::checks::*;
use super::{Entry, Paper};

/// The paper.
pub const PAPER: Paper = Paper {
    id: "fdca",
    title: "R. M. Mukherjee, K. S. Anderson, A Logarithmic Complexity Divide-and-Conquer Algorithm for Multi-Flexible Articulated Body Dynamics",
    called: &["Mukherjee & Anderson"],
    entries: &[
        Entry {
            equations: &["1-6"],
            what: "two-handle equations of a body or an assembly",
            formula: "A1 = ζ11 F1 + ζ12 F2 + ζ13, A2 = ζ21 F1 + ζ22 F2 + ζ23, here solved for the inboard force: f = P α + X g + z, α' = X*α − Ω g + c",
            errata: &["E5", "E9"],
            file: "crates/flexura/src/algorithm/divide_and_conquer/element.rs",
            function: "new",
            page: "book/src/theory/divide_and_conquer.md",
            check: divide_and_conquer_agrees_with_the_recursion,
        },
        Entry {
            equations: &["1-2"],
            what: "the handle equations of a run of bodies, by the O(N) recursion with a second handle",
            formula: "P, X, Ω, z, c of a leaf",
            errata: &[],
            file: "crates/flexura/src/algorithm/divide_and_conquer/run_inward.rs",
            function: "run_inward",
            page: "book/src/theory/divide_and_conquer.md",
            check: divide_and_conquer_agrees_with_the_recursion,
        },
        Entry {
            equations: &["7-12"],
            what: "roots: free-floating and anchored",
            formula: "f = 0 at a free root; H*(P α + z) = τ at an anchored one",
            errata: &["E10"],
            file: "crates/flexura/src/algorithm/divide_and_conquer/sweep.rs",
            function: "disassemble_roots",
            page: "book/src/theory/divide_and_conquer.md",
            check: divide_and_conquer_agrees_with_the_recursion,
        },
        Entry {
            equations: &["35-36"],
            what: "directions a joint does not free",
            formula: "D* H = 0, here with orthonormal columns",
            errata: &[],
            file: "crates/flexura/src/algorithm/divide_and_conquer/complement.rs",
            function: "complement",
            page: "book/src/theory/divide_and_conquer.md",
            check: divide_and_conquer_agrees_with_the_recursion,
        },
        Entry {
            equations: &["55-67"],
            what: "handle equations of a flexible body, modes eliminated",
            formula: "ζ_ij = C_i M_m⁻¹ C_j*, here with Γ_FF factorised once",
            errata: &["E5", "E6"],
            file: "crates/flexura/src/algorithm/divide_and_conquer/prefactored.rs",
            function: "eliminate",
            page: "book/src/theory/divide_and_conquer.md",
            check: divided_ruthless_bodies_agree_with_the_recursion,
        },
        Entry {
            equations: &["71-91"],
            what: "assembly and disassembly at a joint",
            formula: "W = (D*(ζ11 + ζ22) D)⁻¹ between neighbours; joint loads on the way back",
            errata: &["E7", "E11"],
            file: "crates/flexura/src/algorithm/divide_and_conquer/element.rs",
            function: "react",
            page: "book/src/theory/divide_and_conquer.md",
            check: divide_and_conquer_agrees_with_the_recursion,
        },
        Entry {
            equations: &["88-91"],
            what: "all joint forces, from disassembly",
            formula: "F_c at every joint between two assemblies",
            errata: &[],
            file: "crates/flexura/src/algorithm/divide_and_conquer/joint_forces.rs",
            function: "joint_forces",
            page: "book/src/theory/divide_and_conquer.md",
            check: divided_joint_forces_are_those_of_inverse_dynamics,
        },
    ],
};
