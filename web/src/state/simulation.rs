//! The simulation of a chart: the events that were sent, and the microstep that is shown.

use std::rc::Rc;

use veristep_core::chart::simulation::{Moment, Simulation};

use crate::protocol::{
    ChartAnswer, ChartAsks, ChartFacts, ChartRequest, ChartResponse, Job, ToEngine, TraceRow, pack, unpack,
};
use crate::state::{Effect, LeftTab, MiddleTab, PhoneTab, State, View};

/// The greatest number of events.
const EVENTS: usize = 5_000;

/// A simulation that is shown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Simulated {
    /// The events, as written; those after the position can be sent again.
    pub events: Vec<String>,
    /// The number of events before the position.
    pub at: usize,
    /// The microstep of the last reaction that is shown; none for the last one.
    pub moment: Option<usize>,
    /// What the events do.
    pub answer: Option<Rc<Simulation>>,
    /// What hints at mistakes in the chart.
    pub facts: Option<Rc<ChartFacts>>,
    /// The drawing has the room of the text until the simulation is left.
    widened: bool,
    /// The last request for a simulation, and the last one for facts.
    asked: (Job, Job),
}

/// A move in a simulation.
#[derive(Clone, PartialEq, Debug)]
pub enum SimulationMove {
    /// The environment sends this event.
    Send(String),
    /// Goes to the position after so many events; shows this microstep of the last reaction, or its end.
    To(usize, Option<usize>),
    /// Other events; the position is after so many of them.
    Load(Vec<String>, usize),
    /// Shows the simulation, or no longer.
    Toggle,
    /// Searches for what hints at mistakes.
    Facts,
}

impl Simulated {
    /// The microstep that is shown.
    #[must_use]
    pub fn shown(&self) -> Option<&Moment> {
        let reaction = self.answer.as_ref()?.reactions.get(self.at)?;
        self.moment.and_then(|moment| reaction.moments.get(moment)).or(reaction.moments.last())
    }

    /// The positions of all microsteps, in order.
    fn moments(&self) -> Vec<(usize, usize)> {
        let reactions = self.answer.iter().flat_map(|answer| &answer.reactions).enumerate();
        reactions
            .flat_map(|(at, reaction)| (0..reaction.moments.len()).map(move |moment| (at, moment)))
            .collect()
    }

    /// The position one microstep before or after the one that is shown.
    #[must_use]
    pub fn beside(&self, forward: bool) -> Option<SimulationMove> {
        let all = self.moments();
        let last = all.iter().rev().find(|(at, _)| *at == self.at)?;
        let here = (self.at, self.moment.unwrap_or(last.1));
        let number = all.iter().position(|moment| *moment == here)?;
        let next = if forward { number.checked_add(1) } else { number.checked_sub(1) };
        let (at, moment) = all.get(next?)?;
        Some(SimulationMove::To(*at, Some(*moment)))
    }

    /// The simulation after a move.
    fn after(&self, play: SimulationMove) -> Simulated {
        let mut new = self.clone();
        match play {
            SimulationMove::Send(_) if new.at >= EVENTS => {}
            SimulationMove::Send(event) => {
                // The same event again keeps those after it.
                if new.events.get(new.at) != Some(&event) {
                    new.events.truncate(new.at);
                    new.events.push(event);
                }
                (new.at, new.moment) = (new.at + 1, None);
            }
            SimulationMove::To(at, moment) => (new.at, new.moment) = (at.min(new.events.len()), moment),
            SimulationMove::Load(events, at) => {
                (new.at, new.moment) = (at.min(events.len()), None);
                new.events = events;
            }
            SimulationMove::Toggle | SimulationMove::Facts => {}
        }
        new
    }
}

/// The events of a run that was found; the first row with a step is the start.
#[must_use]
pub fn events_of(rows: &[TraceRow]) -> Vec<String> {
    rows.iter().filter_map(|row| row.step.as_ref()).skip(1).map(|event| event.replace(", ", ",")).collect()
}

