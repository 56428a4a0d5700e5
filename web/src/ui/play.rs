//! The token game: a net is played in its drawing. A click on an enabled transition fires it; what was fired is kept as
//! a tree, so that other choices can be tried and compared. In a time net, a clock is moved as far as time may pass.

use std::rc::Rc;
use std::sync::Arc;

use gloo_timers::callback::Timeout;
use veristep_core::draw::clock::{Clock, Delays, Move, Position, waited};
use veristep_core::draw::{self, Taken};
use veristep_core::scene::{Drawing, Thing};
use veristep_core::system::EdgeId;
use veristep_core::text::count;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::browser;
use crate::protocol::ModelInfo;
use crate::state::{Action, Autoplay, Game, GameMove, RATES};
use crate::ui::Act;
use crate::ui::icon::icon;

/// The greatest number of moves of the history that are shown.
const SHOWN: usize = 40;
/// The greatest number of enabled transitions that have a button.
const BUTTONS: usize = 12;

/// The game of a drawing of a net.
#[derive(Clone)]
pub(super) struct Play {
    game: Rc<Game>,
    moves: Callback<GameMove>,
    /// The last move, or step of the run, was one forward.
    is_forward: bool,
    played: Rc<Option<Played>>,
}

/// A net at the position of a game.
#[derive(PartialEq)]
struct Played {
    /// The net with its marking.
    drawing: Arc<Drawing>,
    timed: Option<Timed>,
}

/// The position of a time net.
#[derive(PartialEq)]
struct Timed {
    clock: Clock,
    position: Position,
}

/// Was the last change of a position one forward?
#[hook]
fn use_forward(at: usize) -> bool {
    let last = use_mut_ref(|| (at, false));
    let mut last = last.borrow_mut();
    if at != last.0 {
        *last = (at, at > last.0);
    }
    last.1
}

/// The game in the drawing of a net, beside a run that is at some step.
#[hook]
pub(super) fn use_play(
    game: &Rc<Game>,
    act: &Act,
    placed: &Option<(Taken, Arc<Drawing>)>,
    model: &Option<Rc<ModelInfo>>,
    step: usize,
) -> Play {
    let is_forward = use_forward(if game.on { game.path().len() } else { step });
    let drawing = placed.as_ref().filter(|_| game.on).map(|(_, drawing)| drawing.clone());
    let moves = if game.on { game.moves() } else { Vec::new() };
    let delays = model.as_ref().and_then(|model| model.delays.clone());
    let played = use_memo((drawing, delays, moves, game.wait), |(drawing, delays, moves, wait)| {
        drawing.as_ref().and_then(|drawing| played(drawing, delays.as_ref(), moves, *wait))
    });
    // The move that was made last is in view in the history.
    use_effect_with((game.on, game.at), |_| {
        let current = browser::document().query_selector(".play-history [aria-current]");
        current.ok().flatten().iter().for_each(browser::bring_into_view);
    });
    let moves = act.reform(Action::Game);
    let play = Play { game: game.clone(), moves, is_forward, played };
    let next = play.clone();
    use_effect_with((game.on, game.autoplay, game.rate, game.at, play.played.clone()), move |_| {
        let timer = next.drawing().filter(|_| next.game.autoplay != Autoplay::Off).map(|_| {
            let next = next.clone();
            Timeout::new(1_000 / next.game.rate.max(1), move || next.go_on(next.game.autoplay))
        });
        move || drop(timer)
    });
    play
}

/// The net at the position of a game.
#[inline(never)]
fn played(drawing: &Drawing, delays: Option<&Delays>, moves: &[Move], wait: u32) -> Option<Played> {
    if !draw::is_net(drawing) {
        return None;
    }
    let timed = delays.and_then(|delays| Clock::of(drawing, delays)).map(|clock| {
        let position = clock.position(drawing, moves, wait);
        Timed { clock, position }
    });
    let drawing = match &timed {
        Some(timed) => timed.position.drawing.clone(),
        None => {
            let fired: Vec<EdgeId> = moves.iter().flat_map(|step| step.fired.iter().copied()).collect();
            Arc::new(draw::played(drawing, &fired))
        }
    };
    Some(Played { drawing, timed })
}

