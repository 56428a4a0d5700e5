//! Families of Petri nets.

use crate::net::{Interval, NamedProperty, Net, PlaceId};

/// An empty net of this name with a property.
pub(super) fn net(name: String, property: (&str, String)) -> Net {
    let (title, text) = property;
    let property = NamedProperty { name: title.to_owned(), text, span: crate::diagnostic::Span::default() };
    Net { name, properties: vec![property], ..Net::default() }
}

/// `n` dining philosophers (Dijkstra, "Hierarchical Ordering of Sequential Processes", 1971): each takes the fork on
/// the left, then the one on the right, eats, and puts both back. All can wait for ever. In the variant without
/// deadlock, the last philosopher takes the forks in the other order.
#[must_use]
pub fn philosophers(n: u32, polite: bool) -> Net {
    let mut net = net(format!("philosophers{n}"), ("no_deadlock", "deadlock-free".to_owned()));
    let mut row = |what: &str, tokens: u32| -> Vec<PlaceId> {
        (1..=n).map(|i| net.add_place(format!("{what}{i}"), tokens)).collect()
    };
    let (think, wait, eat, fork) = (row("think", 1), row("wait", 0), row("eat", 0), row("fork", 1));
    for i in 0..n as usize {
        let (mut first, mut second) = (fork[i], fork[(i + 1) % n as usize]);
        if polite && i + 1 == n as usize {
            std::mem::swap(&mut first, &mut second);
        }
        let name = i + 1;
        net.add_transition(format!("take{name}"), &[(think[i], 1), (first, 1)], &[(wait[i], 1)]);
        net.add_transition(format!("begin{name}"), &[(wait[i], 1), (second, 1)], &[(eat[i], 1)]);
        net.add_transition(format!("end{name}"), &[(eat[i], 1)], &[(think[i], 1), (first, 1), (second, 1)]);
    }
    net
}

/// The kanban system with `n` cards in each of its four cells (Ciardo and Tilgner, "On the Use of Kronecker Operators
/// for the Solution of Generalized Stochastic Petri Nets", 1996).
#[must_use]
pub fn kanban(n: u32) -> Net {
    let property = format!("AG in4 + busy4 + out4 + free4 = {n}");
    let mut net = net(format!("kanban{n}"), ("cards", property));
    let cells: Vec<[PlaceId; 4]> = (1..=4)
        .map(|i| {
            let mut place = |what: &str, tokens: u32| net.add_place(format!("{what}{i}"), tokens);
            [place("in", 0), place("busy", 0), place("out", 0), place("free", n)]
        })
        .collect();
    let [first, second, third, fourth] = [cells[0], cells[1], cells[2], cells[3]];
    net.add_transition("enter", &[(first[3], 1)], &[(first[0], 1)]);
    for (i, cell) in cells.iter().enumerate() {
        let i = i + 1;
        net.add_transition(format!("work{i}"), &[(cell[0], 1)], &[(cell[1], 1)]);
        net.add_transition(format!("redo{i}"), &[(cell[1], 1)], &[(cell[0], 1)]);
        net.add_transition(format!("done{i}"), &[(cell[1], 1)], &[(cell[2], 1)]);
    }
    let split = [(first[2], 1), (second[3], 1), (third[3], 1)];
    net.add_transition("split", &split, &[(first[3], 1), (second[0], 1), (third[0], 1)]);
    let join = [(second[2], 1), (third[2], 1), (fourth[3], 1)];
    net.add_transition("join", &join, &[(second[3], 1), (third[3], 1), (fourth[0], 1)]);
    net.add_transition("leave", &[(fourth[2], 1)], &[(fourth[3], 1)]);
    net
}

/// A chain of `n` buffers of two places each, between a producer and a consumer.
#[must_use]
pub fn producers(n: u32) -> Net {
    let mut net = net(format!("chain{n}"), ("bounded", "2-safe".to_owned()));
    let (ready, made) = (net.add_place("ready", 1), net.add_place("made", 0));
    let buffers: Vec<(PlaceId, PlaceId)> = (1..=n)
        .map(|i| (net.add_place(format!("full{i}"), 0), net.add_place(format!("free{i}"), 2)))
        .collect();
    let (idle, busy) = (net.add_place("idle", 1), net.add_place("busy", 0));
    net.add_transition("produce", &[(ready, 1)], &[(made, 1)]);
    let mut from = vec![(made, 1)];
    let mut back = vec![(ready, 1)];
    for (i, (full, free)) in buffers.into_iter().enumerate() {
        from.push((free, 1));
        back.push((full, 1));
        net.add_transition(format!("move{}", i + 1), &from, &back);
        (from, back) = (vec![(full, 1)], vec![(free, 1)]);
    }
    from.push((idle, 1));
    back.push((busy, 1));
    net.add_transition("get", &from, &back);
    net.add_transition("consume", &[(busy, 1)], &[(idle, 1)]);
    net
}

