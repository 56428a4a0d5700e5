//! Each event of the family, over the names of the example of all methods.

use crate::kit::{PredicateId, UnknownReason};
use crate::methods::combined_approx::{Event, Side};

/// The events, in an order in which they may occur.
pub(crate) fn events() -> Vec<Event> {
    vec![
        Event::TurnBegan { side: Side::Under, turn: 1, resumed: false },
        Event::TurnBegan { side: Side::Over, turn: 1, resumed: false },
        Event::Shared { predicate: PredicateId(0), with: Side::Over },
        Event::GaveUp { side: Side::Over, why: UnknownReason::NoProgress },
        Event::TurnBegan { side: Side::Under, turn: 2, resumed: true },
        Event::Shared { predicate: PredicateId(0), with: Side::Under },
        Event::GaveUp { side: Side::Under, why: UnknownReason::Diverges },
    ]
}