/// A random number below another one.
fn random(below: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number")]
    let chosen = (js_sys::Math::random() * below as f64) as usize;
    chosen
}

/// Any enabled transition.
fn any(drawing: &Drawing) -> Vec<EdgeId> {
    let enabled = draw::enabled(drawing);
    enabled.get(random(enabled.len())).copied().into_iter().collect()
}

/// Any maximal step.
fn maximal(drawing: &Drawing) -> Vec<EdgeId> {
    draw::maximal_step(drawing, random(draw::enabled(drawing).len().max(1)))
}

impl Play {
    /// The names of transitions that are fired together.
    fn names(&self, fired: &[EdgeId]) -> String {
        let name = |t: &EdgeId| self.drawing().and_then(|d| draw::transition_name(d, *t)).unwrap_or("?");
        fired.iter().map(name).collect::<Vec<_>>().join(" + ")
    }

    /// The drawing with the marking of the game, while the net is played.
    pub(super) fn drawing(&self) -> Option<&Arc<Drawing>> {
        self.played.as_ref().as_ref().map(|played| &played.drawing)
    }

    /// The position of a time net.
    fn timed(&self) -> Option<&Timed> {
        self.played.as_ref().as_ref()?.timed.as_ref()
    }

    /// A move at random.
    #[inline(never)]
    fn go_on(&self, which: Autoplay) {
        let Some(drawing) = self.drawing() else { return };
        let fired = match (self.timed(), which) {
            (Some(timed), _) => {
                let [chosen, late] = [js_sys::Math::random(), js_sys::Math::random()];
                let next = timed.clock.random(&self.game.moves(), self.game.wait, chosen, late);
                next.iter().for_each(|(wait, _)| self.moves.emit(GameMove::Wait(*wait)));
                next.into_iter().map(|(_, t)| t).collect()
            }
            (None, Autoplay::Maximal) => maximal(drawing),
            (None, _) => any(drawing),
        };
        self.moves.emit(GameMove::Fire(fired));
    }

    /// Can no transition fire any more?
    fn is_dead(&self) -> bool {
        self.timed().map_or_else(|| self.enabled().is_empty(), |timed| timed.position.next.is_empty())
    }

    /// The transitions that are enabled.
    fn enabled(&self) -> Vec<EdgeId> {
        self.drawing().map(|drawing| draw::enabled(drawing)).unwrap_or_default()
    }

    /// The callback for actions, in which a click on an enabled transition fires it.
    pub(super) fn act(&self, act: &Act) -> Act {
        if self.drawing().is_none() { act.clone() } else { self.playing(act) }
    }

    #[inline(never)]
    fn playing(&self, act: &Act) -> Act {
        let (act, game, enabled) = (act.clone(), self.moves.clone(), self.enabled());
        Callback::from(move |action| match action {
            Action::Pick(Some(Thing::Edge(t))) if enabled.contains(&t) => game.emit(GameMove::Fire(vec![t])),
            Action::Pick(Some(Thing::Edge(t))) => game.emit(GameMove::Refuse(t)),
            // A place is selected after the game.
            Action::Pick(Some(Thing::Variable(_))) => {}
            action => act.emit(action),
        })
    }

