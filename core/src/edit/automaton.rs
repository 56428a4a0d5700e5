//! Edits of automata and what they mean.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::edit::Refusal;
use crate::edit::pins::{Pin, Pins};
use crate::system::Role;

/// An automaton as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Automaton {
    /// The variables: name and type, as written.
    pub variables: Vec<(String, String)>,
    /// The locations: name and role.
    pub locations: Vec<(String, Role)>,
    /// The edges.
    pub edges: Vec<EdgeText>,
    /// The accepting locations, of automata on infinite words.
    pub accepting: BTreeSet<String>,
    /// Of a net, its places with their tokens; its other locations are transitions. `None` if it is no net.
    pub places: Option<BTreeMap<String, u32>>,
    /// Of a time net, the intervals of its places or of its transitions, as written; in the order of the locations.
    pub intervals: Vec<(String, String)>,
    /// The places of what was moved.
    pub pins: Pins,
}

/// An edge as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EdgeText {
    /// The name of the location it leaves.
    pub source: String,
    /// The name of the location it enters.
    pub target: String,
    /// Its statements, each as written.
    pub statements: Vec<String>,
}

/// An edit of an automaton. Locations are given by their names, edges by their places in the list of edges.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Edit {
    /// A new location, after the others.
    AddLocation {
        /// Its name.
        name: String,
        /// Its role.
        role: Role,
    },
    /// A new transition of a net, after the others.
    AddTransition {
        /// Its name.
        name: String,
    },
    /// Another number of tokens in a place of a net.
    SetTokens {
        /// The place.
        place: String,
        /// Its tokens at the beginning.
        tokens: u32,
    },
    /// Another interval of time for a place or a transition of a net.
    SetInterval {
        /// The place or transition.
        node: String,
        /// The interval, as typed; empty for none.
        interval: String,
    },
    /// A new variable, after the others.
    AddVariable {
        /// Its name.
        name: String,
        /// Its type, as typed.
        ty: String,
    },
    /// A new edge, after the others.
    Connect {
        /// The location it leaves.
        source: String,
        /// The location it enters.
        target: String,
        /// Its statements, as typed.
        statements: String,
    },
    /// Another name for a location, everywhere.
    Rename {
        /// The location.
        location: String,
        /// The new name.
        name: String,
    },
    /// Another role for a location. The one that had this role is plain then, since there is at most one of each.
    SetRole {
        /// The location.
        location: String,
        /// The new role.
        role: Role,
    },
    /// Makes locations accepting, or not.
    SetAccepting {
        /// The locations.
        locations: Vec<String>,
        /// They are accepting from now on.
        accepting: bool,
    },
    /// Other statements for an edge.
    SetStatements {
        /// The edge.
        edge: usize,
        /// Its statements, as typed.
        statements: String,
    },
    /// Other ends for an edge.
    Reconnect {
        /// The edge.
        edge: usize,
        /// The location it leaves.
        source: String,
        /// The location it enters.
        target: String,
    },
    /// Removes locations and edges, and with a location the edges at it.
    Delete {
        /// The locations.
        locations: Vec<String>,
        /// The edges.
        edges: Vec<usize>,
    },
    /// The variables, locations and edges of a part of an automaton, with free names. A role that only one location
    /// can have stays where it is; places are moved aside.
    Paste {
        /// The part, as text.
        text: String,
    },
    /// Changes the structure of a statechart.
    Chart(ChartEdit),
    /// Gives locations places, or lets the drawing place them.
    Move {
        /// The locations with their places.
        places: Vec<(String, Option<Pin>)>,
    },
}

/// An edit of the structure of a statechart. States are given by their paths.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ChartEdit {
    /// A new state around states that are beside each other.
    Wrap {
        /// The states.
        states: Vec<String>,
        /// The name of the new one, without those around it.
        name: String,
    },
    /// A new region in a state; what is in a state without regions becomes one first.
    AddRegion {
        /// The state.
        state: String,
    },
    /// A history of a state.
    AddHistory {
        /// The state.
        state: String,
        /// It records all states in it.
        deep: bool,
    },
    /// A state is drawn without what is in it, or with it again.
    Fold {
        /// The state.
        state: String,
        /// Without what is in it?
        folded: bool,
    },
    /// A state, with what is in it, becomes part of another one.
    MoveInto {
        /// The state.
        state: String,
        /// The other one; empty for the chart itself.
        into: String,
    },
}

