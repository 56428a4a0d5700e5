//! The operators of the theories Core, Ints, Reals and Reals_Ints, applied to terms of the right sorts.

use crate::number::Q;
use crate::smtlib::lexer::{Complaint, Place, shorten};
use crate::term::{Sort, Term, Terms, Value};

/// Arguments of a `distinct`, which means a disequality for each pair.
const DISTINCT: usize = 2_000;

/// Where the operator (0) and its arguments (from 1) stand.
type Places<'a> = &'a dyn Fn(usize) -> Place;

/// `(name arguments…)`; there is at least one argument.
pub(crate) fn apply(t: &mut Terms, name: &str, args: &[Term], place: Places) -> Result<Term, Complaint> {
    match name {
        "not" | "and" | "or" | "xor" | "=>" => core(t, name, args, place),
        "=" | "distinct" => equality(t, name, args, place),
        "ite" => ite(t, args, place),
        "+" | "-" | "*" | "/" | "abs" | "to_real" => arithmetic(t, name, args, place),
        "div" | "mod" => division(t, name, args, place),
        "<=" | "<" | ">=" | ">" => comparison(t, name, args, place),
        "to_int" | "is_int" | "divisible" => {
            Err(Complaint::new(place(0), format!("'{name}' is not supported")))
        }
        _ => Err(Complaint::new(place(0), format!("unknown function '{}'", shorten(name)))),
    }
}

fn arity(name: &str, args: &[Term], least: usize, most: usize, place: Places) -> Result<(), Complaint> {
    if (least..=most).contains(&args.len()) {
        return Ok(());
    }
    let wanted = if least == most { least.to_string() } else { format!("at least {least}") };
    Err(Complaint::new(place(0), format!("'{name}' needs {wanted} arguments, {} given", args.len())))
}

/// All arguments are Bool, or all are numbers.
fn all(t: &Terms, args: &[Term], boolean: bool, place: Places) -> Result<(), Complaint> {
    match args.iter().position(|a| (t.sort(*a) == Sort::Bool) != boolean) {
        None => Ok(()),
        Some(i) => {
            let wanted = if boolean { "a Bool" } else { "a number" };
            let message = format!("{wanted} was expected, this is {}", t.sort(args[i]));
            Err(Complaint::new(place(i + 1), message))
        }
    }
}

fn core(t: &mut Terms, name: &str, args: &[Term], place: Places) -> Result<Term, Complaint> {
    match name {
        "not" => arity(name, args, 1, 1, place)?,
        "xor" | "=>" => arity(name, args, 2, usize::MAX, place)?,
        _ => {}
    }
    all(t, args, true, place)?;
    Ok(match name {
        "not" => t.not(args[0]),
        "and" => t.and(args.iter().copied()),
        "or" => t.or(args.iter().copied()),
        "xor" => args[1..].iter().fold(args[0], |a, b| t.xor(a, *b)),
        _ => {
            let mut parts: Vec<Term> = args.iter().map(|a| t.not(*a)).collect();
            *parts.last_mut().expect("two arguments") = args[args.len() - 1];
            t.or(parts)
        }
    })
}

fn equality(t: &mut Terms, name: &str, args: &[Term], place: Places) -> Result<Term, Complaint> {
    arity(name, args, 2, usize::MAX, place)?;
    let boolean = t.sort(args[0]) == Sort::Bool;
    all(t, args, boolean, place)?;
    if name == "=" {
        return Ok(chain(t, args, Terms::eq));
    }
    if boolean && args.len() > 2 {
        return Ok(Term::FALSE);
    }
    if args.len() > DISTINCT {
        let message = format!("'distinct' may have at most {DISTINCT} arguments");
        return Err(Complaint::new(place(0), message));
    }
    Ok(t.distinct(args))
}

fn chain(t: &mut Terms, args: &[Term], relation: fn(&mut Terms, Term, Term) -> Term) -> Term {
    let number = t.sort(args[0]) != Sort::Bool;
    let mut link = |a, b| if number { t.lifted(a, b, relation) } else { relation(t, a, b) };
    let links: Vec<Term> = args.windows(2).map(|w| link(w[0], w[1])).collect();
    t.and(links)
}

fn comparison(t: &mut Terms, name: &str, args: &[Term], place: Places) -> Result<Term, Complaint> {
    arity(name, args, 2, usize::MAX, place)?;
    all(t, args, false, place)?;
    Ok(match name {
        "<=" => chain(t, args, Terms::le),
        "<" => chain(t, args, Terms::lt),
        ">=" => chain(t, args, Terms::ge),
        _ => chain(t, args, Terms::gt),
    })
}

