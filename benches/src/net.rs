//! Safe P-time Petri nets with inhibitor arcs: a token may be consumed once its age reaches the place's lower bound,
//! and is ready once its age reaches the upper bound.

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// Ages between which a token becomes ready.
    pub delay: (u32, u32),
    /// Does it have a token at the start?
    pub marked: bool,
    /// Is it marked in a timed goal?
    pub goal: bool,
}

/// A transition, by places.
#[derive(Clone, Debug, Default)]
pub struct Transition {
    /// Places that lose a token.
    pub inputs: Vec<usize>,
    /// Places that get one.
    pub outputs: Vec<usize>,
    /// Places that must not have a ready token.
    pub inhibitors: Vec<usize>,
}

/// A net.
#[derive(Clone, Debug, Default)]
pub struct Net {
    /// The places.
    pub places: Vec<Place>,
    /// The transitions, in the order in which they may fire within a step.
    pub transitions: Vec<Transition>,
}

impl Net {
    fn place(&mut self, low: u32, high: u32, marked: bool) -> usize {
        self.places.push(Place { delay: (low, high), marked, goal: false });
        self.places.len() - 1
    }

    fn transition(&mut self, inputs: &[usize], outputs: &[usize], inhibitors: &[usize]) {
        self.transitions.push(Transition {
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            inhibitors: inhibitors.to_vec(),
        });
    }
}

/// `n` producers and consumers that share one mutex; a producer waits while its buffer is full. `wrong`: the last one
/// does not release the mutex.
#[must_use]
pub fn mutex(n: usize, wrong: bool) -> Net {
    let mut net = Net::default();
    let mutex = net.place(0, 0, true);
    for i in 0..n {
        let idle = net.place(1, 3, true);
        let wants = net.place(0, 1, false);
        let inside = net.place(2, 4, false);
        let full = net.place(1, 2, false);
        let waits = net.place(0, 2, true);
        let uses = net.place(2, 3, false);
        net.places[full].goal = true;
        net.transition(&[idle], &[wants], &[full]);
        net.transition(&[wants, mutex], &[inside], &[]);
        let back: &[usize] = if wrong && i + 1 == n { &[full, idle] } else { &[full, idle, mutex] };
        net.transition(&[inside], back, &[full]);
        net.transition(&[full, waits], &[uses], &[]);
        net.transition(&[uses], &[waits], &[]);
    }
    net
}

/// `n` philosophers. `wrong`: each takes the left fork first; otherwise both at once.
#[must_use]
pub fn phil(n: usize, wrong: bool) -> Net {
    let mut net = Net::default();
    let forks: Vec<usize> = (0..n).map(|_| net.place(0, 0, true)).collect();
    for i in 0..n {
        let (left, right) = (forks[i], forks[(i + 1) % n]);
        let thinks = net.place(1, 4, true);
        let eats = net.place(2, 3, false);
        net.places[eats].goal = true;
        if wrong {
            let holds = net.place(1, 2, false);
            net.transition(&[thinks, left], &[holds], &[]);
            net.transition(&[holds, right], &[eats], &[]);
        } else {
            net.transition(&[thinks, left, right], &[eats], &[]);
        }
        net.transition(&[eats], &[thinks, left, right], &[]);
    }
    net
}

/// `n` chains of `length` places that meet at a barrier and start again.
#[must_use]
pub fn pipe(n: usize, length: usize) -> Net {
    let mut net = Net::default();
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for i in 0..n as u32 {
        let chain: Vec<usize> =
            (0..length as u32).map(|j| net.place(1 + (i + j) % 3, 3 + (i * j) % 3, j == 0)).collect();
        for pair in chain.windows(2) {
            net.transition(&pair[..1], &pair[1..], &[]);
        }
        first.push(chain[0]);
        last.push(chain[length - 1]);
        net.places[chain[length - 1]].goal = true;
    }
    net.transition(&last, &first, &[]);
    net
}