/// What is pasted is moved by this distance, to the right and down, until it does not cover what is there.
const ASIDE: i32 = 40;

impl Automaton {
    /// The location with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn location(&self, name: &str) -> Result<usize, Refusal> {
        let found = self.locations.iter().position(|(location, _)| location == name);
        found.ok_or_else(|| Refusal::new(format!("there is no '{name}'")))
    }

    /// The interval of a place or a transition.
    #[must_use]
    pub fn interval(&self, node: &str) -> Option<&str> {
        self.intervals.iter().find(|(name, _)| name == node).map(|(_, interval)| interval.as_str())
    }

    /// The edge at this place.
    fn edge(&self, edge: usize) -> Result<&EdgeText, Refusal> {
        self.edges.get(edge).ok_or_else(|| Refusal::new("this edge is not there any more"))
    }

    /// Is a name free for a location?
    fn free(&self, name: &str) -> Result<(), Refusal> {
        match self.locations.iter().any(|(location, _)| location == name) {
            true => Err(Refusal::new(format!("there is a '{name}' already"))),
            false => Ok(()),
        }
    }

    /// Is a name free for a variable of this type?
    fn free_for_variable(&self, name: &str, ty: &str) -> Result<(), Refusal> {
        if self.variables.iter().any(|(variable, _)| variable == name) {
            return Err(Refusal::new(format!("there is a variable '{name}' already")));
        }
        if ty.is_empty() { Ok(()) } else { self.free(name) }
    }

    /// The edges that an edit removes, in order.
    pub(crate) fn removed(&self, locations: &[String], edges: &[usize]) -> Vec<usize> {
        let at = |edge: &EdgeText| locations.contains(&edge.source) || locations.contains(&edge.target);
        let removed = |(i, edge): (usize, &EdgeText)| (edges.contains(&i) || at(edge)).then_some(i);
        self.edges.iter().enumerate().filter_map(removed).collect()
    }

    /// The locations with these names, the edges between them, their places, and the variables of the edges.
    #[must_use]
    pub fn part(&self, names: &[String]) -> Automaton {
        let within = |edge: &&EdgeText| names.contains(&edge.source) && names.contains(&edge.target);
        let edges: Vec<EdgeText> = self.edges.iter().filter(within).cloned().collect();
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
        let uses = |name: &str| {
            let mut statements = edges.iter().flat_map(|edge| &edge.statements);
            statements.any(|text| text.split(|c| !letter(c)).any(|word| word == name))
        };
        let chosen = |name: &String| names.contains(name);
        Automaton {
            variables: self.variables.iter().filter(|(name, _)| uses(name)).cloned().collect(),
            locations: self.locations.iter().filter(|(name, _)| chosen(name)).cloned().collect(),
            accepting: self.accepting.iter().filter(|name| chosen(name)).cloned().collect(),
            places: self.places.as_ref().map(|places| {
                places.iter().filter(|(name, _)| chosen(name)).map(|(name, n)| (name.clone(), *n)).collect()
            }),
            intervals: self.intervals.iter().filter(|(name, _)| chosen(name)).cloned().collect(),
            pins: self
                .pins
                .iter()
                .filter(|(name, _)| chosen(name))
                .map(|(name, pin)| (name.clone(), *pin))
                .collect(),
            edges,
        }
    }

    /// The edits of which pasting a part consists.
    #[must_use]
    pub fn pasting(&self, part: &Automaton) -> Vec<Edit> {
        let mut edits = Vec::new();
        // Atoms, which have no types, can be called as states are.
        let declared = self.variables.iter().chain(&part.variables).filter(|(_, ty)| !ty.is_empty());
        let mut taken: Vec<&str> = declared.map(|(name, _)| &**name).collect();
        taken.extend(self.locations.iter().map(|(name, _)| &**name));
        let mut names: Vec<(&str, String)> = Vec::new();
        for (name, role) in &part.locations {
            let is_taken = |new: &str| taken.contains(&new) || names.iter().any(|(_, other)| other == new);
            let new = free(name, is_taken);
            let has_role = self.locations.iter().any(|(_, own)| own == role);
            let role = if has_role { Role::Plain } else { *role };
            let of_net = part.places.as_ref().map(|places| places.get(name).copied());
            edits.push(match of_net {
                Some(None) => Edit::AddTransition { name: new.clone() },
                _ => Edit::AddLocation { name: new.clone(), role },
            });
            if let Some(tokens @ 1..) = of_net.flatten() {
                edits.push(Edit::SetTokens { place: new.clone(), tokens });
            }
            if let Some(interval) = part.interval(name) {
                edits.push(Edit::SetInterval { node: new.clone(), interval: interval.to_owned() });
            }
            names.push((name, new));
        }
        for (name, ty) in &part.variables {
            if !self.variables.iter().any(|(own, _)| own == name) {
                edits.push(Edit::AddVariable { name: name.clone(), ty: ty.clone() });
            }
        }
        let renamed = |name: &str| names.iter().find(|(old, _)| *old == name).map(|(_, new)| new.clone());
        // New states of an automaton without acceptance sets are accepting.
        let accept = !self.accepting.is_empty() || !part.accepting.is_empty();
        for accepting in [false, true].into_iter().filter(|_| accept) {
            let own = part.locations.iter().filter(|(name, _)| part.accepting.contains(name) == accepting);
            let locations: Vec<String> = own.filter_map(|(name, _)| renamed(name)).collect();
            if !locations.is_empty() {
                edits.push(Edit::SetAccepting { locations, accepting });
            }
        }
        for edge in &part.edges {
            if let (Some(source), Some(target)) = (renamed(&edge.source), renamed(&edge.target)) {
                edits.push(Edit::Connect { source, target, statements: edge.statements.join("\n") });
            }
        }
        let moved = |(x, y): Pin, by: i32| (x.saturating_add(by), y.saturating_add(by));
        let covers =
            |by: i32| self.pins.values().any(|own| part.pins.values().any(|pin| moved(*pin, by) == *own));
        let by = (0..).map(|times| times * ASIDE).find(|by| !covers(*by)).unwrap_or(0);
        let places: Vec<_> = part
            .pins
            .iter()
            .filter_map(|(name, pin)| Some((renamed(name)?, Some(moved(*pin, by)))))
            .collect();
        if !places.is_empty() {
            edits.push(Edit::Move { places });
        }
        edits
    }

    /// This automaton after an edit other than [`Edit::Paste`]; `parse` gives the single statements of what was typed.
    ///
    /// # Errors
    /// Why the edit is not possible.
    pub fn after(
        &self,
        edit: &Edit,
        parse: impl Fn(&str) -> Result<Vec<String>, Refusal>,
    ) -> Result<Automaton, Refusal> {
        let mut new = self.clone();
        match edit {
            Edit::AddLocation { name, role } => {
                self.free(name)?;
                new.give_up(*role);
                new.locations.push((name.clone(), *role));
            }
            Edit::AddTransition { name } => {
                self.free(name)?;
                new.locations.push((name.clone(), Role::Plain));
            }
            Edit::SetTokens { place, tokens } => {
                let of = new.places.as_mut().and_then(|places| places.get_mut(place));
                *of.ok_or_else(|| Refusal::new(format!("there is no place '{place}'")))? = *tokens;
            }
            Edit::SetInterval { node, interval } => {
                self.location(node)?;
                new.intervals.retain(|(name, _)| name != node);
                if !interval.trim().is_empty() {
                    new.intervals.push((node.clone(), interval.trim().to_owned()));
                }
            }
            Edit::AddVariable { name, ty } => {
                self.free_for_variable(name, ty)?;
                new.variables.push((name.clone(), ty.trim().to_owned()));
            }
            Edit::Connect { source, target, statements } => {
                self.location(source)?;
                self.location(target)?;
                let (source, target) = (source.clone(), target.clone());
                new.edges.push(EdgeText { source, target, statements: parse(statements)? });
            }
            Edit::Rename { location, name } => new.rename(location, name)?,
            Edit::SetRole { location, role } => {
                let at = self.location(location)?;
                new.give_up(*role);
                new.locations[at].1 = *role;
            }
            Edit::SetAccepting { locations, accepting } => {
                for name in locations {
                    self.location(name)?;
                    let _ = if *accepting {
                        new.accepting.insert(name.clone())
                    } else {
                        new.accepting.remove(name)
                    };
                }
            }
            Edit::SetStatements { edge, statements } => {
                self.edge(*edge)?;
                new.edges[*edge].statements = parse(statements)?;
            }
            Edit::Reconnect { edge, source, target } => {
                self.edge(*edge)?;
                self.location(source)?;
                self.location(target)?;
                (new.edges[*edge].source, new.edges[*edge].target) = (source.clone(), target.clone());
            }
            Edit::Delete { locations, edges } => new.delete(locations, edges)?,
            Edit::Paste { .. } => return Err(Refusal::new("what is pasted is several edits")),
            Edit::Chart(_) => return Err(Refusal::new("only statecharts have states in states")),
            Edit::Move { places } => new.pin(places)?,
        }
        Ok(new)
    }

    fn pin(&mut self, places: &[(String, Option<Pin>)]) -> Result<(), Refusal> {
        for (name, pin) in places {
            // A place can be left over from a location that was renamed or removed.
            if pin.is_some() || !self.pins.contains_key(name) {
                self.location(name)?;
            }
            match pin {
                Some(pin) => drop(self.pins.insert(name.clone(), *pin)),
                None => drop(self.pins.remove(name)),
            }
        }
        Ok(())
    }

    pub(crate) fn rename(&mut self, location: &str, name: &str) -> Result<(), Refusal> {
        let at = self.location(location)?;
        if name != location {
            self.free(name)?;
        }
        name.clone_into(&mut self.locations[at].0);
        for end in self.edges.iter_mut().flat_map(|edge| [&mut edge.source, &mut edge.target]) {
            if end == location {
                name.clone_into(end);
            }
        }
        if let Some(pin) = self.pins.remove(location) {
            self.pins.insert(name.to_owned(), pin);
        }
        let own = self.intervals.iter_mut().filter(|(node, _)| node == location);
        own.for_each(|(node, _)| *node = name.to_owned());
        if self.accepting.remove(location) {
            self.accepting.insert(name.to_owned());
        }
        if let Some(places) = &mut self.places
            && let Some(tokens) = places.remove(location)
        {
            places.insert(name.to_owned(), tokens);
        }
        Ok(())
    }

    fn delete(&mut self, locations: &[String], edges: &[usize]) -> Result<(), Refusal> {
        locations.iter().try_for_each(|name| self.location(name).map(drop))?;
        edges.iter().try_for_each(|edge| self.edge(*edge).map(drop))?;
        for edge in self.removed(locations, edges).into_iter().rev() {
            self.edges.remove(edge);
        }
        self.locations.retain(|(name, _)| !locations.contains(name));
        self.pins.retain(|name, _| !locations.contains(name));
        self.accepting.retain(|name| !locations.contains(name));
        self.intervals.retain(|(name, _)| !locations.contains(name));
        self.places.iter_mut().for_each(|places| places.retain(|name, _| !locations.contains(name)));
        Ok(())
    }

    /// The location with a role of which there is one becomes plain.
    fn give_up(&mut self, role: Role) {
        for (_, own) in self.locations.iter_mut().filter(|(_, own)| *own == role) {
            *own = Role::Plain;
        }
    }
}

/// A name that is not taken: this one, or with another number at its end.
fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name[stem.len()..].parse::<u32>().map_or(1, u64::from);
    let mut numbered = (number + 1..).map(|number| format!("{stem}{number}"));
    numbered.find(|name| !is_taken(name)).unwrap_or_default()
}
