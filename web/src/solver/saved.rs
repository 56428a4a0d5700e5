//! Scenes of the solver's page with a button that saves them.

use veristep_core::scene::Scene;
use yew::prelude::*;

use crate::solver::Msg;
use crate::ui::scene::{self, Shown};

/// A scene of which nothing can be selected.
pub fn scene(scene: Scene, name: &'static str, act: &Callback<Msg>) -> Html {
    let shown = Shown { name, ..Shown::alone() };
    let save = saving(&scene, name, act);
    scene::scene(&scene, &Shown { save: Some(save), ..shown })
}

/// Saves a scene in a file of this name.
pub fn saving(
    scene: &Scene,
    name: &'static str,
    act: &Callback<Msg>,
) -> Callback<crate::protocol::FileFormat> {
    let scene = scene.clone();
    act.reform(move |format| Msg::SavePicture(name, scene.clone(), format))
}
