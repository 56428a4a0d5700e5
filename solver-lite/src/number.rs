//! Exact rational numbers with a fast path.
//!
//! Invariant: a value that fits `numerator: i64, denominator: i64` (in lowest terms, denominator > 0)
//! is always `Small`; everything else is `Big`. Arithmetic promotes on overflow and demotes when it can,
//! so equality and hashing are structural and nothing ever wraps.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Q(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Lowest terms, positive denominator.
    Small(i64, i64),
    Big(Box<RBig>),
}
use Repr::{Big, Small};

/// Division of 128 bits is a slow library call, so it stops as soon as both numbers are short.
fn gcd_u128(mut a: u128, mut b: u128) -> u128 {
    loop {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd_u64(a, b).into();
        }
        if b == 0 {
            return a;
        }
        (a, b) = (b, a % b);
    }
}

/// Stein's algorithm: shifts and subtractions only.
fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a << shift
}

impl Q {
    /// 0.
    pub const ZERO: Q = Q(Small(0, 1));
    /// 1.
    pub const ONE: Q = Q(Small(1, 1));
    /// −1.
    pub const MINUS_ONE: Q = Q(Small(-1, 1));

    /// `numerator / denominator` in lowest terms.
    ///
    /// # Panics
    /// If `denominator` is zero.
    #[must_use]
    pub fn ratio(numerator: i64, denominator: i64) -> Q {
        assert!(denominator != 0, "a rational number with denominator zero");
        Q::from_i128(i128::from(numerator), i128::from(denominator))
    }

    /// Normalises a fraction; `den` is not zero.
    fn from_i128(num: i128, den: i128) -> Q {
        if den == 1
            && let Ok(n) = i64::try_from(num)
        {
            return Q(Small(n, 1));
        }
        let g = gcd_u128(num.unsigned_abs(), den.unsigned_abs());
        let negative = (num < 0) != (den < 0);
        let (n, d) = (num.unsigned_abs() / g, den.unsigned_abs() / g);
        let signed = i128::try_from(n).map(|n| if negative { -n } else { n });
        if let (Some(n), Ok(d)) = (signed.ok().and_then(|n| i64::try_from(n).ok()), i64::try_from(d)) {
            return Q(Small(n, d));
        }
        let big = IBig::from(n);
        let big = if negative { -big } else { big };
        Q(Big(Box::new(RBig::from_parts(big, UBig::from(d)))))
    }

    fn from_big(big: RBig) -> Q {
        if let (Ok(n), Ok(d)) = (i64::try_from(big.numerator()), i64::try_from(big.denominator())) {
            Q(Small(n, d))
        } else {
            Q(Big(Box::new(big)))
        }
    }

    fn to_big(&self) -> RBig {
        match &self.0 {
            Small(n, d) => {
                RBig::from_parts(IBig::from(*n), UBig::try_from(*d).expect("positive denominator"))
            }
            Big(b) => (**b).clone(),
        }
    }

