//! The left panel: the formula, what is known of it and of the automaton, comparisons, and texts for other tools.

use veristep_core::buchi::patterns;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::browser;
use crate::formula::protocol::{Compared, Trouble};
use crate::formula::{EXAMPLES, FormulaPage, Msg};
use crate::state::Undo;
use crate::ui::icon::icon;

impl FormulaPage {
    /// The formula, its properties, and a second one to compare it with; or a drawn automaton, to be compared with it.
    pub(super) fn question(&self, act: &Callback<Msg>) -> Html {
        let example = |(title, text): &(&'static str, &'static str)| {
            let text = (*text).to_owned();
            let title_text = text.clone();
            let onclick = act.reform(move |_: MouseEvent| Msg::Formula(text.clone()));
            html! { <button class="btn small" {onclick} title={title_text}>{ *title }</button> }
        };
        let compared =
            self.shown.as_ref().filter(|_| self.trouble.is_none()).and_then(|s| s.compared.as_ref());
        let wrong = compared.and_then(|compared| compared.as_ref().err());
        let comparison = compared
            .and_then(|compared| compared.as_ref().ok())
            .map(|c| how_compared(c, act))
            .unwrap_or_default();
        let formula = if self.draws { wrong } else { self.trouble.as_ref() };
        let label = if self.draws { "Formula to compare with" } else { "Formula" };
        html! {
            <div class="asks">
                { field((label, "formula"), &self.ask.formula, formula, act.reform(Msg::Formula)) }
                <div class="row examples" aria-label="Examples">{ for EXAMPLES.iter().map(example) }{ choose_pattern(act) }</div>
                <p class="muted">{ "G always, F eventually, X next, U until, R release, W weak until, M strong release; " }<code>{ "! & | -> <->" }</code>{ "; an atom is a name, a comparison, or any text in quotation marks." }</p>
                if self.draws {
                    { comparison }
                    { self.facts() }
                    { self.drawn_text(act) }
                } else {
                    { self.facts() }
                    { field(("Compare with", "other"), &self.ask.other, wrong, act.reform(Msg::Other)) }
                    { comparison }
                }
                { self.texts(act) }
            </div>
        }
    }

    fn facts(&self) -> Html {
        let Some(shown) = self.shown.as_ref().filter(|shown| !shown.facts.is_empty()) else {
            return Html::default();
        };
        html! {
            <table class={classes!("data", "facts", self.trouble.is_some().then_some("stale"))} data-testid="facts"><tbody>
                { for shown.facts.iter().map(|(what, how)| html! { <tr><th>{ what }</th><td>{ how }</td></tr> }) }
            </tbody></table>
        }
    }

    /// The text of the drawn automaton.
    fn drawn_text(&self, act: &Callback<Msg>) -> Html {
        let trouble = self.drawn.trouble().map(|trouble| complaint(trouble, &self.drawn.text));
        html! {
            <section class="big" aria-label="Text of the automaton">
                <div class="row"><span title="The Hanoi omega-automata format, which other tools read">{ "Text (HOA)" }</span><span class="grow"></span>
                    <button class="btn small" onclick={act.reform(|_: MouseEvent| Msg::Undo(Undo::Back))} title="Undo (Ctrl Z)" data-testid="undo">{ "Undo" }</button>
                    <button class="btn small" onclick={act.reform(|_: MouseEvent| Msg::Undo(Undo::Again))} title="Redo (Ctrl Y)">{ "Redo" }</button>
                    <button class="btn small" disabled={self.drawn.is_empty()} onclick={act.reform(|_: MouseEvent| Msg::New)} title="Begin with an empty automaton (this can be undone)" data-testid="new">{ "New" }</button></div>
                <p class="muted">{ "In the drawing, a double click makes a state or edits what is there, and a line from the handle of a state makes a transition. On a state, F2 edits, C connects, Ctrl and an arrow appends, Delete removes. In the text, Escape and then Tab leads on." }</p>
                { self.drawn.text_view(act) }
                { trouble.unwrap_or_default() }
            </section>
        }
    }

