//! `veristep draw`: a picture of a model, or of a step of a run, as a file.

use std::path::PathBuf;
use std::task::Poll;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use veristep_core::certificate::{Certificate, rows};
use veristep_core::draw::{self, FoundRun, Pictures, What};
use veristep_core::explain::explain;
use veristep_core::kit::{Cx, Fuel, Recorder};
use veristep_core::property::Property;
use veristep_core::run::{Method, Run};
use veristep_core::scene::Scene;
use veristep_core::system::System;

use crate::input::{self, BadInput, Language, bad};
use crate::strategy::Choices;
use crate::watch::Limits;
use crate::{HOLDS, complain};

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
enum Format {
    /// A picture that opens on its own
    Svg,
    /// A graph for Graphviz
    Dot,
    /// A document for LaTeX
    Tikz,
    /// All data of the scene
    Json,
}

/// Arguments of `draw`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The model
    model: PathBuf,
    /// The property
    #[arg(long, value_name = "TEXT", default_value = "")]
    property: String,
    /// The step: the number of events before it; 0 is the model before the run. Default: the last step, and for the
    /// picture of the model the one before the run
    #[arg(long, value_name = "STEP")]
    at: Option<usize>,
    /// The picture: model, method (the graph or the rounds of the method), path, product or states, and for Petri nets
    /// structure and markings. Default: the model at step 0 and for a Petri net without --property, otherwise that of
    /// the method
    #[arg(long, value_name = "PICTURE", value_parser = PossibleValuesParser::new(What::ALL.map(|(name, _)| name)))]
    what: Option<String>,
    /// The format
    #[arg(long, value_enum, default_value = "svg")]
    to: Format,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The method. Default: explicit for Petri nets, otherwise cegar
    #[arg(long, value_parser = PossibleValuesParser::new(Method::ALL.map(Method::name)))]
    engine: Option<String>,
    #[command(flatten)]
    choices: Choices,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    language: Language,
}

/// Steps of fuel between two checks of the number of events.
const FUEL: u64 = 256;

/// Draws.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = arguments.language.kind(&arguments.model)?;
    let _watched =
        arguments.limits.watch(Duration::ZERO, |reason| complain(&format!("unknown: {reason}")))?;
    let text = input::read(&arguments.model)?;
    let asked = Some(arguments.property.as_str()).filter(|text| !text.is_empty());
    let system = input::model(&arguments.model, kind, &text, asked)?;
    let scene = match (arguments.at, arguments.what.as_deref()) {
        (Some(0), Some(what)) if what != "model" => {
            return bad("error: at step 0 there is only the picture of the model");
        }
        (Some(0), _) | (None, Some("model")) => draw::of_model(&system),
        (None, None)
            if asked.is_none()
                && arguments.engine.is_none()
                && (system.net.is_some() || Property::no_property(&system).is_some()) =>
        {
            draw::of_model(&system)
        }
        _ => at_step(arguments, system)?,
    };
    if let Some(why) = scene.as_sentence() {
        return bad(format!("error: {why}"));
    }
    let name = arguments.model.file_name().unwrap_or_default().display();
    let title = format!("{name}: {}", scene.title());
    let picture = match arguments.to {
        Format::Svg => scene.sheet_with_legend().to_svg(&title),
        Format::Dot => scene.sheet().to_dot(&title),
        Format::Tikz => scene.sheet_with_legend().to_tikz(&title),
        Format::Json => format!("{}\n", serde_json::to_string_pretty(&scene).unwrap_or_default()),
    };
    match &arguments.out {
        Some(file) => input::write(file, &picture)?,
        None => say!("{}", picture.trim_end()),
    }
    Ok(HOLDS)
}

/// The scene after some events of a run.
fn at_step(arguments: &Arguments, system: System) -> Result<Scene, BadInput> {
    let is_net = system.net.is_some();
    // Pictures of the net itself need no property.
    let is_of_net = matches!(arguments.what.as_deref(), Some("structure" | "markings"));
    let asked = match arguments.property.as_str() {
        "" if is_net && is_of_net && Property::no_property(&system).is_some() => "deadlock-free",
        asked => asked,
    };
    let property = input::property(&system, "property", asked)?;
    let engine = arguments.engine.as_deref().unwrap_or(if is_net { "explicit" } else { "cegar" });
    let options = arguments.choices.options(Some(engine))?;
    let mut run =
        Run::new(&system, &property, &options).map_err(|why| BadInput::Mistake(format!("error: {why}")))?;
    let model = property.apply(system.clone());
    let mut pictures = Pictures::new(&run, &system);
    let mut recorder = Recorder::default();
    recorder.journal.names = run.names();
    let most = match arguments.at {
        Some(at) => at,
        None if is_of_net && arguments.property.is_empty() => 1,
        None => usize::MAX,
    };
    while recorder.journal.events.len() < most {
        let mut fuel = Fuel::new(FUEL);
        if let Poll::Ready(conclusion) = run.poll(&mut Cx { fuel: &mut fuel, sink: &mut recorder }) {
            let found = match &conclusion.certificate {
                Some(Certificate::Trace { states }) => Some((states, None)),
                Some(Certificate::Lasso { states, back, .. }) => Some((states, Some(*back))),
                _ => None,
            };
            if let Some((states, back)) = found {
                pictures.found(FoundRun { rows: rows(&model, states), back });
            }
            break;
        }
    }
    let journal = &recorder.journal;
    let steps = journal.events.len();
    if steps == 0 {
        return bad("error: the run has no step");
    }
    if let Some(at) = arguments.at.filter(|at| *at > steps) {
        return bad(format!("error: step {at} does not exist; the run has {steps} steps"));
    }
    let index = arguments.at.unwrap_or(steps.min(most)) - 1;
    let name = arguments.what.as_deref().unwrap_or("method");
    let what = What::ALL.iter().find(|(known, _)| *known == name).map_or(What::Method, |(_, what)| *what);
    let subjects = explain(journal, index).subjects.in_model(&journal.names);
    Ok(pictures.scene(journal, index, &subjects, what).scene)
}
