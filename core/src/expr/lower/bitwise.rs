//! Bitwise operators, by integer division and remainder.
//!
//! With a constant operand the result is a sum of slices `(x div 2^i) mod 2^k`, for any width. Two variable operands
//! are encoded bit by bit (shifts and divisions by cases over the values of an operand), which is limited to small
//! widths.

use solver_lite::number::Q;
use solver_lite::term::Term;

use super::{Lowered, Lowering};
use crate::diagnostic::Diagnostic;
use crate::expr::{BvBinary, BvCompare, Expr, Nary, bits};

/// The largest width for which two variable operands are combined bit by bit.
const BITWISE: u32 = 16;
/// The largest width for which a variable divisor is encoded by cases over its values.
const DIVISORS: u32 = 6;

fn too_wide<T>(e: &Expr, what: &str, limit: u32) -> Result<T, Diagnostic> {
    let message = format!(
        "{what} of two variable bit-vectors is supported up to {limit} bits, these have {}",
        bits::width(&e.ty)
    );
    Err(Diagnostic::unsupported(e.span, message))
}

impl Lowering<'_> {
    fn word(&self, t: Term) -> Option<u64> {
        self.constant(t).map(|q| bits::from_q(&q))
    }

    /// The bits `from ≤ i < until` of a word of `width` bits, as a number.
    pub(super) fn slice(&mut self, t: Term, from: u32, until: u32, width: u32) -> Term {
        let shifted = if from == 0 { t } else { self.terms.div(t, &bits::power(from)) };
        if until == width { shifted } else { self.terms.modulo(shifted, &bits::power(until - from)) }
    }

    /// Is the highest bit set?
    pub(super) fn is_negative(&mut self, t: Term, width: u32) -> Term {
        let half = self.int(&bits::power(width - 1));
        self.terms.ge(t, half)
    }

    /// The two's complement value.
    fn signed(&mut self, t: Term, width: u32) -> Term {
        let all = self.int(&bits::power(width));
        let shifted = self.terms.sub(t, all);
        let negative = self.is_negative(t, width);
        self.terms.ite(negative, shifted, t)
    }

    pub(super) fn compare(&mut self, op: BvCompare, a: Term, b: Term, width: u32) -> Term {
        let is_signed = matches!(op, BvCompare::Slt | BvCompare::Sle | BvCompare::Sgt | BvCompare::Sge);
        let (a, b) = if is_signed { (self.signed(a, width), self.signed(b, width)) } else { (a, b) };
        match op {
            BvCompare::Ult | BvCompare::Slt => self.terms.lt(a, b),
            BvCompare::Ule | BvCompare::Sle => self.terms.le(a, b),
            BvCompare::Ugt | BvCompare::Sgt => self.terms.gt(a, b),
            BvCompare::Uge | BvCompare::Sge => self.terms.ge(a, b),
        }
    }

    /// `bvmul`, `bvand`, `bvor`, `bvxor` of two words.
    pub(super) fn word_op(&mut self, op: Nary, a: Term, b: Term, e: &Expr) -> Lowered {
        let width = bits::width(&e.ty);
        match (self.word(a), self.word(b)) {
            (_, Some(k)) => return Ok(self.with_constant(op, a, k, width)),
            (Some(k), None) => return Ok(self.with_constant(op, b, k, width)),
            (None, None) if width > BITWISE => return too_wide(e, "a bitwise operator or product", BITWISE),
            (None, None) => {}
        }
        let mut parts = Vec::new();
        for i in 0..width {
            let (x, y) = (self.bit(a, i, width), self.bit(b, i, width));
            let (condition, value) = match op {
                Nary::BvMul => (y, self.terms.scale(&bits::power(i), a)),
                Nary::BvAnd => (self.terms.and([x, y]), self.int(&bits::power(i))),
                Nary::BvOr => (self.terms.or([x, y]), self.int(&bits::power(i))),
                _ => (self.terms.xor(x, y), self.int(&bits::power(i))),
            };
            let zero = self.terms.int(0);
            parts.push(self.terms.ite(condition, value, zero));
        }
        let total = self.terms.add(parts);
        Ok(if op == Nary::BvMul { self.terms.modulo(total, &bits::power(width)) } else { total })
    }

    /// Is bit `i` set?
    fn bit(&mut self, t: Term, i: u32, width: u32) -> Term {
        let slice = self.slice(t, i, i + 1, width);
        let one = self.terms.int(1);
        self.terms.eq(slice, one)
    }

    fn with_constant(&mut self, op: Nary, x: Term, k: u64, width: u32) -> Term {
        let constant = self.int(&bits::to_q(k));
        match op {
            Nary::BvMul => {
                let product = self.terms.scale(&bits::to_q(k), x);
                self.terms.modulo(product, &bits::power(width))
            }
            Nary::BvAnd => self.masked(x, k, width),
            // x | k = k + (x & ~k)
            Nary::BvOr => {
                let rest = self.masked(x, !k & bits::mask(width), width);
                self.terms.add([rest, constant])
            }
            // x ^ k = (x & ~k) + k − (x & k)
            _ => {
                let kept = self.masked(x, !k & bits::mask(width), width);
                let flipped = self.masked(x, k, width);
                let sum = self.terms.add([kept, constant]);
                self.terms.sub(sum, flipped)
            }
        }
    }

    /// `x & k`: the sum of the slices of x under the runs of ones of k.
    fn masked(&mut self, x: Term, k: u64, width: u32) -> Term {
        let mut parts = Vec::new();
        let mut i = 0;
        while i < width {
            let ones = (k >> i).trailing_ones().min(width - i);
            if ones > 0 {
                let slice = self.slice(x, i, i + ones, width);
                parts.push(self.terms.scale(&bits::power(i), slice));
            }
            i += ones + 1;
        }
        self.terms.add(parts)
    }

    /// Shifts, rotations and divisions.
    pub(super) fn bv_binary(&mut self, op: BvBinary, a: Term, b: Term, ab: &[Expr; 2], e: &Expr) -> Lowered {
        use BvBinary::{Ashr, Lshr, Rol, Ror, Shl};
        let width = bits::width(&e.ty);
        let shift = matches!(op, Shl | Ashr | Lshr | Rol | Ror);
        if let Some(k) = self.word(b) {
            return Ok(if shift { self.shift(op, a, k, width) } else { self.divide(op, a, k, width) });
        }
        if !shift && width > DIVISORS {
            let mut place = e.clone();
            place.span = ab[1].span;
            return too_wide(&place, "division", DIVISORS);
        }
        if shift && width > BITWISE {
            return too_wide(e, "a shift", BITWISE);
        }
        // Larger amounts change nothing further; rotations repeat.
        let rotation = matches!(op, Rol | Ror);
        let (amount, last) = if rotation {
            (self.terms.modulo(b, &Q::from(i64::from(width))), u64::from(width - 1))
        } else if shift {
            (b, u64::from(width).min(bits::mask(width)))
        } else {
            (b, bits::mask(width))
        };
        let value =
            |l: &mut Self, k| if shift { l.shift(op, a, k, width) } else { l.divide(op, a, k, width) };
        let mut total = value(self, last);
        for k in (0..last).rev() {
            let this = value(self, k);
            let bound = self.int(&bits::to_q(k));
            let here = self.terms.eq(amount, bound);
            total = self.terms.ite(here, this, total);
        }
        Ok(total)
    }

    /// A shift or rotation by a constant amount.
    fn shift(&mut self, op: BvBinary, a: Term, k: u64, width: u32) -> Term {
        let n = u32::try_from(k.min(u64::from(width))).expect("at most 64");
        let turn = u32::try_from(k % u64::from(width)).expect("less than 64");
        match op {
            BvBinary::Shl if n == width => self.terms.int(0),
            BvBinary::Shl => {
                let low = self.slice(a, 0, width - n, width);
                self.terms.scale(&bits::power(n), low)
            }
            BvBinary::Lshr if n == width => self.terms.int(0),
            BvBinary::Lshr => self.slice(a, n, width, width),
            // floor(signed / 2^n), mapped to 0 … 2^width − 1
            BvBinary::Ashr => {
                let value = self.signed(a, width);
                let shifted = self.terms.div(value, &bits::power(n));
                self.terms.modulo(shifted, &bits::power(width))
            }
            BvBinary::Ror => self.rotate(a, (width - turn) % width, width),
            _ => self.rotate(a, turn, width),
        }
    }

    fn rotate(&mut self, a: Term, left: u32, width: u32) -> Term {
        if left == 0 {
            return a;
        }
        let low = self.slice(a, 0, width - left, width);
        let high = self.slice(a, width - left, width, width);
        let scaled = self.terms.scale(&bits::power(left), low);
        self.terms.add([scaled, high])
    }

    /// A division or remainder by a constant; by zero as in SMT-LIB.
    fn divide(&mut self, op: BvBinary, a: Term, k: u64, width: u32) -> Term {
        let divisor = bits::to_q(k);
        match op {
            BvBinary::Udiv if k == 0 => self.int(&bits::to_q(bits::mask(width))),
            BvBinary::Udiv => self.terms.div(a, &divisor),
            BvBinary::Urem if k == 0 => a,
            BvBinary::Urem => self.terms.modulo(a, &divisor),
            BvBinary::Sdiv if k == 0 => {
                let (one, ones) = (self.terms.int(1), self.int(&bits::to_q(bits::mask(width))));
                let negative = self.is_negative(a, width);
                self.terms.ite(negative, one, ones)
            }
            _ if k == 0 => a,
            _ => self.signed_divide(op, a, bits::signed(k, width), width),
        }
    }

    fn signed_divide(&mut self, op: BvBinary, a: Term, k: i64, width: u32) -> Term {
        let (size, zero) = (Q::from(k).abs(), self.terms.int(0));
        let value = self.signed(a, width);
        let minus = self.terms.neg(value);
        let below = self.terms.lt(value, zero);
        let result = match op {
            // towards zero: the quotient of the absolute values, with the sign of the product
            BvBinary::Sdiv => {
                let (up, down) = (self.terms.div(value, &size), self.terms.div(minus, &size));
                let (up_minus, down_minus) = (self.terms.neg(up), self.terms.neg(down));
                if k > 0 {
                    self.terms.ite(below, down_minus, up)
                } else {
                    self.terms.ite(below, down, up_minus)
                }
            }
            BvBinary::Srem => {
                let (up, down) = (self.terms.modulo(value, &size), self.terms.modulo(minus, &size));
                let down_minus = self.terms.neg(down);
                self.terms.ite(below, down_minus, up)
            }
            // the sign of the divisor
            _ if k > 0 => self.terms.modulo(value, &size),
            _ => {
                let mirrored = self.terms.modulo(minus, &size);
                self.terms.neg(mirrored)
            }
        };
        self.terms.modulo(result, &bits::power(width))
    }
}