    fn texts(&self, act: &Callback<Msg>) -> Html {
        let Some(shown) = self.shown.as_ref().filter(|shown| !shown.texts.is_empty()) else {
            return Html::default();
        };
        let button = |(i, (name, _)): (usize, &(String, String))| {
            let next = (self.format != Some(i)).then_some(i);
            let onclick = act.reform(move |_: MouseEvent| Msg::Format(next));
            html! { <button class="btn small" aria-pressed={(self.format == Some(i)).to_string()} {onclick}>{ name }</button> }
        };
        let text = self.format.and_then(|i| shown.texts.get(i)).map(|(_, text)| text.clone());
        html! {
            <>
                <div class="row">{ "The automaton as " }{ for shown.texts.iter().enumerate().map(button) }</div>
                if let Some(text) = text {
                    <pre class="export" tabindex="0" data-testid="export">{ &text }</pre>
                    <button class="btn small" onclick={act.reform(move |_: MouseEvent| Msg::Copy(text.clone()))}>{ icon("copy") }{ "Copy" }</button>
                }
            </>
        }
    }
}

/// A field for a formula, and the error in it.
fn field(
    (label, name): (&'static str, &'static str),
    value: &str,
    trouble: Option<&Trouble>,
    changed: Callback<String>,
) -> Html {
    let oninput = changed.reform(|event: InputEvent| browser::value_of(&event));
    let invalid = trouble.is_some().to_string();
    let placeholder = if name == "other" { "another formula" } else { "no formula" };
    html! {
        <>
            <label class="big">{ label }
                <input class="field mono" spellcheck="false" autocomplete="off" {placeholder} value={value.to_owned()} {oninput} aria-invalid={invalid} data-testid={name} /></label>
            { trouble.map(|t| complaint(t, value)).unwrap_or_default() }
        </>
    }
}

/// A choice of a pattern, whose formula is written into the field.
fn choose_pattern(act: &Callback<Msg>) -> Html {
    let act = act.clone();
    let onchange = Callback::from(move |event: Event| {
        let chosen = event.target_dyn_into::<HtmlSelectElement>();
        let number = chosen.as_ref().and_then(|chosen| chosen.value().parse().ok());
        if let Some(pattern) = number.and_then(|number| patterns::all().nth(number)) {
            act.emit(Msg::Formula(pattern.formula.to_owned()));
        }
        chosen.iter().for_each(|chosen| chosen.set_value(""));
    });
    let all: Vec<_> = patterns::all().enumerate().collect();
    let kind = |patterns: &[(usize, patterns::Pattern)]| {
        let one = |(number, pattern): &(usize, patterns::Pattern)| html! { <option value={number.to_string()}>{ format!("{}, {}", pattern.kind, pattern.scope) }</option> };
        html! { <optgroup label={patterns[0].1.kind}>{ for patterns.iter().map(one) }</optgroup> }
    };
    html! {
        <select class="field small" aria-label="A pattern of Dwyer, Avrunin and Corbett" title="The patterns of Dwyer, Avrunin and Corbett, &quot;Property Specification Patterns for Finite-State Verification&quot; (1998)" {onchange} data-testid="pattern">
            <option value="" selected=true>{ "a pattern…" }</option>
            { for all.chunk_by(|a, b| a.1.kind == b.1.kind).map(kind) }
        </select>
    }
}

/// The inclusions, and a word that only one has.
fn how_compared(compared: &Compared, act: &Callback<Msg>) -> Html {
    let load = compared.word.clone().map(|word| {
        let onclick = act.reform(move |_: MouseEvent| Msg::Word(word.clone()));
        html! { <button class="btn small" {onclick} data-testid="tell-apart">{ "Show such a word" }</button> }
    });
    let (tone, sign) = match (compared.same, &compared.word) {
        (true, _) => ("holds", "check"),
        (false, Some(_)) => ("violated", "cross"),
        (false, None) => ("unknown", "unknown"),
    };
    html! {
        <p class={classes!("chip", tone)} role="status" data-testid="compared">
            { icon(sign) }<span>{ &compared.text }</span>{ load.unwrap_or_default() }</p>
    }
}

/// An error, below its position.
fn complaint(trouble: &Trouble, text: &str) -> Html {
    let at = (trouble.from as usize).min(text.len());
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let (line, column) = (before.matches('\n').count() + 1, before[start..].chars().count() + 1);
    let place = match trouble.to {
        0 => String::new(),
        _ if text.contains('\n') => format!("line {line}, column {column}: "),
        _ => format!("column {column}: "),
    };
    html! {
        <p class="complaint" role="alert" data-testid="complaint">
            { icon("warning") }<span><strong>{ place }</strong>{ &trouble.message }</span></p>
    }
}