fn ite(t: &mut Terms, args: &[Term], place: Places) -> Result<Term, Complaint> {
    arity("ite", args, 3, 3, place)?;
    all(t, &args[..1], true, place)?;
    let boolean = t.sort(args[1]) == Sort::Bool;
    all(t, &args[1..], boolean, &|i| place(i + 1))?;
    if t.sort(args[1]) == t.sort(args[2]) {
        return Ok(t.ite(args[0], args[1], args[2]));
    }
    let (a, b) = (t.to_real(args[1]), t.to_real(args[2]));
    Ok(t.ite(args[0], a, b))
}

fn constant(t: &Terms, a: Term) -> Option<Q> {
    match t.constant(a) {
        Some(Value::Num(q)) => Some(q),
        _ => None,
    }
}

fn arithmetic(t: &mut Terms, name: &str, args: &[Term], place: Places) -> Result<Term, Complaint> {
    match name {
        "abs" | "to_real" => arity(name, args, 1, 1, place)?,
        "*" | "/" => arity(name, args, 2, usize::MAX, place)?,
        _ => {}
    }
    all(t, args, false, place)?;
    Ok(match name {
        "+" => t.add(args.iter().copied()),
        "-" if args.len() == 1 => t.neg(args[0]),
        "-" => args[1..].iter().fold(args[0], |a, b| t.sub(a, *b)),
        "to_real" => t.to_real(args[0]),
        "abs" => {
            let zero = t.int(0);
            let (positive, negated) = (t.ge(args[0], zero), t.neg(args[0]));
            t.ite(positive, args[0], negated)
        }
        "*" => return product(t, args, place),
        _ => return quotient(t, args, place),
    })
}

fn too_large(at: Place) -> Complaint {
    Complaint::new(at, format!("a product of constants has more than {} bits", Q::BITS))
}

/// All factors but one are constants.
fn product(t: &mut Terms, args: &[Term], place: Places) -> Result<Term, Complaint> {
    let real = args.iter().any(|a| t.sort(*a) == Sort::Real);
    let mut factor = Q::ONE;
    let mut variable = None;
    for (i, a) in args.iter().enumerate() {
        match constant(t, *a) {
            Some(q) if factor.product_is_too_large(&q) => return Err(too_large(place(i + 1))),
            Some(q) => factor = &factor * &q,
            None if variable.is_none() => variable = Some(*a),
            None => {
                let message = "nonlinear: a product may have one factor that is not constant";
                return Err(Complaint::new(place(i + 1), message));
            }
        }
    }
    let t_product = match variable {
        Some(x) => t.scale(&factor, x),
        None => t.num(factor, if real { Sort::Real } else { Sort::Int }),
    };
    Ok(if real { t.to_real(t_product) } else { t_product })
}

fn quotient(t: &mut Terms, args: &[Term], place: Places) -> Result<Term, Complaint> {
    let mut result = t.to_real(args[0]);
    for (i, a) in args.iter().enumerate().skip(1) {
        let q = divisor(t, *a, place(i + 1))?;
        if constant(t, result).is_some_and(|c| c.product_is_too_large(&q)) {
            return Err(too_large(place(i + 1)));
        }
        result = t.scale(&q.recip(), result);
    }
    Ok(t.to_real(result))
}

fn divisor(t: &Terms, a: Term, place: Place) -> Result<Q, Complaint> {
    match constant(t, a) {
        None => Err(Complaint::new(place, "nonlinear: the divisor is not constant")),
        Some(q) if q.is_zero() => Err(Complaint::new(place, "division by zero is not supported")),
        Some(q) => Ok(q),
    }
}

fn division(t: &mut Terms, name: &str, args: &[Term], place: Places) -> Result<Term, Complaint> {
    arity(name, args, 2, if name == "mod" { 2 } else { usize::MAX }, place)?;
    for (i, a) in args.iter().enumerate() {
        if t.sort(*a) != Sort::Int {
            let message = format!("an Int was expected, this is {}", t.sort(*a));
            return Err(Complaint::new(place(i + 1), message));
        }
    }
    let mut result = args[0];
    for (i, a) in args.iter().enumerate().skip(1) {
        let q = divisor(t, *a, place(i + 1))?;
        result = if name == "div" { t.div(result, &q) } else { t.modulo(result, &q) };
    }
    Ok(result)
}
