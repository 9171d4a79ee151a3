local room = require "lib.rom"

rule "Stay quiet" {
  on     = "present",
  decide = suppress "the chat tab is on screen",
}
