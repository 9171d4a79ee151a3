// A flag of `serve` that says nothing without another one, in the words of all of them. Used by what reads the flags; the other way round,
// flags that do not go together, is told by `flagsDisagree`.

extension CommandFault {
    /// - Parameters:
    ///   - other: the flag that is not there, with what it takes.
    ///   - why: what the one is to the other; no full stop.
    static func alone(_ flag: Flag, without other: String, _ why: String) -> CommandFault {
        .missingOperand(verb: "serve", operands: "\(other) beside --\(flag.name): \(why)")
    }
}
