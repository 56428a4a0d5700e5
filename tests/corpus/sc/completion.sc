// violated: the second region can be complete before the first one.
chart Completion {
  var x : 0..2 = 0
  state Both
    region First
      state A
        on e [x < 2] -> A / x := x + 1
        always [x = 2] -> End
      final End
    region Second
      state B
        exit / raise left
        on f -> Done
      final Done
    on left / skip
    done -> After / x := 0
  state After
    always [x > 0] -> Both
    after 2 -> Both
  property order: !(in(Second.Done) && in(First.A) && x = 1)
}
