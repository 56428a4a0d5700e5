; Four pigeons, three holes: decisions, conflicts, resolution and learned clauses.
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(declare-const d Int)
(assert (and (<= 1 a 3) (<= 1 b 3) (<= 1 c 3) (<= 1 d 3)))
(assert (distinct a b c d))
(check-sat)
