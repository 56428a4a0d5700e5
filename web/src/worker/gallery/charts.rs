//! The statecharts of the gallery.

use super::Entry;
use crate::examples::Expected;

/// The statecharts.
pub(super) const ENTRIES: &[Entry] = &[
    entry!(
        "sc/traffic-light.sc",
        "Traffic light, figure 2.3",
        "statecharts, history",
        Violated,
        "A light that is switched on and off at any time. After green it may be red without having been yellow: it was switched off and on again.",
        "Now check `embedded:red_returns`; then add `history H -> Red` to `On` and let `switch` lead to `On.H`: does `embedded:yellow_before_red` hold then?",
        "statechart state machine uml scxml thesis fig. 2.3 composite",
        "property" = "embedded:yellow_before_red",
        "engine" = "auto"
    ),
    entry!(
        "sc/crossroads.sc",
        "Crossroads with a priority road",
        "statecharts, regions",
        Violated,
        "Two lights and their controller are regions that raise events for each other. One road always has green, until the police switch both lights to blinking.",
        "Now check `embedded:never_both_green`, then `embedded:main_goes_again`, and play the run event by event.",
        "statechart state machine uml scxml orthogonal parallel queue raise traffic",
        "property" = "embedded:one_is_green",
        "engine" = "auto"
    ),
    entry!(
        "sc/microwave.sc",
        "Microwave oven",
        "statecharts, history",
        Violated,
        "Opening the door stops the heating. Closing it starts the heating again although nobody pressed start, since the history remembers that it was cooking.",
        "Now let `close` lead to `Closed.Paused` instead of `Closed.Last`.",
        "statechart state machine uml scxml timeout after tick door",
        "property" = "embedded:starts_by_button",
        "engine" = "auto"
    ),
    entry!(
        "sc/atm.sc",
        "Cash machine",
        "statecharts, parameters",
        Violated,
        "The money comes before the card, so a customer can leave with the money and forget the card, which is swallowed.",
        "Now allow `take` only after the card was removed; check `embedded:no_money_without_pin`, too.",
        "statechart state machine uml scxml atm bank event data",
        "property" = "embedded:card_not_forgotten",
        "engine" = "auto"
    ),
    entry!(
        "sc/cruise-control.sc",
        "Cruise control",
        "statecharts, regions",
        Violated,
        "The target should never be low. After resuming at a low speed, the event set stores that speed without a test.",
        "Now add the guard `[speed >= 2]` to the last `set` in `Active`, and check `embedded:reaches_target`.",
        "statechart state machine uml scxml car speed orthogonal",
        "property" = "embedded:target_is_fast_enough",
        "engine" = "auto"
    ),
];
