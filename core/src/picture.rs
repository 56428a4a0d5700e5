//! Pictures of a run: concrete states together with their abstraction. Nothing here has an influence on the verdict.

mod grid;
mod images;
mod plane;
mod sample;

pub use grid::{Axis, Cell, Grid, axes, grid, variables};
pub use images::{Image, Images};
pub use plane::{Dot, Plane, state_variables};
pub use sample::sample;
