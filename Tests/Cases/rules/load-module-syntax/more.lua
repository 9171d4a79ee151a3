local room = require "lib.room"
