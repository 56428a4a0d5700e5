// violated: three events do not fit into the queue.
chart Overflow {
  queue 2
  var level : 0..3 = 0
  state Low
    on up -> High
  state High
    entry / level := level + 1
    exit / level := level - 1; raise a; raise b
    on down -> Low / raise c
  state Off
    on a, b, c -> Low
}