    /// Is this 0?
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// Is this 1?
    #[must_use]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1, 1))
    }

    /// Is this an integer?
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, d) => *d == 1,
            Big(b) => b.denominator() == &UBig::ONE,
        }
    }

    /// Is this below 0?
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Small(n, _) => *n < 0,
            Big(b) => **b < RBig::ZERO,
        }
    }

    /// Is this above 0?
    #[must_use]
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Q {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The largest integer that is at most this.
    #[must_use]
    pub fn floor(&self) -> Q {
        match &self.0 {
            Small(n, d) => Q(Small(n.div_euclid(*d), 1)),
            Big(b) => Q::from_big(RBig::from(b.floor())),
        }
    }

    /// The smallest integer that is at least this.
    #[must_use]
    pub fn ceil(&self) -> Q {
        -&(-self).floor()
    }

    /// 1 / self.
    ///
    /// # Panics
    /// If this is zero.
    #[must_use]
    pub fn recip(&self) -> Q {
        assert!(!self.is_zero(), "division by zero");
        match &self.0 {
            Small(n, d) => Q::from_i128(i128::from(*d), i128::from(*n)),
            Big(b) => Q::from_big(RBig::ONE / (**b).clone()),
        }
    }

    /// The numerator in lowest terms (carries the sign), an integer.
    #[must_use]
    pub fn numerator(&self) -> Q {
        match &self.0 {
            Small(n, _) => Q(Small(*n, 1)),
            Big(b) => Q::from_big(RBig::from(b.numerator().clone())),
        }
    }

    /// The positive denominator in lowest terms, an integer.
    #[must_use]
    pub fn denominator(&self) -> Q {
        match &self.0 {
            Small(_, d) => Q(Small(*d, 1)),
            Big(b) => Q::from_big(RBig::from(b.denominator().clone())),
        }
    }

    /// The bits of numerator and denominator together; 128 at least.
    #[must_use]
    pub fn bits(&self) -> usize {
        match &self.0 {
            Small(..) => 128,
            Big(b) => b.numerator().bit_len() + b.denominator().bit_len(),
        }
    }

    /// Does the product of these numbers exceed the limit for input? Squaring forty times would exhaust any memory.
    #[must_use]
    pub fn product_is_too_large(&self, other: &Q) -> bool {
        self.bits() + other.bits() > Q::BITS
    }

    /// Limit of the bits of products of constants in input.
    pub const BITS: usize = 1 << 16;

    /// The value as `i64` if it is an integer that fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Small(n, 1) => Some(n),
            _ => None,
        }
    }

    /// Machine words the number takes beyond the fast path.
    #[must_use]
    pub(crate) fn words(&self) -> usize {
        match &self.0 {
            Small(..) => 0,
            Big(b) => b.numerator().as_sign_words().1.len() + b.denominator().as_words().len(),
        }
    }

    /// Greatest common divisor of two integers, not negative; gcd(0, 0) = 0.
    ///
    /// # Panics
    /// If an argument is not an integer.
    #[must_use]
    pub fn gcd(&self, other: &Q) -> Q {
        let (mut a, mut b) = (self.abs(), other.abs());
        assert!(a.is_integer() && b.is_integer(), "gcd of fractions");
        if let (Small(a, _), Small(b, _)) = (&a.0, &b.0) {
            let gcd = gcd_u64(a.unsigned_abs(), b.unsigned_abs());
            return Q::from_i128(gcd.into(), 1);
        }
        while !b.is_zero() {
            let r = &a - &(&b * &(&a / &b).floor());
            (a, b) = (b, r);
        }
        a
    }

    /// Least common multiple of two positive integers.
    #[must_use]
    pub fn lcm(&self, other: &Q) -> Q {
        &(self * other) / &self.gcd(other)
    }

    /// Adds `factor · other`.
    #[inline]
    pub fn add_product(&mut self, factor: &Q, other: &Q) {
        if let (Small(n, 1), Small(f, 1), Small(o, 1)) = (&mut self.0, &factor.0, &other.0)
            && let Some(sum) = f.checked_mul(*o).and_then(|p| n.checked_add(p))
        {
            *n = sum;
        } else {
            *self += &(factor * other);
        }
    }

    /// Euclidean quotient as in SMT-LIB: `self = d·q + r` with `0 ≤ r < |d|`, for integers, `d ≠ 0`.
    ///
    /// # Panics
    /// If `d` is zero.
    #[must_use]
    pub fn div_euclid(&self, d: &Q) -> Q {
        let q = self / d;
        if d.is_negative() { q.ceil() } else { q.floor() }
    }

    /// Euclidean remainder as in SMT-LIB: see [`Q::div_euclid`].
    ///
    /// # Panics
    /// If `d` is zero.
    #[must_use]
    pub fn rem_euclid(&self, d: &Q) -> Q {
        self - &(d * &self.div_euclid(d))
    }
}

