// Members of objects whose values are at hand: a key and its value in one go. Used by whoever writes answers, problems and lines.

extension JSONWriter {
    /// - Parameter text: nil: there is no such member.
    public mutating func member(_ key: String, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }

    public mutating func member(_ key: String, _ number: Int) {
        self.key(key)
        integer(number)
    }

    public mutating func member(_ key: String, _ flag: Bool) {
        self.key(key)
        bool(flag)
    }

    /// - Parameter json: a text; nil: there is no such member.
    public mutating func member(_ key: String, json: [UInt8]?) {
        guard let json else { return }
        self.key(key)
        raw(json)
    }

    /// Numbers by names, as counts are told.
    public mutating func member(_ key: String, _ counts: [(String, Int)]) {
        self.key(key)
        beginObject()
        for (name, count) in counts { member(name, count) }
        endObject()
    }
}
