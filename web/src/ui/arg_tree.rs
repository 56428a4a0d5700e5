//! The graph as a tree of texts, for the keyboard and for screen readers.

use std::rc::Rc;

use veristep_core::kit::NodeId;
use veristep_core::views::Status;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use crate::state::{Frame, JournalRef, Related};
use crate::ui::Act;
use crate::ui::arg_view::pick_node;

/// The props.
pub struct Props {
    /// The journal.
    pub journal: JournalRef,
    /// The step.
    pub frame: Rc<Frame>,
    /// The objects related to the selection.
    pub related: Rc<Related>,
    /// The callback for actions.
    pub act: Act,
}

/// The maximal number of listed nodes.
const MOST: usize = 600;

/// The nodes in preorder, with their depth.
fn walk(frame: &Frame) -> Vec<(NodeId, usize)> {
    let roots = frame.arg.live().filter(|(_, node)| node.from.is_none());
    let mut stack: Vec<(NodeId, usize)> = roots.map(|(id, _)| (id, 1)).collect();
    stack.reverse();
    let mut order = Vec::new();
    while let Some((id, depth)) = stack.pop() {
        if order.len() == MOST {
            break;
        }
        order.push((id, depth));
        let children = &frame.arg.nodes[id.index()].children;
        let live = children.iter().rev().filter(|c| !frame.arg.nodes[c.index()].pruned);
        stack.extend(live.map(|c| (*c, depth + 1)));
    }
    order
}

/// Moves the focus to the item before, after, or around the focused one.
fn on_key(event: &KeyboardEvent) {
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

/// The tree.
pub fn arg_tree(props: &Props) -> Html {
    let journal = props.journal.get();
    let order = walk(&props.frame);
    let item = |(index, (id, depth)): (usize, &(NodeId, usize))| {
        let node = &props.frame.arg.nodes[id.index()];
        let status = match node.status {
            Status::Open => "waiting".to_owned(),
            Status::Current => "being expanded".to_owned(),
            Status::Expanded => "expanded".to_owned(),
            Status::Covered(by) => format!("↷ covered by {by}"),
            Status::Target => "✕ at the error location".to_owned(),
        };
        let by = node.from.and_then(|(_, e)| journal.names.edges.get(e.index()));
        let by = by.map(|e| format!(" after {}", crate::text::operation(&e.text))).unwrap_or_default();
        let pick = pick_node(&props.act, *id);
        let onclick = pick.reform(|_: MouseEvent| ());
        let onkeydown = Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" | " " => {
                event.prevent_default();
                event.stop_propagation();
                pick.emit(());
            }
            _ => on_key(&event),
        });
        html! {
            <li key={id.0} role="treeitem" aria-level={depth.to_string()} aria-selected={props.related.nodes.contains(id).to_string()}
                tabindex={if index == 0 { "0" } else { "-1" }} style={format!("padding-left:{}px", (depth - 1).min(24) * 14)} {onclick} {onkeydown}>
                <span>{ format!("{id} {}: {}", journal.location(node.label.location), journal.label(&node.label)) }
                    <span class="said">{ format!("{by}, {status}") }</span></span>
            </li>
        }
    };
    html! {
        <div class="scroll tree-twin" data-testid="arg-tree">
            <ul role="tree" aria-label="Abstract reachability graph">{ for order.iter().enumerate().map(item) }</ul>
            if order.len() == MOST {
                <p class="muted">{ format!("Only the first {MOST} nodes are listed.") }</p>
            }
        </div>
    }
}
