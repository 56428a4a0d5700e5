// holds: regions that are left together are not complete, so an event that leaves one of them does not lead on.
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
  state X  on e -> P
  property not_at_once: !(event(e) && in(X))
}
