// holds: a deep history restores both regions, a shallow one only the substate.
chart History {
  var shallow : bool = false
  initial Work
  state Work
    initial Busy
    history Shallow -> Busy
    deep history Deep -> Busy
    state Busy
      region Left
        state A  on next -> B / shallow := false
        state B
      region Right
        state C  on other -> D
        state D
    state Idle
    on pause -> Paused
    on rest -> Idle
  state Paused
    on resume -> Work.Deep / shallow := false
    on restart -> Work.Shallow / shallow := true
  property restored: shallow && in(Work.Busy) -> in(Left.A)
}
