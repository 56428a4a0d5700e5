//! An edge of a drawing.

use veristep_core::layout::Point;
use veristep_core::scene::{Edge, Mark, Style, Thing};
use yew::prelude::*;

use super::{about, classes, ink, names, on_click, on_enter, pick, px, sides};
use crate::ui::Act;

/// The props.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// The edge.
    pub(super) edge: Edge,
    /// It is related to the selection.
    pub(super) related: bool,
    /// The callback for actions.
    pub(super) act: Act,
}

/// An edge.
#[component]
pub(super) fn EdgeView(props: &Props) -> Html {
    let edge = &props.edge;
    let arrow = &edge.arrow;
    if arrow.path.is_empty() {
        return Html::default();
    }
    let style = Style::of_edge(&edge.marks);
    let picked = pick(&edge.about, &props.act);
    let onclick = picked.as_ref().map(on_click);
    let (role, tabindex) = picked.as_ref().map(|_| ("button", "-1")).unzip();
    let name =
        picked.as_ref().map(|_| if edge.title.is_empty() { "edge".to_owned() } else { edge.title.clone() });
    let pressed = picked.as_ref().map(|_| props.related.to_string());
    let onkeydown = picked.map(on_enter);
    let class = classes!("edge", names(&edge.marks), props.related.then_some("related"));
    let transform = format!("translate({} {}) rotate({})", px(arrow.tip.x), px(arrow.tip.y), px(arrow.angle));
    html! {
        <g {class} data-key={edge.key.clone()} data-from={edge.source.clone()} data-to={edge.target.clone()} data-about={about(&edge.about)} {role} {tabindex} aria-label={name} aria-pressed={pressed} {onclick} {onkeydown}>
            <title>{ &edge.title }</title>
            <path class={classes!("curve", classes(&style))} style={format!("stroke-width:{}", px(style.width))} d={arrow.path.clone()} />
            if edge.marks.contains(&Mark::Inhibitor) {
                <path class={classes!("ring", ink("stroke", style.stroke))} d="M0 0A4 4 0 1 0 -8 0A4 4 0 1 0 0 0Z" {transform} />
            } else {
                <path class={classes!("arrow", ink("fill", style.stroke))} d="M0 0L-8 -4L-6.4 0L-8 4Z" {transform} />
            }
            { token(edge) }
            <path class="hit" d={arrow.path.clone()} />
            { label(edge, &style) }
        </g>
    }
}

/// The token that moves along an arc of the transition that was fired.
#[inline(never)]
fn token(edge: &Edge) -> Html {
    let [Thing::Edge(_), Thing::Variable(_)] = edge.about[..] else { return Html::default() };
    if !edge.marks.contains(&Mark::Taken) {
        return Html::default();
    }
    let given = edge.source.starts_with('t').then_some("given");
    html! { <circle class={classes!("token", given)} r="4.5" style={format!("offset-path:path('{}')", edge.arrow.path)} /> }
}

/// The ends of an edge, source and target, to be dragged to other nodes.
#[inline(never)]
pub(super) fn grips(edge: &Edge, (source, target): (bool, bool)) -> Html {
    let arrow = &edge.arrow;
    // Those of a loop are at one place.
    let start = begin(&arrow.path).filter(|_| source && edge.source != edge.target);
    let end = Some(arrow.tip).filter(|_| target);
    let grip = |(at, class): (Point, &'static str)| html! { <circle class={classes!("grip", class)} cx={px(at.x)} cy={px(at.y)} r="6" /> };
    let ends = [start.map(|at| (at, "of-source")), end.map(|at| (at, "of-target"))];
    html! { <g data-key={edge.key.clone()}>{ for ends.into_iter().flatten().map(grip) }</g> }
}

/// Where a path begins: at the source of its edge. Texts of drawings have one digit after the point.
fn begin(path: &str) -> Option<Point> {
    let number = |text: &str| {
        let digits = text.bytes().filter(u8::is_ascii_digit);
        let whole =
            digits.fold(0_i32, |sum, digit| sum.wrapping_mul(10).wrapping_add(i32::from(digit - b'0')));
        let whole = f64::from(if text.starts_with('-') { -whole } else { whole });
        if text.contains('.') { whole / 10.0 } else { whole }
    };
    let rest = path.strip_prefix('M')?;
    let (x, rest) = rest.split_once(' ')?;
    let end = rest.bytes().position(|b| !b.is_ascii_digit() && b != b'.' && b != b'-')?;
    Some(Point::new(number(x), number(&rest[..end])))
}

/// The label, on a plate that hides the line behind it.
fn label(edge: &Edge, style: &Style) -> Html {
    let Some(plate) = edge.plate() else { return Html::default() };
    let (x, y, width, height) = sides(plate);
    let Point { x: at, y: base } = edge.arrow.label;
    html! {
        <>
            <rect class="plate" {x} {y} {width} {height} rx="3" />
            <text class={classes!("name", ink("text", style.text))} x={px(at)} y={px(base + 4.5)} text-anchor="middle">{ &edge.label }</text>
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_begins_at_its_source() {
        assert_eq!(begin("M12.5 -3C1 2 3 4 5 6"), Some(Point::new(12.5, -3.0)));
        assert_eq!(begin("M-100 40.1L5 6"), Some(Point::new(-100.0, 40.1)));
        assert_eq!(begin(""), None);
    }
}
