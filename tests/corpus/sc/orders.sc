// holds: exit actions of inner and later states come first, and entry actions of outer and earlier ones.
chart Orders {
  event put(value : 0..2)
  var n : int = 0
  var seen : {none, low, high} = none
  internal go
  state P
    entry / n := 2 * n
    region A
      entry / n := n + 1
      state A1
        exit / n := n + 4
        on put [put.value = 2] -> A2 / seen := high; raise go
        on put [put.value < 2] / seen := low
      state A2
    region B
      exit / n := n * 2
      state B1
        on go -> B2 / if n = 5 { n := 7 } else { n := 0 }
      state B2
    on reset -> P / n := 0; seen := none
  property sevens: in(B2) -> n = 7
}