/// `n` processes that exclude each other by inhibitor arcs: one enters while no other is inside. In the faulty variant
/// the last process does not test the first.
#[must_use]
pub fn exclusion(n: u32, faulty: bool) -> Net {
    let inside: Vec<String> = (1..=n).map(|i| format!("inside{i}")).collect();
    let mut net = net(format!("exclusion{n}"), ("exclusive", format!("AG {} <= 1", inside.join(" + "))));
    let idle: Vec<PlaceId> = (1..=n).map(|i| net.add_place(format!("idle{i}"), 1)).collect();
    let inside: Vec<PlaceId> = inside.into_iter().map(|name| net.add_place(name, 0)).collect();
    for i in 0..n as usize {
        let enter = net.add_transition(format!("enter{}", i + 1), &[(idle[i], 1)], &[(inside[i], 1)]);
        for (j, place) in inside.iter().enumerate().filter(|(j, _)| *j != i) {
            let forgotten = faulty && i + 1 == n as usize && j == 0;
            if !forgotten {
                net.add_inhibitor(enter, *place, 1);
            }
        }
        net.add_transition(format!("leave{}", i + 1), &[(inside[i], 1)], &[(idle[i], 1)]);
    }
    net
}

/// A workflow of `n` parallel tasks, each of which may fail and be repeated, between one start and one end (van der
/// Aalst, "The Application of Petri Nets to Workflow Management", 1998).
#[must_use]
pub fn workflow(n: u32) -> Net {
    let mut net = net(format!("workflow{n}"), ("finishes", "AG EF finish = 1".to_owned()));
    let (start, finish) = (net.add_place("start", 1), net.add_place("finish", 0));
    let mut row = |what: &str| -> Vec<(PlaceId, u32)> {
        (1..=n).map(|i| (net.add_place(format!("{what}{i}"), 0), 1)).collect()
    };
    let (open, done, failed) = (row("open"), row("done"), row("failed"));
    net.add_transition("begin", &[(start, 1)], &open);
    for i in 0..n as usize {
        let name = i + 1;
        net.add_transition(format!("work{name}"), &[open[i]], &[done[i]]);
        net.add_transition(format!("fail{name}"), &[open[i]], &[failed[i]]);
        net.add_transition(format!("repeat{name}"), &[failed[i]], &[open[i]]);
    }
    net.add_transition("end", &done, &[(finish, 1)]);
    net
}

/// Choices that depend on a seed alone (splitmix64).
#[derive(Clone, Debug)]
pub struct Choices(pub u64);

impl Choices {
    /// A number below `n`; 0 if `n` is 0.
    ///
    /// # Panics
    /// Never: the result has 32 bits.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((z ^ z >> 31) % u64::from(n.max(1))).expect("below a 32-bit number")
    }
}

/// The size of a random net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomNet {
    /// The number of places.
    pub places: u32,
    /// The number of transitions.
    pub transitions: u32,
    /// May it have inhibitor arcs?
    pub inhibitors: bool,
    /// The greatest weight of an arc, and the greatest number of tokens of a place at the start.
    pub most: u32,
}

/// A random net of that size, which depends on the seed alone. Most of its transitions keep the number of tokens, so
/// many of these nets are bounded.
#[must_use]
pub fn random(size: RandomNet, seed: u64) -> Net {
    let property = ("no_deadlock", "deadlock-free".to_owned());
    let mut net = net(format!("random{}x{}s{seed}", size.places, size.transitions), property);
    let mut choices = Choices(seed);
    let mut below = |n: u32| choices.below(n);
    let most = size.most.max(1);
    for i in 0..size.places {
        let tokens = if below(2) == 0 { 0 } else { below(most + 1) };
        net.add_place(format!("p{}", i + 1), tokens);
    }
    if size.places == 0 {
        return net;
    }
    for i in 0..size.transitions {
        let mut side = |arcs: u32, weight: u32| -> Vec<(PlaceId, u32)> {
            let mut side: Vec<(PlaceId, u32)> = Vec::new();
            for _ in 0..arcs {
                let place = PlaceId(below(size.places));
                if side.iter().all(|(p, _)| *p != place) {
                    side.push((place, 1 + if below(4) == 0 { below(weight) } else { 0 }));
                }
            }
            side
        };
        let inputs = side(1 + i % 3, most);
        let mut outputs = side(1 + (i / 3) % 3, most);
        let tokens = |side: &[(PlaceId, u32)]| side.iter().map(|(_, w)| w).sum::<u32>();
        // Outputs with more tokens than the inputs are cut for most transitions.
        if below(8) > 0 {
            while tokens(&outputs) > tokens(&inputs) {
                outputs.pop();
            }
        }
        let t = net.add_transition(format!("t{}", i + 1), &inputs, &outputs);
        if size.inhibitors && below(4) == 0 {
            let place = PlaceId(below(size.places));
            if inputs.iter().all(|(p, _)| *p != place) {
                net.add_inhibitor(t, place, 1 + below(most));
            }
        }
    }
    net
}

