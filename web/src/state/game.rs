//! The token game: its positions are a tree, so that other choices can be tried and compared. In a time net, time may
//! pass before each firing.

use std::rc::Rc;

use veristep_core::draw;
use veristep_core::draw::clock::{Clock, Move};
use veristep_core::system::EdgeId;

use crate::protocol::ModelInfo;
use crate::state::{Effect, LeftTab, MiddleTab, State};

/// A position of the game.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Position {
    /// The position before it.
    pub before: usize,
    /// The time that passed since then, in parts of a unit.
    pub wait: u32,
    /// What was fired since then: one transition, or several together.
    pub fired: Vec<EdgeId>,
    /// The position after it that was visited last.
    pub latest: Option<usize>,
}

/// Which moves are made automatically.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Autoplay {
    /// None.
    #[default]
    Off,
    /// One transition after the other.
    Single,
    /// Maximal steps.
    Maximal,
}

/// A game: its positions, of which the first is the initial marking, and the one that is shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// The net is played.
    pub on: bool,
    /// The positions, the initial marking first.
    pub positions: Vec<Position>,
    /// The position that is shown.
    pub at: usize,
    /// The time that has passed since the last firing, in parts of a unit.
    pub wait: u32,
    /// The automatic moves.
    pub autoplay: Autoplay,
    /// Moves in a second.
    pub rate: u32,
    /// The transition that was to be fired and is not enabled.
    pub refused: Option<EdgeId>,
    /// The drawing has the room of the text until the game ends.
    pub widened: bool,
}

impl Default for Game {
    fn default() -> Game {
        Game {
            on: false,
            positions: vec![Position::default()],
            at: 0,
            wait: 0,
            autoplay: Autoplay::Off,
            rate: RATES[1],
            refused: None,
            widened: false,
        }
    }
}

/// The speeds of automatic moves, in moves in a second.
pub const RATES: [u32; 4] = [1, 3, 10, 30];
/// The greatest number of positions.
const POSITIONS: usize = 20_000;

impl Game {
    /// The positions from the first one to the one that is shown.
    #[must_use]
    pub fn path(&self) -> Vec<usize> {
        let before = |at: &usize| (*at != 0).then(|| self.positions[*at].before);
        let mut path: Vec<usize> = std::iter::successors(Some(self.at), before).collect();
        path.reverse();
        path
    }

    /// The moves up to the position that is shown.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let of = |at: &usize| {
            let Position { wait, fired, .. } = &self.positions[*at];
            Move { wait: *wait, fired: fired.clone() }
        };
        self.path().iter().skip(1).map(of).collect()
    }

    /// What was fired until the position that is shown.
    #[must_use]
    pub fn fired(&self) -> Vec<EdgeId> {
        self.path().iter().flat_map(|at| self.positions[*at].fired.iter().copied()).collect()
    }

    /// The positions after another one.
    pub fn after(&self, at: usize) -> impl Iterator<Item = usize> {
        (1..self.positions.len()).filter(move |next| self.positions[*next].before == at)
    }
}

/// A move of the player.
#[derive(Clone, PartialEq, Debug)]
pub enum GameMove {
    /// Begins or ends the game.
    Toggle,
    /// Fires transitions.
    Fire(Vec<EdgeId>),
    /// The time that has passed since the last firing, in parts of a unit.
    Wait(u32),
    /// Goes to this position.
    To(usize),
    /// Moves are made automatically, or not any more.
    Autoplay(Autoplay),
    /// Another speed.
    Rate(u32),
    /// A transition that is not enabled was to be fired.
    Refuse(EdgeId),
}

