rule "Silent: post it ourselves and count it" {
  on     = "receive",
  silent = true,
  decide = show { badge = "+1", labels = { arrived = "yes" } },
}

rule "In front: count it" {
  on     = "present",
  decide = { badge = "+1" },
}

rule "Tap: for the statistics, and to the order" {
  on     = "open",
  decide = function(msg)
    return { labels = { opened = "yes" }, route = msg.data.order and { tab = "orders", path = { msg.data.order } } }
  end,
}

rule "Offers: two a day" {
  on      = { "receive", "present" },
  channel = "offers",
  cap     = { 2, per = "day" },
}
