//! AIGER witnesses: the initial latches and the inputs of each step of a run to a bad state, in both directions.

use crate::certificate::{Certificate, TraceState, value_text};
use crate::diagnostic::Diagnostic;
use crate::expr::VarId;
use crate::system::{State, System};
use solver_lite::term::Value;

use super::{Builder, Circuit, read};

/// The circuit of a text, with its system's variables.
fn known(text: &str) -> Result<(Circuit, System), Vec<Diagnostic>> {
    let circuit = read::circuit(text).map_err(|d| vec![d])?;
    let gates: Vec<_> = circuit.ordered().map_err(|d| vec![d])?;
    let system = Builder::new(&circuit).system(&gates)?;
    Ok((circuit, system))
}

/// The witness of a run of the circuit; `None` for a certificate that is not a run, or is of another circuit.
#[must_use]
pub fn witness(text: &str, certificate: &Certificate) -> Option<String> {
    let Certificate::Trace { states } = certificate else { return None };
    let (circuit, system) = known(text).ok()?;
    let bit =
        |state: &TraceState, v: usize| state.values.get(v).map(|(_, x)| if x == "true" { '1' } else { '0' });
    let (latches, inputs) = (circuit.latches.len(), circuit.inputs.len());
    let bits = |state: &TraceState, from: usize, n: usize| {
        (from..from + n).map(|v| bit(state, v)).collect::<Option<String>>()
    };
    let last = system.edges.get(states.last()?.edge? as usize)?;
    let bad = system.edges.iter().filter(|e| e.target == last.target).position(|e| e == last)?;
    let mut out = format!("1\nb{bad}\n{}\n", bits(states.get(1)?, 0, latches)?);
    for state in &states[2..] {
        out.push_str(&bits(state, latches, inputs)?);
        out.push('\n');
    }
    out.push_str(".\n");
    Some(out)
}

/// The run described by a witness, which ends at the bad-state property that the witness names.
///
/// # Errors
/// Why there is none.
pub fn read_witness(text: &str, witness: &str) -> Result<Certificate, String> {
    let (circuit, system) = known(text).map_err(|d| d[0].message.clone())?;
    let mut lines = witness.lines().map(str::trim_end).skip_while(|l| l.starts_with('c'));
    match lines.next() {
        Some("1") => {}
        Some("0" | "2") => return Err("the witness does not state that the circuit is unsafe".to_owned()),
        _ => return Err("a witness starts with 1".to_owned()),
    }
    let mut next = || lines.next().ok_or("the witness ends too early");
    let property = next()?;
    let which: Option<usize> = property.strip_prefix('b').and_then(|n| n.parse().ok());
    let which = which.ok_or_else(|| format!("'{property}' is not a bad property"))?;
    let error = system.error.ok_or("the circuit has no bad property")?;
    let ends: Vec<usize> = (0..system.edges.len()).filter(|e| system.edges[*e].target == error).collect();
    let last = *ends.get(which).ok_or_else(|| format!("the circuit has no bad property {property}"))?;
    let bits = |line: &str, n: usize| -> Result<Vec<Value>, String> {
        let all: Vec<Value> = line.chars().map(|c| Value::Bool(c == '1')).collect();
        let fits = all.len() == n && line.chars().all(|c| "01x".contains(c));
        if fits { Ok(all) } else { Err(format!("'{line}' is not a line of {n} bits")) }
    };
    let mut state: State = system.variables.iter().map(|v| v.ty.some_value()).collect();
    let latches = bits(next()?, circuit.latches.len())?;
    state[..latches.len()].clone_from_slice(&latches);
    let mut inputs = Vec::new();
    loop {
        match next()? {
            "." => break,
            line => inputs.push(bits(line, circuit.inputs.len())?),
        }
    }
    if lines.next().is_some_and(|l| !l.is_empty() && !l.starts_with('c')) {
        return Err("the witness contains text after its end".to_owned());
    }
    let mut states = vec![shown(&system, None, &state)];
    let edges = std::iter::once(0).chain((1..inputs.len()).map(|_| 1)).chain([last]);
    let none = Vec::new();
    for (edge, values) in edges.zip(std::iter::once(&none).chain(&inputs)) {
        let mut choose = |v: VarId| values[v.index() - latches.len()].clone();
        let after = system.post(&system.edges[edge].op, &state, &mut choose).map_err(|e| e.to_string())?;
        state = after.ok_or_else(|| format!("step {} of the witness is not possible", states.len() - 1))?;
        if edge == 0 && state[..latches.len()] != latches {
            return Err("the latches of the witness are not initial ones".to_owned());
        }
        states.push(shown(&system, Some(edge), &state));
    }
    Ok(Certificate::Trace { states })
}

fn shown(system: &System, edge: Option<usize>, state: &State) -> TraceState {
    let location = edge.map_or(system.initial, |e| system.edges[e].target);
    let values = system.variables.iter().zip(state).map(|(v, x)| (v.name.clone(), value_text(x))).collect();
    let edge = edge.and_then(|e| u32::try_from(e).ok());
    TraceState { edge, location: system.location(location).name.clone(), values }
}
