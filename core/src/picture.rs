//! What pictures of a run show besides the run itself: concrete states, beside what the abstraction says of them. Nothing
//! here decides a verdict.

mod grid;
mod images;
mod plane;
mod sample;

pub use grid::{Axis, Cell, Grid, axes, grid, variables};
pub use images::{Image, Images};
pub use plane::{Dot, Plane, state_variables};
pub use sample::sample;
