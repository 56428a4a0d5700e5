//! The page that compares strategies.

fn main() {
    console_error_panic_hook::set_once();
    yew::Renderer::<veristep_web::compare::Compare>::new().render();
}