impl Game {
    /// The game after a move.
    #[must_use]
    #[inline(never)]
    pub fn after_move(&self, play: GameMove) -> Game {
        let mut game = Game { refused: None, ..self.clone() };
        match play {
            GameMove::Toggle => (game.on, game.autoplay) = (!game.on, Autoplay::Off),
            GameMove::Fire(fired) if fired.is_empty() || game.positions.len() >= POSITIONS => {
                game.autoplay = Autoplay::Off
            }
            GameMove::Fire(fired) => game.fire(fired),
            GameMove::Wait(wait) => game.wait = wait,
            GameMove::To(at) => {
                game.wait = 0;
                game.at = at.min(game.positions.len() - 1);
                for at in game.path() {
                    let before = game.positions[at].before;
                    if at != 0 {
                        game.positions[before].latest = Some(at);
                    }
                }
            }
            GameMove::Autoplay(autoplay) => game.autoplay = autoplay,
            GameMove::Rate(rate) => game.rate = rate.max(1),
            GameMove::Refuse(t) => game.refused = Some(t),
        }
        game
    }

    /// Fires transitions together.
    #[inline(never)]
    fn fire(&mut self, fired: Vec<EdgeId>) {
        let wait = std::mem::take(&mut self.wait);
        let is_same = |p: &Position| p.fired == fired && p.wait == wait;
        let same = self.after(self.at).find(|next| is_same(&self.positions[*next]));
        let next = same.unwrap_or(self.positions.len());
        if same.is_none() {
            self.positions.push(Position { before: self.at, wait, fired, latest: None });
        }
        self.positions[self.at].latest = Some(next);
        self.at = next;
    }

    /// The game at its beginning, because the net has changed.
    #[must_use]
    pub fn anew(&self) -> Game {
        Game { on: self.on, rate: self.rate, widened: self.widened, ..Game::default() }
    }

    /// The game up to its position, with this number of firings at most.
    fn cut(&self, firings: usize) -> Game {
        let (mut game, mut left) = (self.anew(), firings);
        for at in self.path().into_iter().skip(1) {
            let fired = &self.positions[at].fired;
            if fired.len() > left {
                break;
            }
            left -= fired.len();
            game.wait = self.positions[at].wait;
            game.fire(fired.clone());
        }
        if game.positions.len() == self.path().len() {
            game.wait = self.wait;
        }
        game
    }

    /// The moves up to the position that is shown, for a link: numbers of transitions, with points between those that
    /// are fired together, after the time that passes, if there is any, with a colon: `3 12:1.1.2 5:`.
    #[must_use]
    #[inline(never)]
    pub fn text(&self) -> String {
        let one = |Move { wait, fired }: Move| {
            let fired: Vec<String> = fired.iter().map(|t| t.0.to_string()).collect();
            let wait = if wait > 0 { format!("{wait}:") } else { String::new() };
            wait + &fired.join(".")
        };
        let last = (self.wait > 0).then(|| Move { wait: self.wait, fired: Vec::new() });
        self.moves().into_iter().chain(last).map(one).collect::<Vec<_>>().join(" ")
    }

    /// The game with the moves of a text, as far as it can be read.
    #[must_use]
    #[inline(never)]
    pub fn from_text(text: &str) -> Game {
        let mut game = Game { on: true, ..Game::default() };
        for one in text.split_whitespace().take(POSITIONS) {
            let (wait, fired) = one.split_once(':').unwrap_or(("0", one));
            let Ok(wait) = wait.parse() else { break };
            game.wait = wait;
            if fired.is_empty() {
                break;
            }
            match fired.split('.').map(|t| t.parse().map(EdgeId)).collect() {
                Ok(fired) => game.fire(fired),
                Err(_) => break,
            }
        }
        game
    }
}

/// The clock of the game of a model, if that is a time net.
fn clock_of(model: &ModelInfo) -> Option<Clock> {
    Clock::of(&model.drawing, model.delays.as_ref()?)
}

impl State {
    /// A move of the game.
    #[inline(never)]
    pub(super) fn play_net(&mut self, play: GameMove) -> Vec<Effect> {
        self.put_game(self.game.after_move(play));
        vec![Effect::SaveLink]
    }

