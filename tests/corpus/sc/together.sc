// holds: the final state of one region is left before that of the other one is entered, so P is not complete then.
chart Together {
  state P
    region A
      state A1  on e -> Last
      final Last
    region B
      state B1  on f -> Last
      final Last
      on e -> internal B1
    done -> X
  state X
    on e -> P
  property not_by_e: !(event(e) && in(X))
}
