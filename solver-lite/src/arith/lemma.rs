//! Theory lemmas: contradictory literals, with the certificate.

use crate::cdcl::lit::Lit;
use crate::number::Q;
use crate::proof::Certificate;

/// Contradictory literals, and the certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lemma {
    /// Ascending, unless the certificate pairs them.
    pub(crate) lits: Vec<Lit>,
    pub(crate) certificate: Certificate,
}

impl Lemma {
    /// Merges repeated literals of a weighted sum.
    pub(crate) fn farkas(mut sum: Vec<(Lit, Q)>) -> Lemma {
        sum.sort_by_key(|(l, _)| *l);
        let mut lits: Vec<Lit> = Vec::with_capacity(sum.len());
        let mut coefficients: Vec<Q> = Vec::with_capacity(sum.len());
        for (l, q) in sum {
            if lits.last() == Some(&l) {
                *coefficients.last_mut().expect("as many as literals") += &q;
            } else {
                lits.push(l);
                coefficients.push(q);
            }
        }
        Lemma { lits, certificate: Certificate::Farkas(coefficients) }
    }

    /// A negative cycle of differences.
    pub(crate) fn cycle(mut lits: Vec<Lit>) -> Lemma {
        lits.sort_unstable();
        Lemma { lits, certificate: Certificate::Cycle }
    }

    /// Memory in words, approximately.
    pub(crate) fn size(&self) -> usize {
        let numbers = match &self.certificate {
            Certificate::Farkas(q) | Certificate::Modular(q) => 6 * q.len(),
            Certificate::Cycle => 0,
        };
        12 + self.lits.len() + numbers
    }
}
