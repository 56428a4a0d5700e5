//! The views of a run, each a fold over its journal.

mod arg;
mod chunks;
mod progress;

pub use crate::methods::cegar::views::{CexView, Feasibility, LassoView, PrecisionView, StepView};
pub use crate::methods::split::view::{CellView, CellsView};
pub use arg::{ArgNodeView, ArgView, Status};
pub use chunks::Chunks;
pub use progress::{IterationView, ProgressView};
