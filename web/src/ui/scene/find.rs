//! Searching in a drawing: what is found is brought into view and framed, one after the other.

use veristep_core::scene::{Drawing, Edge, Node, Rect};
use yew::prelude::*;

use crate::browser;
use crate::ui::icon::icon;

/// Drawings with more nodes than this have a search button.
const SEARCHED: usize = 12;
/// The field.
const FIELD: &str = "[data-testid=find]";

/// What the buttons of a search do.
#[derive(Clone, Copy)]
enum Act {
    /// So many matches on.
    Go(usize),
    /// It is closed.
    Close,
}

/// A search in a drawing.
pub(super) struct Find {
    /// What is searched for, and the number of the current match; none while the search is closed.
    query: UseStateHandle<Option<(String, usize)>>,
    /// The view has a search of its own, whose field this is.
    other: Option<&'static str>,
}

/// The search in a drawing with this name, which is closed at first.
#[hook]
pub(super) fn use_find(name: &str) -> Find {
    let other = (name == "arg").then_some("[data-testid=find-node]");
    Find { query: use_state_eq(|| None), other }
}

/// Does a text contain a query, in capital or small letters?
fn has(text: &str, query: &str) -> bool {
    text.as_bytes().windows(query.len()).any(|part| part.eq_ignore_ascii_case(query.as_bytes()))
}

/// The nodes and then the edges whose texts contain a query: key and place.
fn matches<'a>(drawing: &'a Drawing, query: &str) -> Vec<(&'a str, Rect)> {
    if query.is_empty() {
        return Vec::new();
    }
    let node = |node: &&Node| node.rows.iter().any(|row| has(&row.text, query)) || has(&node.title, query);
    let edge = |edge: &&Edge| has(&edge.label, query) || has(&edge.title, query);
    let nodes = drawing.nodes.iter().filter(node).map(|node| (node.key.as_str(), node.rect));
    let place = |edge: &Edge| edge.plate().or_else(|| edge.extent());
    let edges = drawing.edges.iter().filter(edge).filter_map(|edge| Some((edge.key.as_str(), place(edge)?)));
    nodes.chain(edges).collect()
}

impl Find {
    /// Is it open?
    pub(super) fn is_open(&self) -> bool {
        self.query.is_some()
    }

    /// Opens it.
    pub(super) fn opener(&self) -> Callback<()> {
        let (query, other) = (self.query.clone(), self.other);
        Callback::from(move |()| match other {
            Some(field) => browser::focus(field),
            None => {
                query.set(Some((String::new(), 0)));
                browser::after_frame(|| browser::focus(FIELD));
            }
        })
    }

    /// The place of the current match.
    #[inline(never)]
    pub(super) fn found(&self, drawing: &Drawing) -> Option<Rect> {
        let (query, number) = self.query.as_ref()?;
        let found = matches(drawing, query);
        found.get(number % found.len().max(1)).map(|(_, place)| *place)
    }

    /// The button that opens it, where there is much to be found.
    pub(super) fn button(&self, drawing: &Drawing) -> Html {
        if drawing.nodes.len() <= SEARCHED || self.other.is_some() {
            return Html::default();
        }
        let onclick = self.opener().reform(|_: MouseEvent| ());
        html! { <button class="btn" aria-label="Find in the drawing" title="Find in the drawing (Ctrl+F)" {onclick} data-testid="open-find">{ icon("find") }</button> }
    }

    /// The field, with the number of the match.
    #[inline(never)]
    pub(super) fn field(&self, drawing: &Drawing) -> Html {
        let (query, number) = self.query.as_ref().cloned().unwrap_or_default();
        let value = query.clone();
        let found = matches(drawing, &query);
        let at = number % found.len().max(1);
        let says = match found.len() {
            _ if query.is_empty() => String::new(),
            0 => "nothing found".to_owned(),
            all => format!("{} of {all}", at + 1),
        };
        let oninput = {
            let state = self.query.clone();
            Callback::from(move |event: InputEvent| state.set(Some((browser::value_of(&event), 0))))
        };
        let (state, all) = (self.query.clone(), found.len().max(1));
        let key = found.get(at).map(|(key, _)| format!(".drawing [data-key=\"{key}\"]"));
        let act = Callback::from(move |act: Act| match act {
            Act::Go(by) => state.set(Some((query.clone(), at + by))),
            Act::Close => {
                state.set(None);
                // What was found gets the focus.
                let key = key.clone().unwrap_or_else(|| "svg.drawing".to_owned());
                browser::after_frame(move || browser::focus(&key));
            }
        });
        let onkeydown = {
            let act = act.clone();
            Callback::from(move |event: KeyboardEvent| {
                match event.key().as_str() {
                    "Enter" => act.emit(Act::Go(if event.shift_key() { all - 1 } else { 1 })),
                    "Escape" => act.emit(Act::Close),
                    _ => return,
                }
                event.prevent_default();
                event.stop_propagation();
            })
        };
        let button = |label: &'static str, sign: &'static str, what: Act| {
            let onclick = act.reform(move |_: MouseEvent| what);
            html! { <button class="btn" aria-label={label} title={label} {onclick}>{ icon(sign) }</button> }
        };
        html! {
            <div class="finder">
                <input class="field" type="search" aria-label="Find in the drawing" placeholder="Find" title="Enter: next; Shift and Enter: back; Escape: close" spellcheck="false" autocomplete="off" {value} {oninput} {onkeydown} data-testid="find" />
                <span class="muted" role="status">{ says }</span>
                <span class="tools">
                    { button("The one before", "back", Act::Go(all - 1)) }
                    { button("The next one", "forward", Act::Go(1)) }
                    { button("Close the search", "cross", Act::Close) }
                </span>
            </div>
        }
    }
}

#[cfg(test)]
mod tests {
    use veristep_core::scene::{Row, Shape};

    use super::*;

    #[test]
    fn nodes_and_edges_are_found_by_their_texts() {
        let node = |key: &str, name: &str| {
            Node::new(key.to_owned(), Shape::Pill, vec![Row::name(name.to_owned())], name.to_owned())
        };
        let ends = ("a".to_owned(), "b".to_owned());
        let edge =
            Edge::new("e".to_owned(), ends.0, ends.1).labelled("x := 1".to_owned(), "x := 1".to_owned());
        let drawing = Drawing {
            nodes: vec![node("a", "Start"), node("b", "stop")],
            edges: vec![edge],
            ..Drawing::default()
        };
        let keys = |query: &str| matches(&drawing, query).iter().map(|(key, _)| *key).collect::<Vec<_>>();
        assert_eq!(keys("ST"), ["a", "b"]);
        assert_eq!(keys("op"), ["b"]);
        assert_eq!(keys(":= 1"), ["e"]);
        assert!(keys("").is_empty() && keys("zz").is_empty() && keys("a very long query").is_empty());
    }
}