/// The number of places of a cycle of [`timed`].
const CYCLE: u32 = 5;

/// A random safe P-time net of that size, which depends on the seed alone: cycles of places with one token each, whose
/// moves are synchronized at random. Each transition takes one token from each cycle it belongs to and gives one back,
/// so the net is safe; the first cycle moves alone, so there is always a token that can move. Empty without places, and
/// without transitions if there are fewer than in the first cycle.
#[must_use]
pub fn timed(places: u32, transitions: u32, seed: u64) -> Net {
    let mut net =
        net(format!("timed{places}x{transitions}s{seed}"), ("no_deadlock", "deadlock-free".to_owned()));
    let mut choices = Choices(seed);
    let cycles = (places / CYCLE).max(1).min(places);
    // By cycle, its places.
    let mut members: Vec<Vec<PlaceId>> = vec![Vec::new(); cycles as usize];
    for i in 0..places {
        let cycle = (i % cycles) as usize;
        let place = net.add_place(format!("p{}", i + 1), u32::from(members[cycle].is_empty()));
        let least = choices.below(4);
        net.places[place.index()].delay = Some(Interval {
            least,
            after_least: false,
            most: Some(least + choices.below(4)),
            before_most: false,
        });
        members[cycle].push(place);
    }
    let Some(alone) = members.first().map(Vec::len) else { return net };
    if (transitions as usize) < alone {
        return net;
    }
    // Each move of the other cycles belongs to one of the other transitions, and each of these has a move.
    let others = transitions as usize - alone;
    let mut sides: Vec<Vec<(usize, PlaceId, PlaceId)>> = vec![Vec::new(); others];
    let mut put = |cycle: usize, from: PlaceId, to: PlaceId, at: usize| {
        let free = (0..others)
            .map(|step| (at + step) % others)
            .find(|t| sides[*t].iter().all(|(other, ..)| *other != cycle));
        free.into_iter().for_each(|t| sides[t].push((cycle, from, to)));
    };
    for (cycle, own) in members.iter().enumerate().skip(1).filter(|_| others > 0) {
        for (i, from) in own.iter().enumerate() {
            put(cycle, *from, own[(i + 1) % own.len()], choices.below(others as u32) as usize);
        }
    }
    for side in &mut sides {
        // A transition without a move, and every second one, gets a choice of some cycle.
        let cycle = if cycles > 1 { 1 + choices.below(cycles - 1) as usize } else { 0 };
        let own = &members[cycle];
        let mut any = || own[choices.below(own.len() as u32) as usize];
        let (from, to) = (any(), any());
        let is_free = side.iter().all(|(other, ..)| *other != cycle);
        if side.is_empty() || cycle > 0 && is_free && choices.below(2) == 0 {
            side.push((cycle, from, to));
        }
    }
    let first: Vec<Vec<(usize, PlaceId, PlaceId)>> =
        (0..alone).map(|i| vec![(0, members[0][i], members[0][(i + 1) % alone])]).collect();
    for (i, side) in first.iter().chain(&sides).enumerate() {
        let inputs: Vec<(PlaceId, u32)> = side.iter().map(|(_, from, _)| (*from, 1)).collect();
        let outputs: Vec<(PlaceId, u32)> = side.iter().map(|(.., to)| (*to, 1)).collect();
        let t = net.add_transition(format!("t{}", i + 1), &inputs, &outputs);
        // Some wait until a place of another cycle has no token that is ready; those of the first cycle never do.
        let place = PlaceId(choices.below(places));
        let is_free = side.iter().all(|(_, from, _)| *from != place);
        if i >= alone && is_free && choices.below(8) == 0 {
            net.add_inhibitor(t, place, 1);
        }
    }
    net
}
