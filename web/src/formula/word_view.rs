//! A word letter by letter: the values of the atoms and of every subformula, and the state of the automaton.

use std::rc::Rc;

use veristep_core::text::count;
use yew::prelude::*;

use crate::formula::Msg;
use crate::formula::protocol::{LONGEST, Letters, Shown};
use crate::ui::icon::icon;

/// The automaton that reads the word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// That of the formula.
    Formula,
    /// That of its negation.
    Negation,
    /// One that was drawn.
    Drawn,
}

/// What is said of the word: whether it satisfies the formula, if there is one, and whether the automaton accepts it.
/// It is good if the word satisfies the formula, and for a drawn automaton if both agree.
fn verdict(shown: &Shown, about: About) -> (bool, String) {
    let satisfies = if shown.satisfied { "satisfies the formula" } else { "violates the formula" };
    let accepts = if shown.accepted { "accepts" } else { "rejects" };
    match about {
        About::Formula => (shown.satisfied, format!("The word {satisfies}; the automaton {accepts} it.")),
        About::Negation => {
            (shown.satisfied, format!("The word {satisfies}; the automaton of the negation {accepts} it."))
        }
        About::Drawn if shown.rows.is_empty() => {
            (shown.accepted, format!("The automaton {accepts} the word."))
        }
        About::Drawn => {
            let and = if shown.accepted == shown.satisfied { "and" } else { "but" };
            let agrees = shown.accepted == shown.satisfied;
            (agrees, format!("The automaton {accepts} the word, {and} the word {satisfies}."))
        }
    }
}

/// The word with its buttons.
pub(super) fn word_view(shown: &Rc<Shown>, time: usize, about: About, act: &Callback<Msg>) -> Html {
    let word = &shown.word;
    let now = word.position(time);
    let go = |to: usize, sign: &'static str, label: &'static str, name: &'static str| {
        let onclick = act.reform(move |_: MouseEvent| Msg::Time(to));
        html! { <button class="btn icon-only" aria-label={label} title={label} {onclick} data-testid={name}>{ icon(sign) }</button> }
    };
    let example = |i: usize, label: &'static str| {
        let word = shown.examples[i].clone();
        let disabled = word.is_none();
        let onclick = act.reform(move |_: MouseEvent| Msg::Word(word.clone().unwrap_or_default()));
        html! { <button class="btn small" {disabled} {onclick} data-testid={format!("example-{i}")}>{ label }</button> }
    };
    let (good, said) = verdict(shown, about);
    let labels = match about {
        About::Drawn => ("an accepted word", "a rejected word"),
        _ => ("a word that satisfies it", "a word that violates it"),
    };
    html! {
        <div class="word-half">
            <div class="row word-tools">
                { go(0, "start", "To the start", "word-start") }{ go(time.saturating_sub(1), "back", "One letter back (←)", "word-back") }
                { go(time + 1, "forward", "Read a letter (→)", "word-forward") }
                <span class="muted">{ format!("{} read; {}", count(time, "letter"), whereabouts(shown)) }</span>
                <span class="grow"></span>
                <span class="row">{ example(0, labels.0) }{ example(1, labels.1) }</span>
            </div>
            <p class={classes!("chip", if good { "holds" } else { "violated" })} role="status" data-testid="word-verdict">
                { icon(if good { "check" } else { "cross" }) }<span>{ said }</span></p>
            <div class="scroll">
                <table class="word" data-testid="word">
                    <thead><tr><th class="what">{ "position" }</th>
                        { for (0..word.len()).map(|i| head(word, i, now, act)) }
                        <th class="grow-cell">{ lengths(word, act) }</th></tr></thead>
                    <tbody>
                        { for shown.atoms.iter().enumerate().map(|(p, atom)| atom_row(word, p, atom, now, act)) }
                        { for shown.rows.iter().map(|row| formula_row(row, word, now)) }
                    </tbody>
                </table>
                <p class="muted">{ "Click a letter to change it. The shaded columns are the cycle, which is repeated infinitely often." }
                    if !shown.rows.is_empty() {
                        { " Below the letters: the value of every subformula at each position, ✓ for true. The word satisfies the formula if it is true at position 0." }
                    }</p>
            </div>
        </div>
    }
}

