//! The pictures of a run, each a fold over its journal.

mod arg;
mod cells;
mod cex;
mod precision;
mod progress;

pub use arg::{ArgNodeView, ArgView, Status};
pub use cells::{CellView, CellsView};
pub use cex::{CexView, Feasibility, LassoView, StepView};
pub use precision::PrecisionView;
pub use progress::{IterationView, ProgressView};
