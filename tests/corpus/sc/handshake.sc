// holds: the consumer never works on more items than were sent, and the channel never overflows.
chart Producer {
  var sent_items : 0..3 = 0
  state Idle
    on make [sent_items < 3] -> Waiting / sent_items := sent_items + 1; send item
  state Waiting
    on confirmed -> Idle
    after 3 -> Idle
}
chart Consumer {
  var done_items : 0..3 = 0
  state Ready
    on item [done_items < 3] -> Working
  state Working
    entry / done_items := done_items + 1
    always -> Ready / send finished
}
system Handshake {
  component producer : Producer
  component consumer : Consumer
  channel line: producer.item -> consumer.item queue 3
  channel consumer.finished -> producer.confirmed
  property no_more_than_sent: consumer.done_items + line <= producer.sent_items
}
