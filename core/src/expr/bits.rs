//! Bit-vector operators on machine words, with the semantics of SMT-LIB.

use solver_lite::number::Q;

use crate::expr::{BvBinary, BvCompare, Type};

/// The width of a bit-vector type.
///
/// # Panics
/// For any other type.
pub(crate) fn width(ty: &Type) -> u32 {
    match ty {
        Type::Bv(n) => *n,
        other => panic!("{other} is not a bit-vector type"),
    }
}

/// The number with these bits.
pub(crate) fn to_q(value: u64) -> Q {
    match i64::try_from(value) {
        Ok(small) => Q::from(small),
        Err(_) => &Q::from((value >> 1).cast_signed()) * &Q::from(2) + Q::from((value & 1).cast_signed()),
    }
}

/// The bits of a number between 0 and 2^64 − 1.
///
/// # Panics
/// If the number is not in this range.
pub(crate) fn from_q(q: &Q) -> u64 {
    if let Some(small) = q.to_i64() {
        return u64::try_from(small).expect("bit-vector values are not negative");
    }
    let half = q.div_euclid(&Q::from(2)).to_i64().expect("bit-vector values fit 64 bits");
    let low = q.rem_euclid(&Q::from(2)).to_i64().expect("0 or 1");
    (half.cast_unsigned() << 1) | low.cast_unsigned()
}

/// 2^n.
pub(crate) fn power(n: u32) -> Q {
    &to_q(1 << (n / 2)) * &to_q(1 << (n - n / 2))
}

/// All ones.
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The value in two's complement.
pub(crate) fn signed(value: u64, width: u32) -> i64 {
    (value << (64 - width)).cast_signed() >> (64 - width)
}

/// The value of a comparison.
pub(crate) fn compare(op: BvCompare, a: u64, b: u64, width: u32) -> bool {
    let (sa, sb) = (signed(a, width), signed(b, width));
    match op {
        BvCompare::Ult => a < b,
        BvCompare::Ule => a <= b,
        BvCompare::Ugt => a > b,
        BvCompare::Uge => a >= b,
        BvCompare::Slt => sa < sb,
        BvCompare::Sle => sa <= sb,
        BvCompare::Sgt => sa > sb,
        BvCompare::Sge => sa >= sb,
    }
}

/// The value of a shift, rotation or division.
pub(crate) fn binary(op: BvBinary, a: u64, b: u64, width: u32) -> u64 {
    let (sa, sb) = (i128::from(signed(a, width)), i128::from(signed(b, width)));
    let low = |v: i128| (v as u64) & mask(width);
    let turn = (b % u64::from(width)) as u32;
    let rotate = |left: u32| if left == 0 { a } else { ((a << left) | (a >> (width - left))) & mask(width) };
    let out = b >= u64::from(width);
    match op {
        BvBinary::Shl => {
            if out {
                0
            } else {
                (a << b) & mask(width)
            }
        }
        BvBinary::Lshr => {
            if out {
                0
            } else {
                a >> b
            }
        }
        BvBinary::Ashr => low(sa >> b.min(64)),
        BvBinary::Rol => rotate(turn),
        BvBinary::Ror => rotate((width - turn) % width),
        BvBinary::Udiv => a.checked_div(b).unwrap_or(mask(width)),
        BvBinary::Urem => a.checked_rem(b).unwrap_or(a),
        BvBinary::Sdiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                mask(width)
            }
        }
        BvBinary::Sdiv => low(sa / sb),
        BvBinary::Srem | BvBinary::Smod if b == 0 => a,
        BvBinary::Srem => low(sa % sb),
        BvBinary::Smod => {
            let r = sa % sb;
            low(if r != 0 && (r < 0) != (sb < 0) { r + sb } else { r })
        }
    }
}
