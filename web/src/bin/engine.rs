//! The worker's program: the engines.

fn main() {
    veristep_web::worker::start();
}
