//! The page of temporal formulas.

fn main() {
    console_error_panic_hook::set_once();
    yew::Renderer::<veristep_web::formula::FormulaPage>::new().render();
}
