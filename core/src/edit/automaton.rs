//! Edits of automata and what they mean.

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
    /// Gives locations places, or lets the drawing place them.
    Move {
        /// The locations with their places.
        places: Vec<(String, Option<Pin>)>,
    },
}

impl Automaton {
    /// The location with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn location(&self, name: &str) -> Result<usize, Refusal> {
        let found = self.locations.iter().position(|(location, _)| location == name);
        found.ok_or_else(|| Refusal::new(format!("there is no location '{name}'")))
    }

    /// The edge at this place.
    fn edge(&self, edge: usize) -> Result<&EdgeText, Refusal> {
        self.edges.get(edge).ok_or_else(|| Refusal::new("this edge is not there any more"))
    }

    /// Is a name free for a location?
    fn free(&self, name: &str) -> Result<(), Refusal> {
        match self.locations.iter().any(|(location, _)| location == name) {
            true => Err(Refusal::new(format!("there is a location '{name}' already"))),
            false => Ok(()),
        }
    }

    /// The edges that an edit removes, in order.
    pub(crate) fn removed(&self, locations: &[String], edges: &[usize]) -> Vec<usize> {
        let at = |edge: &EdgeText| locations.contains(&edge.source) || locations.contains(&edge.target);
        let removed = |(i, edge): (usize, &EdgeText)| (edges.contains(&i) || at(edge)).then_some(i);
        self.edges.iter().enumerate().filter_map(removed).collect()
    }

    /// This automaton after an edit; `parse` gives the single statements of what was typed.
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
            Edit::AddVariable { name, ty } => {
                if self.variables.iter().any(|(variable, _)| variable == name) {
                    return Err(Refusal::new(format!("there is a variable '{name}' already")));
                }
                self.free(name)?;
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
            Edit::Move { places } => {
                for (name, pin) in places {
                    self.location(name)?;
                    match pin {
                        Some(pin) => drop(new.pins.insert(name.clone(), *pin)),
                        None => drop(new.pins.remove(name)),
                    }
                }
            }
        }
        Ok(new)
    }

    fn rename(&mut self, location: &str, name: &str) -> Result<(), Refusal> {
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
        Ok(())
    }

    /// The location with a role of which there is one becomes plain.
    fn give_up(&mut self, role: Role) {
        for (_, own) in self.locations.iter_mut().filter(|(_, own)| *own == role) {
            *own = Role::Plain;
        }
    }
}
