// violated: opening the door stops the heating at once, but when it is closed, the heating starts again by itself: the history remembers it.
chart Microwave {
  var minutes : 0..3 = 0
  initial Idle
  state Idle
    entry / minutes := 0
    on open -> Open
    on plus -> Set
  state Set
    entry / minutes := 1
    on plus [minutes < 3] / minutes := minutes + 1
    on start -> Closed.Cooking
    on cancel -> Idle
  state Closed
    initial Cooking
    history Last -> Cooking
    state Cooking
      on pause -> Paused
      after 1 [minutes > 1] -> Cooking / minutes := minutes - 1
      after 1 [minutes <= 1] -> Idle
    state Paused
      on start -> Cooking
    on open -> Ajar
    on cancel -> Idle
  state Ajar
    on close -> Closed.Last
    on cancel -> Open
  state Open
    on close -> Idle
  property no_heat_when_open: G (event(open) -> !in(Closed.Cooking))
  property starts_by_button: G (!in(Closed.Cooking) -> X (in(Closed.Cooking) -> event(start)))
  property stops: G F event(tick) -> G (in(Closed.Cooking) -> F !in(Closed.Cooking))
  property time_is_set: in(Closed.Cooking) -> minutes >= 1
}
