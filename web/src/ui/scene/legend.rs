//! The legend of a drawing: only the signs in sight.

use veristep_core::scene::{Drawing, Mark, Style};
use yew::prelude::*;

use super::{classes, ink, names, px};

/// The legend, in the colour of the phase.
pub(super) fn legend(drawing: &Drawing, phase: Option<&'static str>) -> Html {
    let marks = drawing.legend();
    html! {
        <ul class="legend" aria-label="Legend" data-phase={phase}>
            { for marks.iter().map(|mark| html! { <li>{ sign(*mark, drawing.on_edges_only(*mark)) }{ mark.meaning() }</li> }) }
        </ul>
    }
}

/// The sign of a role.
fn sign(mark: Mark, line: bool) -> Html {
    let marks = [mark];
    if line {
        let style = Style::of_edge(&marks);
        return html! {
            <svg width="20" height="16" aria-hidden="true"><path class={classes!("curve", classes(&style), names(&marks))} style={format!("stroke-width:{}", px(style.width))} d="M1 8H19" /></svg>
        };
    }
    let style = Style::of_node(&marks);
    if mark == Mark::Infeasible {
        return html! {
            <svg width="20" height="16" aria-hidden="true"><path class={classes!("box", classes(&style))} d="M10 2v9m-4 0h8m-6.5 3h5" /></svg>
        };
    }
    html! {
        <svg width="20" height="16" aria-hidden="true">
            if style.halo.is_some() { <rect class={classes!("halo", mark.name())} x="1.5" y="1.5" width="17" height="13" rx="5" /> }
            <rect class={classes!("box", classes(&style))} style={format!("stroke-width:{}", px(style.width.min(2.0)))} x="4" y="3.5" width="12" height="9" rx="3" />
            if style.double { <rect class={classes!("inner", ink("stroke", style.stroke))} x="6" y="5.5" width="8" height="5" rx="1.5" /> }
        </svg>
    }
}
