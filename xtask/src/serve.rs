//! `cargo xtask serve`: builds an optimised page and serves it on this machine; with `--dev` the page is quick to build
//! and rebuilt on changes.

use crate::run::{Build, Fallible, Project};
use crate::setup;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

const FIRST_PORT: u16 = 8080;
const PORTS_TRIED: u16 = 20;
/// Not `dist`: these pages are no releases.
const FOLDER: &str = "target/page";

#[derive(Debug, PartialEq)]
enum Browser {
    Open,
    LeaveClosed,
}

/// The options of the command line.
#[derive(Debug, PartialEq)]
pub(crate) struct Options {
    build: Build,
    browser: Browser,
    port: Option<u16>,
}

impl Options {
    pub(crate) fn parse(words: &[String]) -> Fallible<Self> {
        let mut options = Self { build: Build::Quick, browser: Browser::Open, port: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--dev" => options.build = Build::Debug,
                "--release" => options.build = Build::Release,
                "--no-open" => options.browser = Browser::LeaveClosed,
                "--port" => {
                    let number = words.next().and_then(|text| text.parse().ok());
                    options.port = Some(number.ok_or("--port takes a number from 0 to 65535")?);
                }
                other => return Err(format!("`{other}` is not an option of serve")),
            }
        }
        Ok(options)
    }
}

pub(crate) fn serve(project: &Project, options: &Options) -> Fallible {
    let port = choose_port(options.port)?;
    setup::page(project)?;
    if options.build == Build::Release {
        setup::chromium(project)?;
    }
    println!("xtask: building the page (the first time takes some minutes)");
    let folder = format!("--dist={FOLDER}");
    let open: &[&str] = if options.browser == Browser::Open && has_display() { &["--open"] } else { &[] };
    if options.build == Build::Debug {
        std::thread::spawn(move || announce(port));
        // Without --no-spa the page would be served for a missing file, unlike on a static host.
        let words = ["serve", "--no-spa", &format!("--port={port}"), &folder];
        return project.trunk(options.build).args(words).args(open).run();
    }
    project.trunk(options.build).args(["build", &folder]).args(options.build.flags()).run()?;
    std::thread::spawn(move || announce(port));
    let words = ["xtask/js/serve.mjs", FOLDER, &port.to_string()];
    project.tool("node").args(words).args(open).run()
}

fn free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

fn choose_port(wanted: Option<u16>) -> Fallible<u16> {
    match wanted {
        Some(port) if free(port) => Ok(port),
        Some(port) => Err(format!("port {port} is in use or not allowed")),
        None => (FIRST_PORT..FIRST_PORT + PORTS_TRIED)
            .find(|port| free(*port))
            .ok_or_else(|| format!("no free port from {FIRST_PORT} on; name one with --port")),
    }
}

/// Prints the address once the server answers.
fn announce(port: u16) {
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        std::thread::sleep(Duration::from_millis(200));
    }
    println!("\nxtask: Veristep is at http://127.0.0.1:{port}/ (Ctrl-C ends it)\n");
}

fn has_display() -> bool {
    !cfg!(target_os = "linux")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Fallible<Options> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_and_bad_ones_refused() {
        let expected = Options { build: Build::Release, browser: Browser::LeaveClosed, port: Some(9000) };
        assert_eq!(parse("--release --port 9000 --no-open"), Ok(expected));
        let expected = Options { build: Build::Debug, browser: Browser::Open, port: None };
        assert_eq!(parse("--dev"), Ok(expected));
        assert!(parse("--port many").is_err());
        assert!(parse("--port").is_err());
        assert!(parse("--relase").is_err());
    }

    #[test]
    fn a_taken_port_is_refused() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = taken.local_addr().expect("an address").port();
        assert!(choose_port(Some(port)).is_err());
    }
}
