// violated: the light can be switched off and on again, and is red then, whatever it showed before.
// The traffic light of figure 2.3 of the thesis "CEGAR-based LTL model checking" (BME).
chart TrafficLight {
  initial Off
  state Off
    on switch -> On
  state On
    initial Red
    on switch -> Off
    state Red
      on toggle -> Green
    state Green
      on toggle -> Yellow
    state Yellow
      on toggle -> Red
  property yellow_before_red: G (in(On.Green) -> (!in(On.Red) W in(On.Yellow)))
  property red_after_on: G (in(Off) -> X (in(Off) || in(On.Red)))
  property red_returns: G F event(toggle) -> G (in(On.Green) -> F (in(On.Red) || in(Off)))
  property shows_one: in(Off) || in(On.Red) || in(On.Green) || in(On.Yellow)
}
