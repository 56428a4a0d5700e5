//! Icons as inline SVG. The paths are those of Lucide (ISC licence).

use yew::prelude::*;

/// The path data of an icon, one sub-path an item.
fn paths(name: &str) -> &'static [&'static str] {
    match name {
        "play" => &["M6 4l14 8-14 8z"],
        "pause" => &["M8 5v14", "M16 5v14"],
        "stop" => &["M6 6h12v12H6z"],
        "back" => &["M15 18l-6-6 6-6"],
        "forward" => &["M9 18l6-6-6-6"],
        "back-phase" => &["M11 18l-6-6 6-6", "M18 18l-6-6 6-6"],
        "forward-phase" => &["M6 18l6-6-6-6", "M13 18l6-6-6-6"],
        "start" => &["M18 19l-9-7 9-7z", "M5 5v14"],
        "end" => &["M6 19l9-7-9-7z", "M19 5v14"],
        "check" => &["M20 6L9 17l-5-5"],
        "cross" => &["M18 6L6 18", "M6 6l12 12"],
        "question" => {
            &["M9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 17h.01", "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z"]
        }
        "unknown" => &["M9.1 9a3 3 0 0 1 5.8 1c0 2-3 2.6-3 4", "M12 18h.01"],
        "share" => &[
            "M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.7 1.7",
            "M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7",
        ],
        "moon" => &["M12 3a6.4 6.4 0 0 0 9 9 9 9 0 1 1-9-9z"],
        "sun" => &[
            "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
            "M12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M6.3 17.7l-1.4 1.4M19.1 4.9l-1.4 1.4",
        ],
        "auto" => {
            &["M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z", "M12 3v18", "M12 8h6.5", "M12 13h8.7", "M12 18h5"]
        }
        "grid" => &["M3 3h7v7H3z", "M14 3h7v7h-7z", "M14 14h7v7h-7z", "M3 14h7v7H3z"],
        "tidy" => &["M9 3h6v5H9z", "M3 16h6v5H3z", "M15 16h6v5h-6z", "M12 8v4", "M6 16v-4h12v4"],
        "new-node" => &["M3 8a3 3 0 0 1 3-3h8M21 12v4a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V8", "M19 2v7M15.5 5.5h7"],
        "pencil" => &["M17 3a2.8 2.8 0 0 1 4 4L8 20l-5 1 1-5z", "M14.5 5.5l4 4"],
        "follow" => &["M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12z", "M12 2v4", "M12 18v4", "M2 12h4", "M18 12h4"],
        "sliders" => &[
            "M4 6h10",
            "M18 6h2",
            "M16 4v4",
            "M4 12h2",
            "M10 12h10",
            "M8 10v4",
            "M4 18h8",
            "M16 18h4",
            "M14 16v4",
        ],
        "copy" => &["M9 9h11v11H9z", "M5 15H4V4h11v1"],
        "download" => &["M12 3v12", "M7 10l5 5 5-5", "M4 20h16"],
        "warning" => &["M12 3L2 20h20z", "M12 10v4", "M12 17h.01"],
        "info" => &["M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z", "M12 16v-4", "M12 8h.01"],
        "fit" => &[
            "M8 3H5a2 2 0 0 0-2 2v3M21 8V5a2 2 0 0 0-2-2h-3M3 16v3a2 2 0 0 0 2 2h3M16 21h3a2 2 0 0 0 2-2v-3",
        ],
        "find" => &["M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14z", "M20 20l-4-4"],
        "select" => &["M5 3H3v2M19 3h2v2M3 19v2h2M21 19v2h-2M9 3h6M9 21h6M3 9v6M21 9v6", "M9 9h6v6H9z"],
        "marquee" => &["M5 3H3v2M19 3h2v2M3 19v2h2M21 19v2h-2M9 3h6M9 21h6M3 9v6M21 9v6"],
        "columns" => &["M4 4h6v16H4z", "M14 4h6v16h-6z"],
        "plus" => &["M5 12h14", "M12 5v14"],
        "minus" => &["M5 12h14"],
        "ghost" => &[
            "M9 10h.01",
            "M15 10h.01",
            "M12 2a8 8 0 0 0-8 8v12l3-3 2.5 2.5L12 19l2.5 2.5L17 19l3 3V10a8 8 0 0 0-8-8z",
        ],
        "list" => &["M9 6h11", "M9 12h11", "M9 18h11", "M4 6h.01", "M4 12h.01", "M4 18h.01"],
        "shield" => &["M12 22s8-4 8-10V5l-8-3-8 3v7c0 6 8 10 8 10z", "M9 12l2 2 4-4"],
        "loop" => &["M3 12a9 9 0 1 0 3-6.7L3 8", "M3 3v5h5"],
        _ => &[],
    }
}

/// Draws an icon, hidden from screen readers.
pub fn icon(name: &str) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            { for paths(name).iter().map(|d| html! { <path d={*d} /> }) }
        </svg>
    }
}