impl Default for Q {
    fn default() -> Q {
        Q::ZERO
    }
}

impl From<i64> for Q {
    fn from(n: i64) -> Q {
        Q(Small(n, 1))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $checked:ident, |$a:ident, $b:ident, $c:ident, $d:ident| $small:expr, $op:tt) => {
        impl $trait<&Q> for &Q {
            type Output = Q;
            #[inline]
            fn $method(self, other: &Q) -> Q {
                if let (Small(a, 1), Small(b, 1)) = (&self.0, &other.0)
                    && let Some(n) = a.$checked(*b)
                {
                    return Q(Small(n, 1));
                }
                if let (Small($a, $b), Small($c, $d)) = (&self.0, &other.0) {
                    let ($a, $b, $c, $d) =
                        (i128::from(*$a), i128::from(*$b), i128::from(*$c), i128::from(*$d));
                    if let Some((n, d)) = $small {
                        return Q::from_i128(n, d);
                    }
                }
                Q::from_big(self.to_big() $op other.to_big())
            }
        }
        impl $trait<Q> for Q {
            type Output = Q;
            fn $method(self, other: Q) -> Q {
                (&self).$method(&other)
            }
        }
    };
}

operator!(Add, add, checked_add, |a, b, c, d| {
    if b == 1 && d == 1 { Some((a + c, 1)) }
    else { (a * d).checked_add(c * b).map(|n| (n, b * d)) }
}, +);
operator!(Sub, sub, checked_sub, |a, b, c, d| {
    if b == 1 && d == 1 { Some((a - c, 1)) }
    else { (a * d).checked_sub(c * b).map(|n| (n, b * d)) }
}, -);
operator!(Mul, mul, checked_mul, |a, b, c, d| Some((a * c, b * d)), *);

impl Div<&Q> for &Q {
    type Output = Q;
    /// # Panics
    /// If `other` is zero.
    fn div(self, other: &Q) -> Q {
        assert!(!other.is_zero(), "division by zero");
        if let (Small(a, b), Small(c, d)) = (&self.0, &other.0) {
            return Q::from_i128(i128::from(*a) * i128::from(*d), i128::from(*b) * i128::from(*c));
        }
        Q::from_big(self.to_big() / other.to_big())
    }
}
impl Div<Q> for Q {
    type Output = Q;
    fn div(self, other: Q) -> Q {
        &self / &other
    }
}

impl Neg for &Q {
    type Output = Q;
    #[inline]
    fn neg(self) -> Q {
        match &self.0 {
            Small(n, d) if *n != i64::MIN => Q(Small(-n, *d)),
            Small(n, d) => Q::from_i128(-i128::from(*n), i128::from(*d)),
            Big(b) => Q::from_big(-(**b).clone()),
        }
    }
}
impl Neg for Q {
    type Output = Q;
    fn neg(self) -> Q {
        -&self
    }
}

impl AddAssign<&Q> for Q {
    fn add_assign(&mut self, other: &Q) {
        *self = &*self + other;
    }
}
impl SubAssign<&Q> for Q {
    fn sub_assign(&mut self, other: &Q) {
        *self = &*self - other;
    }
}

