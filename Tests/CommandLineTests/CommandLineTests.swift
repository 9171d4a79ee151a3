// Tests of CommandLine.
