// Something is remembered that nobody asks for: mostly one name written in two ways.

extension Check {
    static let stateNeverRead = Check("state_never_read", .warning) { app, findings in
        let use = StateUse(of: app)
        for (key, place) in use.neverRead {
            findings.tell(
                place.file, at: place.offset, "\"\(key.text)\" is remembered, and no rule ever asks for it",
                hint: key.advice(among: use.read.keys, "ask for it with \(key.owner).get(\"\(key.text)\"), or leave it out"),
                rule: place.rule)
        }
    }
}