impl Ord for Q {
    #[inline]
    fn cmp(&self, other: &Q) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a, b), Small(c, d)) => {
                if b == d {
                    a.cmp(c)
                } else {
                    (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
                }
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}
impl PartialOrd for Q {
    fn partial_cmp(&self, other: &Q) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Q {
    /// `n` or `n/d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n, 1) => write!(f, "{n}"),
            Small(n, d) => write!(f, "{n}/{d}"),
            Big(b) => write!(f, "{b}"),
        }
    }
}
impl fmt::Debug for Q {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotANumber;

impl FromStr for Q {
    type Err = NotANumber;
    /// Reads `12`, `-12`, `3/4` and `2.50`.
    fn from_str(s: &str) -> Result<Q, NotANumber> {
        let integer = |t: &str| -> Result<Q, NotANumber> {
            let digits = t.strip_prefix('-').unwrap_or(t);
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(NotANumber);
            }
            t.parse::<i64>()
                .map(Q::from)
                .or_else(|_| IBig::from_str(t).map(|i| Q::from_big(RBig::from(i))).map_err(|_| NotANumber))
        };
        if let Some((n, d)) = s.split_once('/') {
            let d = integer(d)?;
            return if d.is_zero() { Err(NotANumber) } else { Ok(integer(n)? / d) };
        }
        let Some((whole, fraction)) = s.split_once('.') else {
            return integer(s);
        };
        if fraction.is_empty() || fraction.starts_with('-') {
            return Err(NotANumber);
        }
        let scale = integer(&format!("1{}", "0".repeat(fraction.len())))?;
        Ok(integer(&format!("{whole}{fraction}"))? / scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn q(s: &str) -> Q {
        s.parse().unwrap()
    }

    #[test]
    fn promotes_and_comes_back() {
        let max = Q::from(i64::MAX);
        let big = &max * &max;
        assert_eq!(big.to_string(), "85070591730234615847396907784232501249");
        assert_eq!(&big / &max, max);
        assert_eq!(&(&big - &big), &Q::ZERO);
        assert_eq!(-&Q::from(i64::MIN), q("9223372036854775808"));
        assert_eq!(-&(-&Q::from(i64::MIN)), Q::from(i64::MIN));
        assert_eq!(Q::ratio(i64::MIN, -1), q("9223372036854775808"));
    }

    #[test]
    fn small_and_big_paths_agree() {
        let interesting = [
            "0",
            "1",
            "-1",
            "2/3",
            "-7/4",
            "9223372036854775807",
            "-9223372036854775808",
            "1/9223372036854775807",
            "1000000007/3",
        ];
        for a in interesting {
            for b in interesting {
                let (x, y) = (q(a), q(b));
                assert_eq!(&x + &y, Q::from_big(x.to_big() + y.to_big()));
                assert_eq!(&x - &y, Q::from_big(x.to_big() - y.to_big()));
                assert_eq!(&x * &y, Q::from_big(x.to_big() * y.to_big()));
                let mut sum = q("5/7");
                sum.add_product(&x, &y);
                assert_eq!(sum, Q::from_big(q("5/7").to_big() + x.to_big() * y.to_big()));
                if x.is_integer() && y.is_integer() && !(x.is_zero() && y.is_zero()) {
                    let (g, product) = (x.gcd(&y), (&x * &y).abs());
                    assert_eq!(&x.lcm(&y).abs() * &g, product, "gcd({x}, {y})");
                }
                assert_eq!(x.cmp(&y), x.to_big().cmp(&y.to_big()));
                if !y.is_zero() {
                    assert_eq!(&x / &y, Q::from_big(x.to_big() / y.to_big()));
                }
            }
        }
    }

    #[test]
    fn euclidean_division_follows_smt_lib() {
        for (n, d, quotient, remainder) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1)] {
            let (n, d) = (Q::from(n), Q::from(d));
            assert_eq!(n.div_euclid(&d), Q::from(quotient));
            assert_eq!(n.rem_euclid(&d), Q::from(remainder));
        }
    }

    #[test]
    fn parses_and_rounds() {
        assert_eq!(q("2.50"), Q::ratio(5, 2));
        assert_eq!(q("-0.5"), Q::ratio(-1, 2));
        assert_eq!(q("-7/2").floor(), Q::from(-4));
        assert_eq!(q("-7/2").ceil(), Q::from(-3));
        assert!("1/0".parse::<Q>().is_err() && "x".parse::<Q>().is_err() && "".parse::<Q>().is_err());
        assert_eq!(q("12").gcd(&q("-18")), Q::from(6));
        assert_eq!(q("4").lcm(&q("6")), Q::from(12));
    }
}
