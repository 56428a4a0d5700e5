//! The token game: a net is played in its drawing. A click on an enabled transition fires it.

use std::rc::Rc;
use std::sync::Arc;

use veristep_core::draw;
use veristep_core::scene::{Drawing, Text, Thing};
use veristep_core::system::EdgeId;
use veristep_core::text::count;
use yew::prelude::*;

use crate::protocol::ModelInfo;
use crate::state::Action;
use crate::ui::Act;
use crate::ui::icon::icon;

/// A game: what was fired, and how much of it leads to the marking that is shown.
#[derive(Clone, PartialEq, Default)]
struct Game {
    on: bool,
    fired: Vec<EdgeId>,
    at: usize,
}

/// A move of the player.
enum Move {
    /// Begins or ends the game.
    Toggle,
    /// Fires a transition; what was taken back before is forgotten.
    Fire(EdgeId),
    /// Goes to the marking after this number of firings.
    To(usize),
    /// The net has changed.
    Restart,
}

impl Reducible for Game {
    type Action = Move;

    fn reduce(self: Rc<Self>, action: Move) -> Rc<Self> {
        moved(&self, action).into()
    }
}

/// The game after a move.
#[inline(never)]
fn moved(game: &Game, action: Move) -> Game {
    let mut game = game.clone();
    match action {
        Move::Toggle => game = Game { on: !game.on, ..Game::default() },
        Move::Fire(transition) => {
            game.fired.truncate(game.at);
            game.fired.push(transition);
            game.at += 1;
        }
        Move::To(at) => game.at = at.min(game.fired.len()),
        Move::Restart => (game.fired, game.at) = (Vec::new(), 0),
    }
    game
}

/// The game of a drawing of a net.
pub(super) struct Play {
    game: UseReducerHandle<Game>,
    /// The net with the marking of the game.
    drawing: Rc<Option<Arc<Drawing>>>,
}

/// The game of a model that is a net.
#[hook]
pub(super) fn use_play(model: &Option<Rc<ModelInfo>>, drawing: Option<&Arc<Drawing>>) -> Play {
    let game = use_reducer(Game::default);
    let before = game.clone();
    use_effect_with(model.clone(), move |_| {
        if !before.fired.is_empty() {
            before.dispatch(Move::Restart);
        }
    });
    let drawing = use_memo((drawing.cloned(), (*game).clone()), |(drawing, game)| {
        drawing.as_ref().filter(|_| game.on).and_then(|drawing| played(drawing, game))
    });
    Play { game, drawing }
}

/// The net with the marking of a game.
#[inline(never)]
fn played(drawing: &Drawing, game: &Game) -> Option<Arc<Drawing>> {
    draw::is_net(drawing).then(|| Arc::new(draw::played(drawing, &game.fired[..game.at])))
}

impl Play {
    /// The drawing with the marking of the game, while the net is played.
    pub(super) fn drawing(&self) -> Option<&Arc<Drawing>> {
        self.drawing.as_ref().as_ref()
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
        let (act, game, enabled) = (act.clone(), self.game.dispatcher(), self.enabled());
        Callback::from(move |action| match action {
            Action::Pick(Some(Thing::Edge(t))) if enabled.contains(&t) => game.dispatch(Move::Fire(t)),
            action => act.emit(action),
        })
    }

    /// What the heading adds: the number of firings, and whether the marking is dead.
    pub(super) fn caption(&self) -> Text {
        if self.drawing().is_none() { Text::default() } else { self.firings() }
    }

    #[inline(never)]
    fn firings(&self) -> Text {
        let firings = count(self.game.at, "firing");
        let end = if self.enabled().is_empty() { ": nothing is enabled" } else { "" };
        Text::plain(&format!("{firings}{end}"))
    }

    /// What has just happened, for a screen reader.
    pub(super) fn news(&self, model: &Option<Rc<ModelInfo>>) -> String {
        match (model, self.drawing()) {
            (Some(model), Some(_)) => self.last(model),
            _ => String::new(),
        }
    }

    #[inline(never)]
    fn last(&self, model: &ModelInfo) -> String {
        let name = |t: &EdgeId| model.edges.get(t.index()).map_or("", |edge| edge.text.as_str());
        let fired = self.game.at.checked_sub(1).and_then(|last| self.game.fired.get(last));
        let fired = fired.map_or_else(|| "initial marking".to_owned(), |t| format!("{} fired", name(t)));
        format!("{fired}; {} enabled", count(self.enabled().len(), "transition"))
    }

    /// The buttons of the game, for a net.
    pub(super) fn tools(&self, drawing: &Drawing) -> Html {
        if draw::is_net(drawing) { self.buttons() } else { Html::default() }
    }

    #[inline(never)]
    fn buttons(&self) -> Html {
        let to = |action: fn(usize) -> Move| {
            let (game, at) = (self.game.dispatcher(), self.game.at);
            Callback::from(move |_: MouseEvent| game.dispatch(action(at)))
        };
        let toggle = to(|_| Move::Toggle);
        let button = |name: &'static str,
                      words: &'static str,
                      disabled: bool,
                      onclick: Callback<MouseEvent>,
                      test: &'static str| {
            html! { <button class="btn" aria-label={words} title={words} {disabled} {onclick} data-testid={test}>{ icon(name) }</button> }
        };
        let Game { on, fired, at } = &*self.game;
        let enabled = self.enabled();
        let any = {
            let (game, enabled) = (self.game.dispatcher(), enabled.clone());
            Callback::from(move |_: MouseEvent| {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "below the length"
                )]
                let chosen = (js_sys::Math::random() * enabled.len() as f64) as usize;
                if let Some(t) = enabled.get(chosen) {
                    game.dispatch(Move::Fire(*t));
                }
            })
        };
        html! {
            <>
                <button class="btn" aria-pressed={on.to_string()} aria-label="Play the net" title="Play the net: a click on an enabled transition fires it" onclick={toggle} data-testid="play-net">{ icon("play") }</button>
                if *on {
                    { button("start", "To the initial marking", *at == 0, to(|_| Move::To(0)), "play-start") }
                    { button("back", "Take a firing back", *at == 0, to(|at| Move::To(at.saturating_sub(1))), "play-back") }
                    { button("forward", "Fire again what was taken back", *at == fired.len(), to(|at| Move::To(at + 1)), "play-again") }
                    { button("question", "Fire any enabled transition", enabled.is_empty(), any, "play-any") }
                }
            </>
        }
    }
}
