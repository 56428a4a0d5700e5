// violated: the police can let both lights blink, and then no light is green.
// Two lights at a crossroads; the one of the priority road begins, and a controller lets them change in turns.
chart Crossroads {
  internal stop_main, stop_side, main_is_red, side_is_red
  state Lights
    region Controller
      initial MainGoes
      state MainGoes
        on change -> MainStops
      state MainStops
        entry / raise stop_main
        on main_is_red -> SideGoes
      state SideGoes
        on change -> SideStops
      state SideStops
        entry / raise stop_side
        on side_is_red -> MainGoes
    region Main
      initial Green
      state Green
        on stop_main -> Yellow
      state Yellow
        always -> Red
        exit / raise main_is_red
      state Red
        on side_is_red -> Green
    region Side
      initial Red
      state Red
        on main_is_red -> Green
      state Green
        on stop_side -> Yellow
      state Yellow
        always -> Red
        exit / raise side_is_red
    on police -> Blinking
  state Blinking
    on police -> Lights
  property never_both_green: !(in(Main.Green) && in(Side.Green))
  property one_is_green: in(Main.Green) || in(Side.Green)
  property main_goes_again: G F event(change) && G !event(police) -> G F in(Main.Green)
}