    /// The class of a drawing in which tokens move along the arcs of the transition that was fired.
    pub(super) fn direction(&self) -> Option<&'static str> {
        self.is_forward.then_some("forward")
    }

    /// The heading; none in a game, which has many buttons in its place.
    pub(super) fn heading<'a>(&self, title: &'a str) -> &'a str {
        if self.drawing().is_some() { "" } else { title }
    }

    /// The number of firings, and whether the marking is dead; or why a transition cannot be fired.
    fn status(&self) -> String {
        let why = |(t, drawing): (EdgeId, &Arc<Drawing>)| match self.timed() {
            Some(Timed { clock, position }) => clock.why_not(drawing, &self.game.moves(), position.wait.0, t),
            None => draw::why_disabled(drawing, t),
        };
        if let Some(why) = self.game.refused.zip(self.drawing()).and_then(why) {
            return why;
        }
        let firings = count(self.game.fired().len(), "firing");
        match self.timed() {
            Some(Timed { position, .. }) if position.next.is_empty() => {
                format!("{firings}: no transition can fire any more; {}", position.longest)
            }
            Some(Timed { position, .. }) => format!("{firings}; {}", position.longest),
            None if self.enabled().is_empty() => format!("{firings}: the marking is dead"),
            None => firings,
        }
    }

    /// In a game, undoing and redoing are about its moves, and not about the text.
    pub(super) fn on_key(&self) -> Option<Callback<KeyboardEvent>> {
        if self.drawing().is_none() { None } else { Some(self.keys()) }
    }

    #[inline(never)]
    fn keys(&self) -> Callback<KeyboardEvent> {
        let (game, moves) = (&*self.game, self.moves.clone());
        let (back, again) = (Some(game.positions[game.at].before), game.positions[game.at].latest);
        Callback::from(move |event: KeyboardEvent| {
            let to = match (event.key().as_str(), event.ctrl_key() || event.meta_key()) {
                ("z" | "Z", true) if !event.shift_key() => back,
                ("z" | "Z" | "y" | "Y", true) => again,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            to.into_iter().for_each(|to| moves.emit(GameMove::To(to)));
        })
    }

    /// What has just happened, for a screen reader.
    pub(super) fn news(&self) -> String {
        if self.drawing().is_none() { String::new() } else { self.last() }
    }

    #[inline(never)]
    fn last(&self) -> String {
        let fired = match &self.game.positions[self.game.at].fired[..] {
            [] => "initial marking".to_owned(),
            fired => format!("{} fired", self.names(fired)),
        };
        format!("{fired}; {} enabled", count(self.enabled().len(), "transition"))
    }

    /// The buttons of the game, for a net.
    pub(super) fn tools(&self, drawing: &Drawing) -> Html {
        if draw::is_net(drawing) { self.buttons() } else { Html::default() }
    }

    #[inline(never)]
    fn buttons(&self) -> Html {
        let game = &*self.game;
        let go = |action: Option<GameMove>,
                  (name, words, test): (&'static str, &'static str, &'static str)| {
            let disabled = action.is_none();
            let (moves, action) = (self.moves.clone(), std::cell::Cell::new(action));
            let onclick =
                Callback::from(move |_: MouseEvent| action.take().into_iter().for_each(|it| moves.emit(it)));
            html! { <button class="btn" aria-label={words} title={words} {disabled} {onclick} data-testid={test}>{ icon(name) }</button> }
        };
        let (back, again) = (game.positions[game.at].before, game.positions[game.at].latest);
        let toggle = {
            let moves = self.moves.clone();
            Callback::from(move |_: MouseEvent| moves.emit(GameMove::Toggle))
        };
        html! {
            <>
                <button class="btn" aria-pressed={game.on.to_string()} aria-label="Play the net" title="Play the net: a click on an enabled transition fires it; meanwhile the text can be edited, but not the drawing" onclick={toggle} data-testid="play-net">{ icon("play") }</button>
                if game.on {
                    { go((game.at != 0).then_some(GameMove::To(0)), ("start", "To the initial marking", "play-start")) }
                    { go((game.at != 0).then_some(GameMove::To(back)), ("back", "Undo the last move (Ctrl Z)", "play-back")) }
                    { go(again.map(GameMove::To), ("forward", "Redo the move (Ctrl Y)", "play-again")) }
                }
            </>
        }
    }

    /// The history of the game, with the controls of automatic moves; below the drawing.
    pub(super) fn history(&self) -> Html {
        if self.drawing().is_none() { Html::default() } else { self.moves() }
    }

    #[inline(never)]
    fn moves(&self) -> Html {
        let game = &*self.game;
        let mut path = game.path();
        let here = path.len() - 1;
        while let Some(next) = path.last().and_then(|at| game.positions[*at].latest) {
            path.push(next);
        }
        let first = here.saturating_sub(SHOWN);
        let last = (here + SHOWN / 2).min(path.len() - 1);
        let one = |at: &usize| self.entry(*at);
        html! {
            <div class="play-bar" data-testid="play-bar">
                { self.clock() }
                { self.enabled_buttons() }
                { self.autoplay_controls() }
                <ol class="play-history" aria-label="Firing sequence">
                    if first > 0 { <li class="muted">{ format!("{} before", count(first, "move")) }</li> }
                    { for path[first..=last].iter().map(one) }
                </ol>
            </div>
        }
    }

    /// The clock of a time net: it can be moved from the last firing to where a transition must fire.
    fn clock(&self) -> Html {
        let Some(Timed { position, .. }) = self.timed() else { return Html::default() };
        let (wait, most) = position.wait;
        let moves = self.moves.clone();
        let oninput = Callback::from(move |event: InputEvent| {
            let to = event.target_dyn_into::<HtmlInputElement>().and_then(|input| input.value().parse().ok());
            to.into_iter().for_each(|to| moves.emit(GameMove::Wait(to)));
        });
        html! {
            <label class="clock row">
                <span>{ "Time " }<output data-testid="play-time">{ &position.time }</output></span>
                <input type="range" min="0" max={most.to_string()} step="1" value={wait.to_string()} disabled={most == 0} {oninput}
                    aria-label="Time since the last firing" aria-valuetext={format!("{} since the last firing; {}", waited(wait), position.longest)} data-testid="play-clock" />
            </label>
        }
    }

    /// The transitions of a time net that can fire later.
    fn later(&self) -> Vec<(u32, EdgeId)> {
        let next = self.timed().map_or(&[][..], |timed| &timed.position.next);
        next.iter().copied().filter(|(time, _)| *time > 0).collect()
    }

    /// The status, and the enabled transitions, each as a button: in a large net they may be out of view.
    fn enabled_buttons(&self) -> Html {
        let enabled = self.enabled();
        let one = |t: &EdgeId| {
            let (moves, fired) = (self.moves.clone(), vec![*t]);
            let name = self.names(&fired);
            let onclick = Callback::from(move |_: MouseEvent| moves.emit(GameMove::Fire(fired.clone())));
            html! { <button key={t.0} class="btn small enabled" {onclick} data-testid="play-enabled">{ name }</button> }
        };
        let (later, now) = (self.later(), self.timed().map_or(0, |timed| timed.position.wait.0));
        let wait_for = |(time, t): &(u32, EdgeId)| {
            let (moves, fired, until) = (self.moves.clone(), vec![*t], now + time);
            let name = self.names(&fired);
            let onclick = Callback::from(move |_: MouseEvent| {
                moves.emit(GameMove::Wait(until));
                moves.emit(GameMove::Fire(fired.clone()));
            });
            html! { <button key={t.0} class="btn small" {onclick} data-testid="play-later">{ format!("{name} after {}", waited(*time)) }</button> }
        };
        let others = (enabled.len() + later.len()).saturating_sub(BUTTONS);
        html! {
            <div class="row" role="group" aria-label="Enabled transitions">
                <p class="play-status" data-testid="play-status">{ self.status() }</p>
                { for enabled.iter().take(BUTTONS).map(one) }
                { for later.iter().take(BUTTONS.saturating_sub(enabled.len())).map(wait_for) }
                if others > 0 { <span class="muted">{ format!("and {others} more") }</span> }
            </div>
        }
    }

    /// A position, with the other choices at its place.
    fn entry(&self, at: usize) -> Html {
        let game = &*self.game;
        let label = |at: usize| match (at, &game.positions[at]) {
            (0, _) => "start".to_owned(),
            (_, p) if p.wait > 0 => format!("{} after {}", self.names(&p.fired), waited(p.wait)),
            (_, p) => self.names(&p.fired),
        };
        let others: Vec<usize> =
            if at == 0 { vec![] } else { game.after(game.positions[at].before).collect() };
        let go = {
            let moves = self.moves.clone();
            Callback::from(move |_: MouseEvent| moves.emit(GameMove::To(at)))
        };
        let choose = {
            let moves = self.moves.clone();
            Callback::from(move |event: Event| {
                let chosen =
                    event.target_dyn_into::<HtmlSelectElement>().and_then(|it| it.value().parse().ok());
                chosen.into_iter().for_each(|at| moves.emit(GameMove::To(at)));
            })
        };
        let option = |other: &usize| html! { <option value={other.to_string()} selected={*other == at}>{ label(*other) }</option> };
        html! {
            <li key={at}>
                <button class="btn small" aria-current={(at == game.at).then_some("step")} onclick={go} data-testid="play-move">{ label(at) }</button>
                if others.len() > 1 {
                    <select class="field branch" aria-label={format!("Other choices, {} in all", others.len())} title="Other choices that were tried" onchange={choose} data-testid="play-branch">{ for others.iter().map(option) }</select>
                }
            </li>
        }
    }

    /// Random moves, one by one or automatically.
    fn autoplay_controls(&self) -> Html {
        let (game, moves) = (&*self.game, self.moves.clone());
        let (dead, is_timed) = (self.is_dead(), self.timed().is_some());
        let by = |which: Autoplay| {
            let play = self.clone();
            Callback::from(move |_: MouseEvent| play.go_on(which))
        };
        let run = |autoplay: Autoplay, label: &'static str, title: &'static str, test: &'static str| {
            let now = game.autoplay == autoplay;
            let moves = self.moves.clone();
            let onclick = Callback::from(move |_: MouseEvent| {
                moves.emit(GameMove::Autoplay(if now { Autoplay::Off } else { autoplay }));
            });
            html! { <button class="btn small" {title} aria-pressed={now.to_string()} disabled={dead && !now} {onclick} data-testid={test}>{ label }</button> }
        };
        let onchange = Callback::from(move |event: Event| {
            let rate = event.target_dyn_into::<HtmlSelectElement>().and_then(|it| it.value().parse().ok());
            rate.into_iter().for_each(|rate| moves.emit(GameMove::Rate(rate)));
        });
        let (any, one) = if is_timed {
            (
                "Let time pass at random, and fire any transition that may fire",
                "Let time pass and fire transitions, at random",
            )
        } else {
            ("Fire any enabled transition", "Fire one random transition after the other")
        };
        let rate = |rate: &u32| html! { <option value={rate.to_string()} selected={*rate == game.rate}>{ format!("{rate} / s") }</option> };
        html! {
            <div class="row">
                <button class="btn small" disabled={dead} onclick={by(Autoplay::Single)} title={any} data-testid="play-any">{ "Random" }</button>
                if !is_timed {
                    <button class="btn small" disabled={dead} onclick={by(Autoplay::Maximal)} title="Fire as many transitions together as possible" data-testid="play-step">{ "Maximal step" }</button>
                }
                { run(Autoplay::Single, "Auto random", one, "play-alone") }
                if !is_timed { { run(Autoplay::Maximal, "Auto maximal", "Fire one maximal step after the other", "play-steps") } }
                <select class="field" aria-label="Speed" {onchange} data-testid="play-rate">{ for RATES.iter().map(rate) }</select>
            </div>
        }
    }
}