fn whereabouts(shown: &Shown) -> String {
    if shown.active.is_empty() {
        return "the automaton has no run on this prefix".to_owned();
    }
    let names: Vec<&str> = shown.active.iter().map(|(q, _)| q.as_str()).collect();
    let alive = shown.active.iter().any(|(_, alive)| *alive);
    let hope = if alive { "" } else { ", from where the rest is rejected" };
    format!("runs are in {}{hope}", names.join(", "))
}

fn column(word: &Letters, at: usize, now: usize) -> Classes {
    classes!(
        (at >= word.stem.len()).then_some("cycle"),
        (at == word.stem.len()).then_some("first"),
        (at == now).then_some("now")
    )
}

fn head(word: &Letters, at: usize, now: usize, act: &Callback<Msg>) -> Html {
    let onclick = act.reform(move |_: MouseEvent| Msg::Time(at));
    html! { <th class={column(word, at, now)}><button class="link-btn" {onclick} title="Read up to here">{ at }</button></th> }
}

fn atom_row(word: &Letters, p: usize, atom: &str, now: usize, act: &Callback<Msg>) -> Html {
    let cell = |at: usize| {
        let mut letters = word.clone();
        let value = letters.letter_mut(at).and_then(|l| l.get_mut(p));
        let is = value.as_ref().is_some_and(|v| **v);
        if let Some(value) = value {
            *value = !*value;
        }
        let onclick = act.reform(move |_: MouseEvent| Msg::Word(letters.clone()));
        let label = format!("{atom} at {at}: {}", u8::from(is));
        html! { <td class={column(word, at, now)}><button class={classes!("bit", is.then_some("on"))} aria-label={label} aria-pressed={is.to_string()} {onclick}>{ if is { "1" } else { "0" } }</button></td> }
    };
    html! { <tr class="atom"><th class="what mono">{ atom }</th>{ for (0..word.len()).map(cell) }<td></td></tr> }
}

fn formula_row((text, depth, values): &(String, u32, Vec<bool>), word: &Letters, now: usize) -> Html {
    let cell = |(at, is): (usize, &bool)| {
        html! { <td class={column(word, at, now)}><span class={classes!("truth", if *is { "yes" } else { "no" })}>{ if *is { "✓" } else { "·" } }</span></td> }
    };
    html! {
        <tr class={classes!((*depth == 0).then_some("whole"))}><th class="what mono" title={text.clone()} style={format!("padding-left:{}px", 10 + 10 * depth)}>{ text }</th>
            { for values.iter().enumerate().map(cell) }<td></td></tr>
    }
}

/// Buttons that make stem and cycle longer and shorter.
fn lengths(word: &Letters, act: &Callback<Msg>) -> Html {
    let button = |sign: &'static str, label: &'static str, change: fn(&mut Letters), enabled: bool| {
        let mut letters = word.clone();
        change(&mut letters);
        let onclick = act.reform(move |_: MouseEvent| Msg::Word(letters.clone()));
        html! { <button class="btn small icon-only" aria-label={label} title={label} disabled={!enabled} {onclick}>{ icon(sign) }</button> }
    };
    let (stem, cycle) = (word.stem.len(), word.cycle.len());
    html! {
        <span class="lengths">
            <span class="muted">{ "stem" }</span>
            { button("minus", "A shorter stem", |w| { w.stem.pop(); }, stem > 0) }
            { button("plus", "A longer stem", |w| { let l = w.stem.last().or(w.cycle.first()).cloned(); w.stem.extend(l); }, stem < LONGEST) }
            <span class="muted">{ "cycle" }</span>
            { button("minus", "A shorter cycle", |w| { w.cycle.pop(); }, cycle > 1) }
            { button("plus", "A longer cycle", |w| { let l = w.cycle.last().cloned(); w.cycle.extend(l); }, cycle < LONGEST) }
        </span>
    }
}
