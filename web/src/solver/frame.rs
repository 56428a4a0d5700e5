//! The frame of a check: the bar at the top, the queries of a linked step, the tabs.

use std::rc::Rc;

use yew::prelude::*;

use crate::solver::scripts::{SCRIPTS, Script};
use crate::solver::{
    Linked, Msg, Solver, Tab, Work, interpolant_view, proof_view, script_panel, search_view,
};
use crate::ui::icon::icon;

/// The queries of the verifier at a step.
pub(super) fn asked(linked: &Rc<Linked>, act: &Callback<Msg>) -> Html {
    let Linked { questions, shown, step, back } = &**linked;
    let button = |(i, (what, _)): (usize, &(String, String))| {
        let act = act.clone();
        let onclick = Callback::from(move |_: MouseEvent| act.emit(Msg::Question(i)));
        html! { <button class="btn small" aria-pressed={(i == *shown).to_string()} title={what.clone()} {onclick}>{ (i + 1).to_string() }</button> }
    };
    let what = questions.get(*shown).map(|(what, _)| what.clone()).unwrap_or_default();
    html! {
        <div class="asked" data-testid="asked">
            <a class="btn small" href={format!("./{back}")}>{ icon("back") }{ format!("Step {step} of the run") }</a>
            <strong>{ what }</strong>
            if questions.len() > 1 {
                <span class="grow"></span>
                <span class="muted">{ "Queries of this step" }</span>
                { for questions.iter().enumerate().map(button) }
            }
        </div>
    }
}

impl Solver {
    /// The answer to a check.
    fn answer(&self, check: u32) -> &str {
        self.said.iter().find(|said| said.check == Some(check)).map_or("", |said| &said.text)
    }

    pub(super) fn top(&self, act: &Callback<Msg>) -> Html {
        let ask = |message: fn() -> Msg| {
            let act = act.clone();
            Callback::from(move |_: MouseEvent| act.emit(message()))
        };
        let choose = {
            let act = act.clone();
            Callback::from(move |event: Event| {
                let select = event.target_dyn_into::<web_sys::HtmlSelectElement>();
                if let Some(which) = select.and_then(|s| s.value().parse().ok()) {
                    act.emit(Msg::Load(which));
                }
            })
        };
        let current = SCRIPTS.iter().position(|s| s.text == &*self.text);
        let option = |(i, script): (usize, &Script)| {
            html! { <option value={i.to_string()} selected={current == Some(i)}>{ script.title }</option> }
        };
        let (sign, label) = self.theme.sign();
        html! {
            <header class="top">
                <a class="brand" href="./" title="To the verifier"><img src="icons/icon.svg" alt="" width="26" height="26" /><span>{ "Veristep" }</span></a>
                <h1 class="title">{ "Solver" }</h1>
                <select class="field scripts" aria-label="Scripts" onchange={choose} data-testid="scripts">
                    if current.is_none() { <option value="" selected=true>{ "Your script" }</option> }
                    { for SCRIPTS.iter().enumerate().map(option) }
                </select>
                <div class="runs">
                    if self.work != Work::Idle {
                        <button class="btn keep" onclick={ask(|| Msg::Stop)} data-testid="stop">{ icon("stop") }{ "Stop" }</button>
                    } else {
                        <button class="btn primary" onclick={ask(|| Msg::Run)} disabled={self.lost.is_some()} title="Ctrl Enter" data-testid="run">{ icon("play") }{ "Run" }</button>
                    }
                </div>
                <span class="grow"></span>
                <button class="btn" onclick={ask(|| Msg::Share)} title="Copies a link that contains the script" data-testid="share">
                    { icon(if self.copied { "check" } else { "share" }) }<span class="words">{ if self.copied { "Copied" } else { "Share" } }</span></button>
                <button class="btn quiet icon-only" aria-label={label} title={label} onclick={ask(|| Msg::Theme)}>{ icon(sign) }</button>
            </header>
        }
    }

    pub(super) fn zoom(&self, act: &Callback<Msg>) -> Html {
        let Some(inside) = &self.inside else { return self.waiting() };
        let tab = |tab: Tab| {
            let title = tab.title();
            let act = act.clone();
            let onclick = Callback::from(move |_: MouseEvent| act.emit(Msg::Show(tab)));
            let selected = self.tab == tab;
            html! { <button class="tab" role="tab" aria-selected={selected.to_string()} {onclick} data-testid={format!("tab-{}", title.to_ascii_lowercase())}>{ title }</button> }
        };
        let opened = &inside.opened;
        html! {
            <>
                <header>
                    <h2>{ format!("Check {}", opened.check + 1) }</h2>
                    { script_panel::verdict(self.answer(opened.check)) }
                    <span class="grow"></span>
                    <div class="tabs" role="tablist" aria-label="Views of the check">{ for Tab::ALL.into_iter().map(tab) }</div>
                </header>
                <div class="scroll" role="tabpanel" tabindex="0" aria-label="View">
                    { match self.tab {
                        Tab::Search => search_view::search(&search_view::Props {
                            opened: opened.clone(), answer: self.answer(opened.check).to_owned(), frame: inside.frame.clone(), step: inside.step, act: act.clone() }),
                        Tab::Proof => proof_view::proof(&proof_view::Props {
                            opened: opened.clone(), proof: inside.proof.clone(), picked: inside.picked, act: act.clone() }),
                        Tab::Interpolants => interpolant_view::interpolant(&interpolant_view::Props {
                            opened: opened.clone(), proof: inside.proof.clone(), cut: inside.cut, method: inside.method, found: inside.found.clone(),
                            leaf: inside.leaf, act: act.clone() }),
                    } }
                </div>
            </>
        }
    }

    fn waiting(&self) -> Html {
        let checks = self.said.iter().any(|s| s.check.is_some());
        let text = match self.work {
            Work::Running => "The solver is running…",
            Work::Repeating => "The run is repeated up to the step, to record its queries…",
            Work::Idle if self.stopped => "The solver was stopped.",
            Work::Idle if checks => "Open an answer on the left.",
            Work::Idle => {
                "Write a script with a (check-sat), and press Run: its search, its proof and its interpolants appear here."
            }
            _ => "The check is repeated and recorded…",
        };
        html! { <div class="empty"><p>{ text }</p></div> }
    }
}
