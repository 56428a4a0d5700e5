//! A drawing as a list, for the keyboard and for screen readers.

use veristep_core::scene::{Drawing, Entry, Thing};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::{Shown, on_click, pick};
use crate::ui::canvas::{Gesture, KEYED, by_key, is_carried, is_more, key_of};

/// Moves the focus to the item before, after, or around the focused one.
fn on_key(event: &KeyboardEvent) {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return;
    }
    let Some(item) = event.target().and_then(|t| t.dyn_into::<HtmlElement>().ok()) else { return };
    let next = match event.key().as_str() {
        "ArrowDown" => item.next_element_sibling(),
        "ArrowUp" => item.previous_element_sibling(),
        "Home" => item.parent_element().and_then(|list| list.first_element_child()),
        "End" => item.parent_element().and_then(|list| list.last_element_child()),
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    if let Some(next) = next.and_then(|n| n.dyn_into::<HtmlElement>().ok()) {
        let _ = item.set_attribute("tabindex", "-1");
        let _ = next.set_attribute("tabindex", "0");
        let _ = next.focus();
    }
}

/// An edge that leaves a node.
fn leaving(text: &str, about: Option<Thing>, shown: &Shown) -> Html {
    match pick(about.as_slice(), &shown.act) {
        Some(pick) => {
            let onclick = pick.reform(|event: MouseEvent| event.stop_propagation());
            html! { <button class="link-btn said" data-key={about.map(Thing::token)} {onclick}>{ text.to_owned() }</button> }
        }
        None => html! { <span class="said">{ text.to_owned() }</span> },
    }
}

/// The list of the nodes; `now` is the one of the step.
pub(super) fn outline(
    heading: &str,
    drawing: &Drawing,
    shown: &Shown,
    now: (Option<&str>, &NodeRef),
) -> Html {
    let (now, at_now) = now;
    let item = |(index, entry): (usize, &Entry)| {
        let picked = pick(entry.about.as_slice(), &shown.act).unwrap_or_else(Callback::noop);
        let onclick = on_click(&picked);
        let onkeydown = Callback::from(move |event: KeyboardEvent| {
            // Not of the buttons of its edges.
            let is_moved = event.target_dyn_into::<HtmlElement>().is_some_and(|e| is_carried(&e));
            let is_item = event.target_dyn_into::<HtmlElement>().is_some_and(|e| e.tag_name() == "LI");
            match event.key().as_str() {
                _ if !is_item || is_moved => {}
                "Enter" | " " if !event.shift_key() => {
                    event.prevent_default();
                    event.stop_propagation();
                    picked.emit(());
                }
                _ => on_key(&event),
            }
        });
        let is_now = now == Some(entry.key.as_str());
        let node = if is_now { at_now.clone() } else { NodeRef::default() };
        let selected = entry.about.is_some_and(|thing| shown.related.contains(thing));
        html! {
            <li ref={node} key={entry.key.clone()} data-key={entry.key.clone()} role="treeitem" aria-level="1" aria-selected={selected.to_string()} aria-current={is_now.then_some("step")}
                tabindex={if index == 0 { "0" } else { "-1" }} {onclick} {onkeydown}>
                <span>{ &entry.text }</span>
                { for entry.edges.iter().map(|(text, about)| leaving(text, *about, shown)) }
            </li>
        }
    };
    let onkeydown = shown.on_edit.clone().map(|on_edit| {
        Callback::from(move |event: KeyboardEvent| {
            if let Some(gesture) = by_key(&event) {
                event.prevent_default();
                event.stop_propagation();
                on_edit.emit(gesture);
            }
        })
    });
    let onclick = shown.on_edit.clone().map(|on_edit| {
        Callback::from(move |event: MouseEvent| {
            let key = event.target_dyn_into::<HtmlElement>().and_then(|it| key_of(&it, KEYED));
            on_edit.emit(Gesture::Choose { key, more: is_more(&event) });
        })
    });
    let several = shown.on_edit.is_some().then_some("true");
    html! {
        <div class="scroll tree-twin" data-testid="arg-tree" {onkeydown} {onclick}>
            <ul role="tree" aria-multiselectable={several} aria-label={heading.to_owned()}>{ for drawing.outline().iter().enumerate().map(item) }</ul>
        </div>
    }
}
