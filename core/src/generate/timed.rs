//! Families of time Petri nets.

use super::nets::net;
use crate::net::{Interval, Net, PlaceId, TransitionId};

fn interval(least: u32, most: u32) -> Interval {
    Interval { least, after_least: false, most: Some(most), before_most: false }
}

/// Adds a transition with arcs of weight 1.
fn moves(net: &mut Net, name: String, from: &[PlaceId], to: &[PlaceId]) -> TransitionId {
    let arcs = |all: &[PlaceId]| all.iter().map(|p| (*p, 1)).collect::<Vec<_>>();
    net.add_transition(name, &arcs(from), &arcs(to))
}

/// The same with an interval of time.
fn within(net: &mut Net, name: String, (least, most): (u32, u32), from: &[PlaceId], to: &[PlaceId]) {
    let t = moves(net, name, from, to);
    net.transitions[t.index()].delay = Some(interval(least, most));
}

/// Adds a place with a delay.
fn delayed(net: &mut Net, name: String, tokens: u32, least: u32, most: u32) -> PlaceId {
    let place = net.add_place(name, tokens);
    net.places[place.index()].delay = Some(interval(least, most));
    place
}

/// Fischer's mutual exclusion protocol for `n` processes, with intervals of transitions. A process that finds the lock
/// free writes its number into it within one unit of time; after two units it enters if the lock still has its number.
/// The faulty variant does not wait.
#[must_use]
pub fn fischer(n: u32, faulty: bool) -> Net {
    let critical: Vec<String> = (1..=n).map(|i| format!("critical{i}")).collect();
    let property = ("exclusion", format!("AG {} <= 1", critical.join(" + ")));
    let mut net = net(format!("fischer{n}"), property);
    let lock: Vec<PlaceId> = (0..=n)
        .map(|i| {
            let name = if i == 0 { "free".to_owned() } else { format!("taken{i}") };
            net.add_place(name, u32::from(i == 0))
        })
        .collect();
    for i in 1..=n {
        let mut place = |what: &str, tokens: u32| net.add_place(format!("{what}{i}"), tokens);
        let (idle, request, write) = (place("idle", 1), place("request", 0), place("write", 0));
        let (wait, test, inside) = (place("wait", 0), place("test", 0), place("critical", 0));
        let own = lock[i as usize];
        moves(&mut net, format!("ask{i}"), &[idle, lock[0]], &[request, lock[0]]);
        // The decision to write takes time, the writing none, so that another value does not start the clock again.
        within(&mut net, format!("decide{i}"), (0, 1), &[request], &[write]);
        for (j, other) in lock.iter().enumerate() {
            within(&mut net, format!("write{i}over{j}"), (0, 0), &[write, *other], &[wait, own]);
        }
        let least = if faulty { 0 } else { 2 };
        within(&mut net, format!("wait{i}"), (least, 2), &[wait], &[test]);
        within(&mut net, format!("enter{i}"), (0, 0), &[test, own], &[inside, own]);
        for (j, other) in lock.iter().enumerate().filter(|(j, _)| *j != i as usize) {
            within(&mut net, format!("retry{i}at{j}"), (0, 0), &[test, *other], &[idle, *other]);
        }
        moves(&mut net, format!("leave{i}"), &[inside, own], &[idle, lock[0]]);
    }
    net
}

/// `n` processes that share a lock, with delays of places: each works for some time and then enters if the lock is
/// free; otherwise it rests until a time-out, and works again. The faulty variant enters when it has rested.
#[must_use]
pub fn timeouts(n: u32, faulty: bool) -> Net {
    let inside: Vec<String> = (1..=n).map(|i| format!("inside{i}")).collect();
    let property = ("exclusion", format!("AG {} <= 1", inside.join(" + ")));
    let mut net = net(format!("timeouts{n}"), property);
    let lock = delayed(&mut net, "lock".to_owned(), 1, 0, 0);
    for i in 1..=n {
        let work = delayed(&mut net, format!("work{i}"), 1, i, 2 * i);
        let rest = delayed(&mut net, format!("rest{i}"), 0, 2, 3);
        let inside = delayed(&mut net, format!("inside{i}"), 0, 1, 2);
        moves(&mut net, format!("enter{i}"), &[work, lock], &[inside]);
        moves(&mut net, format!("leave{i}"), &[inside], &[work, lock]);
        let fail = moves(&mut net, format!("fail{i}"), &[work], &[rest]);
        net.add_inhibitor(fail, lock, 1);
        let after = if faulty { inside } else { work };
        moves(&mut net, format!("again{i}"), &[rest], &[after]);
    }
    net
}

/// A pipeline of `n` stages, each of which takes one to two units of time for a workpiece, with delays of places.
#[must_use]
pub fn pipeline(n: u32) -> Net {
    let property = ("in_time", format!("EF (busy{n} = 1 && time <= {n})"));
    let mut net = net(format!("pipeline{n}"), property);
    let mut stages = Vec::new();
    for i in 1..=n {
        let free = delayed(&mut net, format!("free{i}"), 1, 0, 0);
        let busy = delayed(&mut net, format!("busy{i}"), 0, 1, 2);
        stages.push((free, busy));
    }
    // A workpiece leaves the stage before, which is free then, and enters the next one, which must be free.
    for i in 0..=n as usize {
        let (before, next) = (i.checked_sub(1).map(|i| stages[i]), stages.get(i).copied());
        let from: Vec<PlaceId> =
            before.map(|(_, busy)| busy).into_iter().chain(next.map(|(free, _)| free)).collect();
        let to: Vec<PlaceId> =
            before.map(|(free, _)| free).into_iter().chain(next.map(|(_, busy)| busy)).collect();
        moves(&mut net, format!("move{i}"), &from, &to);
    }
    net
}

/// A job shop: `n` jobs visit three machines, each job in an order of its own, with delays of places. The property asks
/// whether all jobs can be done in a time; in the faulty variant that is shorter than one job takes.
#[must_use]
pub fn jobshop(n: u32, faulty: bool) -> Net {
    let done: Vec<String> = (1..=n).map(|i| format!("done{i} = 1")).collect();
    let limit = if faulty { 5 } else { 6 + 4 * n };
    let property = ("in_time", format!("EF ({} && time <= {limit})", done.join(" && ")));
    let mut net = net(format!("jobshop{n}"), property);
    let machines: Vec<PlaceId> = (1..=3).map(|m| delayed(&mut net, format!("machine{m}"), 1, 0, 0)).collect();
    for i in 1..=n {
        let mut before = delayed(&mut net, format!("ready{i}"), 1, 0, 2 * n);
        for step in 0..3_usize {
            let machine = machines[(i as usize + step) % 3];
            let least = 2 + (i + step as u32) % 2;
            let busy = delayed(&mut net, format!("job{i}step{}", step + 1), 0, least, least + 1);
            let (name, last) = (format!("job{i}begin{}", step + 1), step == 2);
            moves(&mut net, name, &[before, machine], &[busy]);
            let next = match last {
                true => delayed(&mut net, format!("done{i}"), 0, 0, 0),
                false => delayed(&mut net, format!("job{i}waits{}", step + 1), 0, 0, 2 * n),
            };
            moves(&mut net, format!("job{i}end{}", step + 1), &[busy], &[next, machine]);
            before = next;
        }
    }
    net
}
