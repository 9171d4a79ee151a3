// Reads the words of a command line. Flags may stand before and after the verb and between the operands; `--` ends
// them; `-` is an operand. It knows nothing of what a verb does with its values.

struct ArgumentParser {
    let verbs: [Verb]

    func parse(_ words: [String]) throws(CommandFault) -> Arguments {
        var arguments = Arguments()
        var flags = Flag.global(for: nil)
        // A flag before the verb may be one of the verb's own, so that the verb is looked for first.
        let verbIndex = place(ofVerbIn: words)
        if let verbIndex {
            let verb = try self.verb(named: words[verbIndex])
            arguments.verb = verb
            flags = verb.flags + Flag.global(for: verb)
        }
        var index = 0
        var endOfFlags = false
        while index < words.count {
            let word = words[index]
            defer { index += 1 }
            if index == verbIndex { continue }
            if endOfFlags || word == "-" || !word.hasPrefix("-") {
                arguments.operands.append(word)
            } else if word == "--" {
                endOfFlags = true
            } else {
                try take(word, flags, words, &index, &arguments)
            }
        }
        return arguments
    }

    private func take(
        _ word: String, _ flags: [Flag], _ words: [String], _ index: inout Int, _ arguments: inout Arguments
    ) throws(CommandFault) {
        var name = word
        var attached: String?
        if let equals = word.firstIndex(of: "=") {
            name = String(word[..<equals])
            attached = String(word[word.index(after: equals)...])
        }
        if name == "-h" { name = "--help" }
        guard let flag = flags.first(where: { "--\($0.name)" == name }) else {
            let known = flags.map { "--\($0.name)" }
            throw .unknownFlag(name, verb: arguments.verb?.name, suggestion: NearestName.of(name, among: known))
        }
        switch flag.value {
        case .none:
            guard attached == nil else { throw .needlessValue(flag: flag.name) }
            arguments.add("", of: flag)
        case .optional(_, let choices):
            let value = attached ?? choices[0]
            try check(value, of: flag)
            arguments.add(value, of: flag)
        case .required(let placeholder, _):
            var value = attached
            if value == nil, index + 1 < words.count, !words[index + 1].hasPrefix("--") {
                index += 1
                value = words[index]
            }
            guard let value else { throw .missingValue(flag: flag.name, placeholder: placeholder) }
            try check(value, of: flag)
            arguments.add(value, of: flag)
        }
    }

    private func check(_ value: String, of flag: Flag) throws(CommandFault) {
        let choices = flag.choices
        guard !choices.isEmpty, !choices.contains(value) else { return }
        throw .invalidValue(
            flag: flag.name, value: value, expected: choices.joined(separator: ", "),
            suggestion: NearestName.of(value, among: choices))
    }

    func verb(named name: String) throws(CommandFault) -> Verb {
        guard let verb = verbs.first(where: { $0.name == name }) else {
            throw .unknownVerb(name, suggestion: NearestName.of(name, among: verbs.map(\.name)))
        }
        return verb
    }

    /// The first word that is neither a flag nor the value of one.
    private func place(ofVerbIn words: [String]) -> Int? {
        let known = Flag.global(for: nil) + verbs.flatMap(\.flags)
        var index = 0
        while index < words.count {
            let word = words[index]
            if word == "--" { return nil }
            guard word.hasPrefix("-"), word != "-" else { return index }
            if let flag = known.first(where: { "--\($0.name)" == word }), case .required = flag.value { index += 1 }
            index += 1
        }
        return nil
    }
}