impl State {
    /// Is the model a chart?
    #[must_use]
    pub fn is_chart(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.chart.is_some())
    }

    /// Is a chart simulated?
    #[must_use]
    pub fn simulates(&self) -> bool {
        self.is_chart() && self.view.middle == MiddleTab::Simulation
    }

    /// A move in the simulation of the chart, which is shown then.
    #[inline(never)]
    pub(super) fn simulate(&mut self, play: SimulationMove) -> Vec<Effect> {
        if play == SimulationMove::Facts {
            return self.ask_for_facts();
        }
        let middle = match play {
            SimulationMove::Toggle if self.simulates() => MiddleTab::Graph,
            _ => MiddleTab::Simulation,
        };
        self.simulation = Rc::new(self.simulation.after(play));
        // On a phone, the panel with the events and the table is shown.
        let phone = PhoneTab::View;
        let shown = self.show(View { middle, phone, ..self.view.clone() });
        let asked = if shown.is_empty() { self.ask_simulation() } else { shown };
        [asked, vec![Effect::SaveLink]].concat()
    }

    /// Another tab is shown in the middle. While a chart is simulated, its drawing has the room of the text.
    #[inline(never)]
    pub(super) fn other_tab(&mut self) -> Vec<Effect> {
        let (on, was_widened) = (self.simulates(), self.simulation.widened);
        let widened = on && self.view.left == LeftTab::Both;
        self.view.left = match self.view.left {
            LeftTab::Both if on => LeftTab::Diagram,
            LeftTab::Diagram if was_widened && !on => LeftTab::Both,
            same => same,
        };
        if widened != was_widened {
            self.simulation = Rc::new(Simulated { widened, ..(*self.simulation).clone() });
        }
        self.ask_simulation()
    }

    /// Asks the engine what the events do, if that is shown.
    #[inline(never)]
    pub(super) fn ask_simulation(&mut self) -> Vec<Effect> {
        if !self.simulates() || !self.diagnostics.is_empty() {
            return vec![];
        }
        let job = self.next_job();
        let mut simulation = Simulated::clone(&self.simulation);
        simulation.asked.0 = job;
        let asks = ChartAsks::Simulate(simulation.events.clone(), simulation.at);
        self.simulation = Rc::new(simulation);
        self.request(job, asks)
    }

    /// The events of a link.
    #[inline(never)]
    pub(super) fn put_events(&mut self, text: &str) {
        let events: Vec<String> = text.lines().take(EVENTS).map(str::to_owned).collect();
        self.simulation = Rc::new(Simulated { at: events.len(), events, ..Simulated::default() });
    }

    fn ask_for_facts(&mut self) -> Vec<Effect> {
        let job = self.next_job();
        self.simulation =
            Rc::new(Simulated { asked: (self.simulation.asked.0, job), ..(*self.simulation).clone() });
        self.request(job, ChartAsks::Facts)
    }

    fn request(&self, job: Job, asks: ChartAsks) -> Vec<Effect> {
        let request = ChartRequest { job, kind: self.kind, text: self.text.to_string(), asks };
        vec![Effect::Send(ToEngine::Chart(pack(&request)))]
    }

    /// The engine's answer about a chart; a position that is not reached is left.
    #[inline(never)]
    pub(super) fn heard_of_chart(&mut self, bytes: &[u8]) {
        let Some(ChartResponse { job, answer }) = unpack(bytes) else { return };
        let mut simulation = Simulated::clone(&self.simulation);
        match answer {
            ChartAnswer::Simulation(answer) if job == simulation.asked.0 => {
                let reached = answer.reactions.len().saturating_sub(1);
                if simulation.at > reached {
                    (simulation.at, simulation.moment) = (reached, None);
                }
                simulation.events.truncate(reached);
                simulation.answer = Some(Rc::new(answer));
            }
            ChartAnswer::Facts(facts) if job == simulation.asked.1 => simulation.facts = Some(Rc::new(facts)),
            _ => return,
        }
        self.simulation = Rc::new(simulation);
    }

    /// The chart has changed: what was found about the old one is forgotten, and its events are sent to the new one.
    pub(super) fn adapt_simulation(&mut self) -> Vec<Effect> {
        if !self.is_chart() {
            if self.view.middle == MiddleTab::Simulation {
                self.view.middle = MiddleTab::Graph;
            }
            return vec![];
        }
        self.simulation = Rc::new(Simulated { facts: None, ..(*self.simulation).clone() });
        self.ask_simulation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(simulation: &Simulated, event: &str) -> Simulated {
        simulation.after(SimulationMove::Send(event.to_owned()))
    }

    #[test]
    fn events_after_the_position_are_kept_until_another_one_is_sent() {
        let both = send(&send(&Simulated::default(), "a"), "b");
        let back = both.after(SimulationMove::To(0, None));
        assert_eq!((back.at, back.events.len()), (0, 2));
        assert_eq!(send(&back, "a").events, ["a", "b"]);
        let other = send(&back, "c");
        assert_eq!((other.at, other.events), (1, vec!["c".to_owned()]));
    }

    #[test]
    fn microsteps_are_passed_one_by_one() {
        use veristep_core::chart::simulation::{Reaction, Simulation};
        let reaction = |moments: usize| Reaction {
            event: String::new(),
            moments: vec![Moment::default(); moments],
            left_out: 0,
        };
        let answer = Simulation { reactions: vec![reaction(1), reaction(2)], ..Simulation::default() };
        let simulation = send(&Simulated { answer: Some(Rc::new(answer)), ..Simulated::default() }, "a");
        assert_eq!(simulation.beside(true), None);
        let Some(before) = simulation.beside(false) else { panic!("a microstep") };
        assert_eq!(before, SimulationMove::To(1, Some(0)));
        assert_eq!(simulation.after(before).beside(false), Some(SimulationMove::To(0, Some(0))));
    }
}
