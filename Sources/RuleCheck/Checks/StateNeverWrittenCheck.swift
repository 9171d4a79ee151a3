// Something is asked for that no rule remembers.

extension Check {
    static let stateNeverWritten = Check("state_never_written", .warning) { app, findings in
        let use = StateUse(of: app)
        for (key, place) in use.neverWritten {
            findings.tell(
                place.file, at: place.offset, "no rule ever remembers \"\(key.text)\": it is nil unless somebody else has put it there",
                hint: key.advice(among: use.written.keys, "remember it with \(key.owner).set(\"\(key.text)\", …)"), rule: place.rule)
        }
    }
}
