rule "Tap: to the offer" {
  on     = "open",
  decide = function(msg)
    if msg.data.page then return { route = "https://shop.example/" .. msg.data.page } end
    if msg.data.host then return { route = "https://" .. msg.data.host } end
    return { route = "shop://offers/" .. (msg.data.id or "") }
  end,
}
