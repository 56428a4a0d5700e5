// violated: resuming at a low speed and pressing 'set' then stores a target that is too low.
chart CruiseControl {
  var speed, target : 0..4 = 0
  state Car
    region Motion
      state Driving
        on accelerate [speed < 4] / speed := speed + 1
        on brake [speed > 0] / speed := speed - 1
        on hold [in(Car.Control.On.Active) && speed < target] / speed := speed + 1
        on hold [in(Car.Control.On.Active) && speed > target] / speed := speed - 1
    region Control
      initial Off
      state Off
        on power -> On
      state On
        initial Standby
        on power -> Off
        state Standby
          on set [speed >= 2] -> Active / target := speed
          on resume [target >= 2] -> Active
        state Active
          on brake -> Standby
          on accelerate -> Overridden
          on set / target := speed
        state Overridden
          on resume -> Active
          on brake -> Standby
          on set -> Active / target := speed
  property no_speeding_up_after_brake: G (event(brake) -> !in(Control.On.Active))
  property target_is_fast_enough: in(Control.On.Active) -> target >= 2
  property never_faster_than_target: in(Control.On.Active) -> speed <= target
  property reaches_target: G F event(hold) && F G (in(Control.On.Active) && !event(set)) -> F G (speed = target)
}
