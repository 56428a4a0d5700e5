//! What changes the state, and what the app has to carry out.

use std::rc::Rc;

use veristep_core::diagnostic::Span;
use veristep_core::edit::Change;
use veristep_core::edit::automaton::Edit;
use veristep_core::formats::c::DataModel;
use veristep_core::link::Link;
use veristep_core::run::Kind;

use crate::explained::Thing;
use crate::protocol::{FileFormat, FromEngine, Job, ToEngine};
use crate::state::{Document, GameMove, Move, Notice, PictureOf, SimulationMove, View};

/// Which way to go in the history of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undo {
    /// Back.
    Back,
    /// Forward again.
    Again,
}

/// A command for the editor of the text, with a number that changes with every command.
#[derive(Clone, Debug)]
pub struct EditorRequest {
    /// The number.
    pub number: u32,
    /// The command.
    pub command: Rc<EditorCommand>,
}

impl PartialEq for EditorRequest {
    fn eq(&self, other: &EditorRequest) -> bool {
        self.number == other.number
    }
}

/// A command for the editor of the text.
#[derive(Clone, PartialEq, Debug)]
pub enum EditorCommand {
    /// Select a place.
    Reveal(Span),
    /// Carry out lists of changes, each for the text after those before it, as one edit.
    Change(Rc<[Vec<Change>]>),
    /// Undo or redo.
    Undo(Undo),
}

/// Everything that changes the state.
#[derive(PartialEq, Debug)]
pub enum Action {
    /// The text was changed: the user typed, or drew.
    Edited(Rc<str>),
    /// The user edited the drawing of the model; in a card, which shows why it is refused if it is, or not.
    Edit(Vec<Edit>, bool),
    /// Undo or redo the last change of the text.
    Undo(Undo),
    /// Parse the text.
    Parse,
    /// Another model was chosen.
    Load {
        /// The example's id.
        example: Option<Rc<str>>,
        /// The language of the model.
        kind: Kind,
        /// The model.
        text: Rc<str>,
        /// The property.
        property: String,
        /// The options other than the defaults.
        options: Vec<(String, String)>,
    },
    /// A link was opened.
    Open(Box<Link>, Vec<&'static str>),
    /// The property was changed.
    Property(String),
    /// The sizes of C's types were changed.
    DataModel(DataModel),
    /// An option of runs was changed.
    Option(String, String),
    /// The budget was changed.
    Fuel(u64),
    /// A message of the engine.
    Engine(Box<FromEngine>),
    /// The engine is on the main thread.
    OnMainThread,
    /// The engine failed or cannot be started.
    EngineLost(String),
    /// Repeat what ended the engine.
    TryAgain,
    /// Dismiss the message about the engine's end.
    DismissFailure,
    /// The engine did not answer and was terminated.
    EngineEnded,
    /// The answer to this explanation is late.
    Late(Job, u32),
    /// The viewer sent a message.
    Viewer(Box<FromEngine>),
    /// The viewer failed.
    ViewerLost,
    /// Write a property.
    AskSomething,
    /// Verify, or continue.
    Run,
    /// Show the verdict of a run that is stepped through.
    Reveal,
    /// Pause.
    Pause,
    /// Stop.
    Stop,
    /// Have the certificate checked.
    Check,
    /// Go along the journal.
    Go(Move),
    /// A move of the token game.
    Game(GameMove),
    /// A move in the simulation of a chart.
    Simulate(SimulationMove),
    /// Start or stop playing.
    Play,
    /// Time for the next step while playing.
    Tick,
    /// Select an object, or nothing.
    Pick(Option<Thing>),
    /// Select the object at the text's cursor, without moving the cursor.
    Point(Thing),
    /// Show a place in the text.
    Jump(Span),
    /// The link was copied, or not.
    Copied(bool),
    /// Change the settings of the views.
    View(View),
    /// Dismiss a notice.
    Dismiss(usize),
    /// Add a notice.
    Say(Notice),
    /// Where the model came from.
    Document(Document),
    /// The model with this version of the text is in a file with this name and number.
    Saved(u32, Rc<str>, u32),
    /// Open a file.
    OpenFile,
    /// Save the model as a file.
    SaveModel,
    /// Save a picture as a file.
    Save(PictureOf, FileFormat),
    /// Open the queries of this step on the solver's page.
    AskSolver,
    /// Compare strategies on the model.
    Compare,
}

/// What the app has to carry out.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Send a message.
    Send(ToEngine),
    /// Report if this explanation is late.
    ExpectSoon(Job, u32),
    /// Send a message to the viewer, which is started first if there is none.
    View(ToEngine),
    /// Parse the text when typing stops.
    ParseSoon,
    /// Terminate the engine unless this run stops soon.
    StopForCertain(Job),
    /// Start another engine.
    Respawn,
    /// Write the address bar.
    SaveLink,
    /// Give the editor of the text a command.
    Command(EditorCommand),
    /// Focus the property's field.
    FocusProperty,
    /// Open a page in another tab, with this fragment.
    Open(&'static str, String),
    /// Let a person choose a file to open.
    OpenFile,
    /// Save the model as a file: the number of its file or 0, a name, and the text.
    SaveModel(u32, String, Rc<str>),
    /// Offer a file for download: its name without the ending, and its content.
    Offer(String, FileFormat, String),
}
