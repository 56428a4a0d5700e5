//! Names that complete what is typed in a card.

use web_sys::HtmlElement;
use yew::prelude::*;

use super::card::{Draft, Field, Subject};
use super::{Kind, Language};
use crate::protocol::ModelInfo;

/// Can names have this character?
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

/// What was typed before the last word, and the last word.
fn last_word(text: &str) -> (&str, &str) {
    text.split_at(text.trim_end_matches(is_letter).len())
}

/// Names that complete the last word of what was typed.
fn completed<'a>(draft: &Draft, model: &'a ModelInfo, language: &Language) -> Vec<&'a str> {
    let (_, word) = last_word(&draft.text);
    let begins = |name: &&str| name.len() > word.len() && name.starts_with(word) && !word.is_empty();
    let keywords: &[&str] = match draft.subject {
        _ if matches!(language.kind, Kind::Net | Kind::Chart) => return Vec::new(),
        Subject::Connect(..) | Subject::Edge(_) if language.kind == Kind::ControlFlow => &["assume", "havoc"],
        Subject::Variable => return ["int", "bool", "rat"].into_iter().filter(begins).collect(),
        Subject::Connect(..) | Subject::Edge(_) => &["true"],
        _ => return Vec::new(),
    };
    let names = model.variables.iter().map(|(name, _)| name.as_str());
    names
        .filter(|name| name.chars().all(is_letter))
        .chain(keywords.iter().copied())
        .filter(begins)
        .take(6)
        .collect()
}

/// Buttons that complete the last word.
#[inline(never)]
pub(super) fn completions(
    draft: &Draft,
    (model, language): (&ModelInfo, &Language),
    field: &NodeRef,
    typed: &Callback<(Field, String)>,
) -> Html {
    let (before, _) = last_word(&draft.text);
    let one = |name: &&str| {
        let (text, field) = (format!("{before}{name}"), field.clone());
        let onclick = typed.reform(move |_: MouseEvent| {
            field.cast::<HtmlElement>().iter().for_each(|field| drop(field.focus()));
            (Field::Text, text.clone())
        });
        html! { <button type="button" class="btn small" {onclick} data-testid="completion">{ *name }</button> }
    };
    let all = completed(draft, model, language);
    if all.is_empty() {
        return Html::default();
    }
    html! { <div class="row" role="group" aria-label="Completions">{ for all.iter().map(one) }</div> }
}

#[cfg(test)]
mod tests {
    use veristep_core::system::EdgeId;

    use super::super::text_edges::tests::model;
    use super::*;
    use crate::ui::cfa_view::LANGUAGE;

    #[test]
    fn the_last_word_is_completed() {
        let model = ModelInfo {
            variables: [("count", "int"), ("color", "int"), ("c", "int")]
                .map(|(name, ty)| (name.to_owned(), ty.to_owned()))
                .to_vec(),
            ..model()
        };
        let of = |subject, text: &str| {
            let draft = Draft { text: text.to_owned(), ..Draft::new(subject, None, (&LANGUAGE, "")) };
            completed(&draft, &model, &LANGUAGE).join(" ")
        };
        assert_eq!(of(Subject::Edge(EdgeId(0)), "x := c"), "count color");
        assert_eq!(of(Subject::Edge(EdgeId(0)), "as"), "assume");
        assert_eq!(of(Subject::Edge(EdgeId(0)), "x := count"), "");
        assert_eq!(of(Subject::Variable, "x : bo"), "bool");
        assert_eq!(of(Subject::New(None), "c"), "");
    }
}
