//! The integration tests, as one program: it is linked once, and all tests share the cores.
#![allow(clippy::print_stdout)]

mod abstractions;
mod agreement;
mod alethe;
mod automata;
mod branching;
mod c_programs;
mod certificates;
mod charts;
mod commands;
mod drawn_automata;
mod drawn_nets;
mod edited_charts;
mod edits;
mod golden;
mod laws;
mod mutation;
mod nets;
mod obligations;
mod played_nets;
mod questions;
mod random_cfa;
mod random_sts;
mod scenes;
mod shared_models;
mod shared_smtlib;
mod solver;
mod spin;
mod splitting;
mod statements;
mod strategies;
mod temporal;
mod time_net_formulas;
mod time_nets;
mod verdicts;
