//! The solver's page.

fn main() {
    console_error_panic_hook::set_once();
    yew::Renderer::<veristep_web::solver::Solver>::new().render();
}
