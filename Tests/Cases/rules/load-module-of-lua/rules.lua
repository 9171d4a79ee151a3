local clock = require "os"