    /// Another game, or another position of it. While a net is played, its drawing has the room of the text.
    #[inline(never)]
    pub(super) fn put_game(&mut self, mut game: Game) {
        if game.on != self.game.on {
            let was_widened = self.game.widened;
            game.widened = game.on && self.view.left == LeftTab::Both;
            self.view.left = match self.view.left {
                LeftTab::Both if game.on => LeftTab::Diagram,
                LeftTab::Diagram if was_widened => LeftTab::Both,
                same => same,
            };
        }
        self.game = Rc::new(game);
    }

    /// There is another model: a game of another net begins anew, and one that a link has is played as far as possible.
    #[inline(never)]
    pub(super) fn adapt_game(&mut self, old: Option<&ModelInfo>, new: &ModelInfo) {
        let game = match old {
            Some(old) if old.delays == new.delays && draw::is_same_net(&old.drawing, &new.drawing) => return,
            Some(_) => self.game.anew(),
            None => match clock_of(new) {
                Some(clock) => {
                    let game = self.game.cut(clock.possible(&self.game.moves()));
                    let (wait, _) = clock.position(&new.drawing, &game.moves(), game.wait).wait;
                    Game { wait, ..game }
                }
                None => self.game.cut(draw::possible(&new.drawing, &self.game.fired())),
            },
        };
        self.put_game(game);
    }

    /// The marking of the game, as text, for the reachability graph of this net, if that is shown.
    #[must_use]
    #[inline(never)]
    pub fn played(&self) -> Option<String> {
        let is_shown = self.game.on && self.view.middle == MiddleTab::Markings && self.same_model();
        let model = self.model.as_ref().filter(|_| is_shown)?;
        draw::is_net(&model.drawing).then(|| match clock_of(model) {
            Some(clock) => draw::marking(&clock.position(&model.drawing, &self.game.moves(), 0).drawing),
            None => draw::marking(&draw::played(&model.drawing, &self.game.fired())),
        })
    }

    /// Plays the net to a marking of the reachability graph that is shown: from the marking of the game, or else from
    /// the initial one. In a time net, a marking alone does not give the times of the firings.
    #[inline(never)]
    pub(super) fn play_to(&mut self, marking: u32) -> Vec<Effect> {
        let (Some(model), Some(shown)) = (self.model.clone(), self.depicted()) else { return vec![] };
        if self.reading || !self.same_model() || model.delays.is_some() {
            return vec![];
        }
        let scene = &shown.depicted.drawn.scene;
        let of = |fired: &[EdgeId]| draw::marking(&draw::played(&model.drawing, fired));
        let way =
            |from: &str| scene.drawings().find_map(|(_, drawing)| draw::firings(drawing, from, marking));
        let mut game = Game { on: true, ..(*self.game).clone() };
        let fired = way(&of(&game.fired())).or_else(|| {
            game.at = 0;
            way(&of(&[]))
        });
        if let Some(fired) = fired {
            fired.into_iter().for_each(|t| game.fire(vec![t]));
            self.put_game(Game { autoplay: Autoplay::Off, refused: None, ..game });
        }
        vec![Effect::SaveLink]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_kept_as_text() {
        let fire = |game: Game, fired: &[u32]| {
            game.after_move(GameMove::Fire(fired.iter().map(|t| EdgeId(*t)).collect()))
        };
        let mut game = fire(fire(Game::default(), &[3]), &[1, 1, 2]);
        game = fire(game.after_move(GameMove::To(1)), &[7]);
        assert_eq!(game.text(), "3 7");
        let again = Game::from_text("3 1.1.2 x 4");
        assert_eq!((again.text().as_str(), again.at, again.on), ("3 1.1.2", 2, true));
        assert_eq!(again.cut(3).text(), "3", "not a part of what is fired together");
        assert_eq!(again.cut(4).text(), "3 1.1.2");
        assert_eq!(Game::from_text("").fired(), []);
        let timed = Game::from_text("12:3 1 4:2.2 7:");
        assert_eq!((timed.text().as_str(), timed.wait), ("12:3 1 4:2.2 7:", 7));
        assert_eq!(timed.cut(1).text(), "12:3");
    }
}
