// violated: the money comes before the card, so a customer can leave with the money and forget the card.
chart ATM {
  event pin(correct : bool)
  event amount(notes : 1..3)
  var tries : 0..3 = 0
  var stock : 0..4 = 4
  var wanted : 0..3 = 0
  initial Ready
  state Ready
    entry / tries := 0; wanted := 0
    on card -> Session
  state Session
    initial Pin
    on cancel -> Eject
    state Pin
      on pin [pin.correct] -> Choose
      on pin [!pin.correct && tries < 2] / tries := tries + 1
      on pin [!pin.correct && tries >= 2] -> Kept / tries := 3
    state Choose
      on amount [amount.notes <= stock] -> Paying / wanted := amount.notes
      on amount [amount.notes > stock] / send sorry
    state Paying
      on take -> Eject / stock := stock - wanted
  state Eject
    on remove -> Ready
    on leave -> Swallowed
  state Swallowed
    on service -> Ready
  state Kept
    on service -> Ready / stock := 4
  property no_money_without_pin: G (in(Ready) -> (!in(Session.Paying) W (event(pin) && pin.correct)))
  property card_not_forgotten: !in(Swallowed)
  property three_tries: in(Session) -> tries < 3
  property stock_suffices: in(Session.Paying) -> wanted <= stock
}
