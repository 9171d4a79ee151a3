// A decision as bytes for another process, and back. What comes back is a decision in every part, or nothing: closed sets
// are closed, texts are UTF-8, JSON is JSON; whether it answers the question is AnswerCheck's business.
import PushMessage

extension CrossingWriter {
    mutating func write(_ decision: borrowing Decision) {
        text(decision.app)
        text(decision.ruleset)
        word(decision.event)
        text(decision.messageID)
        text(decision.recipient)
        flag(decision.isDuplicate)
        optional(decision.display) { $0.write($1) }
        flag(!decision.content.isEmpty)
        if !decision.content.isEmpty { write(decision.content) }
        optional(decision.badge) { $0.write($1) }
        optional(decision.route) { $0.write($1) }
        list(decision.topics) {
            $0.word($1.kind)
            $0.text($1.topic)
        }
        optional(decision.tokenAction) { $0.word($1) }
        optional(decision.fetchResult) { $0.word($1) }
        raw(decision.inbox)
        list(decision.deferred) { $0.write($1) }
        list(decision.labels) {
            $0.text($1.name)
            $0.text($1.value)
        }
        raw(decision.payload)
        list(decision.warnings) {
            $0.word($1.code)
            $0.text($1.path)
            $0.text($1.message)
            $0.text($1.hint)
        }
        list(decision.errors) {
            $0.text($1.code)
            $0.text($1.rule)
            $0.text($1.file)
            $0.number($1.line)
            $0.text($1.message)
            $0.text($1.hint)
        }
        optional(decision.trace) { $0.write($1) }
        number(decision.usage.fuel)
        number(decision.usage.memoryBytes)
        list(decision.usage.strains) {
            $0.word($1.limit)
            $0.number($1.used)
            $0.number($1.allowed)
            $0.text($1.rule)
            $0.text($1.file)
            $0.number($1.line)
        }
    }

    private mutating func write(_ display: Display) {
        word(display.action)
        byte(display.options.rawValue)
        text(display.reason)
        text(display.detail)
        text(display.rule)
        optional(display.until) { $0.write($1) }
    }

    mutating func write(_ until: Until) {
        switch until {
        case .resume: flag(true)
        case .at(let instant, let local, let zone):
            flag(false)
            number(instant.milliseconds)
            text(local)
            text(zone)
        }
    }

    private mutating func write(_ content: Content) {
        for field in Content.texts { text(content[keyPath: field]) }
        optional(content.relevance) { $0.decimal($1) }
        optional(content.attachments) { writer, attachments in
            writer.list(attachments) {
                $0.text($1.url)
                $0.text($1.type)
                $0.optional($1.kind) { $0.word($1) }
                $0.number($1.bytes)
                $0.number($1.budgetSeconds)
            }
        }
    }

    private mutating func write(_ badge: Badge) {
        number(badge.value)
        number(badge.change)
        text(badge.rule)
        switch badge.cause {
        case .shown(let wanted):
            byte(0)
            number(wanted)
        case .evenIfSuppressed(let wanted):
            byte(1)
            number(wanted)
        case .rule: byte(2)
        case .cleared: byte(3)
        case .message: byte(4)
        }
    }

    private mutating func write(_ route: Route) {
        text(route.url)
        text(route.tab)
        optional(route.path) { writer, path in writer.list(path) { $0.text($1) } }
        optional(route.mode) { $0.word($1) }
        text(route.account)
        flag(route.isPending)
        text(route.reason)
        text(route.rule)
    }

    private mutating func write(_ trace: Trace) {
        list(trace.rules) {
            $0.text($1.rule)
            $0.text($1.file)
            $0.number($1.line)
            $0.word($1.outcome)
            $0.text($1.because)
            $0.list($1.set) {
                $0.text($1.field)
                $0.raw($1.json)
            }
            $0.list($1.lost) {
                $0.text($1.field)
                $0.text($1.winner)
            }
            $0.number(Int($1.branches.rawValue))
            $0.list($1.lines) { $0.write($1) }
            $0.number($1.linesLeftOut)
        }
        list(trace.guards) {
            $0.word($1.guard)
            $0.text($1.effect)
        }
        list(trace.notes) { $0.text($1) }
        list(trace.log) { $0.text($1) }
    }
}

extension CrossingWriter {
    fileprivate mutating func write(_ line: Trace.RanLine) {
        word(line.call)
        text(line.file)
        number(line.line)
        text(line.source)
        number(line.times)
        list(line.values) {
            $0.text($1.path)
            $0.raw($1.json)
        }
        number(line.valuesLeftOut)
    }
}

extension Content {
    fileprivate static var texts: [WritableKeyPath<Content, String?>] {
        [\.title, \.subtitle, \.body, \.sound, \.category, \.thread, \.interruptionLevel]
    }
}

extension CrossingReader {
    /// A line of a file, a number of bytes or of seconds.
    private static let natural = 0...Int(Int32.max)
    /// As everywhere else: a state with any other could not be read again.
    private static let badgeChanges = -Int(Int32.max)...Int(Int32.max)

    /// - Parameter handsOver: others may be inside it; not inside those.
    mutating func decision(handsOver: Bool = true) throws(CrossingFault) -> Decision {
        var decision = Decision(app: try text(atMost: 64), ruleset: try text(atMost: 64), event: try word())
        decision.messageID = try optionalText()
        decision.recipient = try optionalText()
        decision.isDuplicate = try flag()
        decision.display = try optional { (reader) throws(CrossingFault) in try reader.display() }
        if try flag() { decision.content = try content() }
        decision.badge = try optional { (reader) throws(CrossingFault) in try reader.badge() }
        decision.route = try optional { (reader) throws(CrossingFault) in try reader.route() }
        decision.topics = try list(ofAtLeast: 8) { (reader) throws(CrossingFault) in
            TopicOperation(kind: try reader.word(), topic: try reader.text(atMost: 1024))
        }
        decision.tokenAction = try optionalWord()
        decision.fetchResult = try optionalWord()
        decision.inbox = try optionalJSON()
        if handsOver {
            decision.deferred = try list(ofAtLeast: 40) { (reader) throws(CrossingFault) in try reader.decision(handsOver: false) }
        } else if try count(ofAtLeast: 1) != 0 {
            throw CrossingFault("no more decisions inside one that is handed over")
        }
        decision.labels = try list(ofAtLeast: 8) { (reader) throws(CrossingFault) in
            (name: try reader.text(), value: try reader.text())
        }
        decision.payload = try optionalJSON()
        decision.warnings = try list(ofAtLeast: 13) { (reader) throws(CrossingFault) in
            Warning(code: try reader.word(), path: try reader.text(), message: try reader.text(), hint: try reader.optionalText())
        }
        decision.errors = try list(ofAtLeast: 22) { (reader) throws(CrossingFault) in
            RuleError(
                code: try reader.text(atMost: 64), rule: try reader.optionalText(), file: try reader.text(),
                line: try reader.number(in: Self.natural), message: try reader.text(), hint: try reader.optionalText())
        }
        decision.trace = try optional { (reader) throws(CrossingFault) in try reader.trace() }
        decision.usage.fuel = try number(in: 0...Int.max)
        decision.usage.memoryBytes = try optional { (reader) throws(CrossingFault) in try reader.number(in: 0...Int.max) }
        decision.usage.strains = try list(ofAtLeast: 36) { (reader) throws(CrossingFault) in
            Strain(
                limit: try reader.word(), used: try reader.number(in: 0...Int.max), allowed: try reader.number(in: 0...Int.max),
                rule: try reader.text(), file: try reader.text(), line: try reader.number(in: Self.natural))
        }
        return decision
    }

    private mutating func display() throws(CrossingFault) -> Display {
        let action: Display.Action = try word()
        let options = DisplayOptions(rawValue: try byte())
        guard options.isSubset(of: [.all, .alert]), action == .show || options.isEmpty else {
            throw CrossingFault("options that belong to the action")
        }
        return Display(
            action: action, options: options, reason: try optionalText(), detail: try optionalText(),
            rule: try optionalText(), until: try optional { (reader) throws(CrossingFault) in try reader.until() })
    }

    mutating func until() throws(CrossingFault) -> Until {
        if try flag() { return .resume }
        return .at(try instant(), local: try text(atMost: 64), zone: try text(atMost: 64))
    }

    private mutating func content() throws(CrossingFault) -> Content {
        var content = Content()
        for field in Content.texts { content[keyPath: field] = try optionalText() }
        content.relevance = try optional { (reader) throws(CrossingFault) in try reader.decimal() }
        content.attachments = try optional { (reader) throws(CrossingFault) in
            try reader.list(ofAtLeast: 8) { (reader) throws(CrossingFault) in
                Content.Attachment(
                    url: try reader.text(), type: try reader.optionalText(), kind: try reader.optionalWord(),
                    bytes: try reader.optionalNatural(), budgetSeconds: try reader.optionalNatural())
            }
        }
        return content
    }

    private mutating func optionalNatural() throws(CrossingFault) -> Int? { try flag() ? try number(in: Self.natural) : nil }

    private mutating func badge() throws(CrossingFault) -> Badge {
        let value = try number(in: badges)
        let change = try number(in: Self.badgeChanges)
        let rule = try optionalText()
        let cause: Badge.Cause
        switch try byte() {
        case 0: cause = .shown(wanted: try number(in: Self.badgeChanges))
        case 1: cause = .evenIfSuppressed(wanted: try number(in: Self.badgeChanges))
        case 2: cause = .rule
        case 3: cause = .cleared
        case 4: cause = .message
        default: throw CrossingFault("the cause of a badge")
        }
        return Badge(value: value, change: change, cause: cause, rule: rule)
    }

    private mutating func route() throws(CrossingFault) -> Route {
        var route = Route()
        route.url = try optionalText()
        route.tab = try optionalText()
        route.path = try optional { (reader) throws(CrossingFault) in try reader.texts() }
        route.mode = try optionalWord()
        route.account = try optionalText()
        route.isPending = try flag()
        route.reason = try optionalText()
        route.rule = try optionalText()
        return route
    }

    /// How often a line may have run.
    private static let counts = 0...Int(UInt32.max) * LineTraceMaker.mostLines

    private mutating func ranLine() throws(CrossingFault) -> Trace.RanLine {
        Trace.RanLine(
            call: try word(), file: try text(), line: try number(in: Self.natural), source: try text(),
            times: try number(in: Self.counts),
            values: try list(ofAtLeast: 8) { (reader) throws(CrossingFault) in
                Trace.RanLine.Value(path: try reader.text(), json: try reader.json())
            },
            valuesLeftOut: try number(in: Self.counts))
    }

    private mutating func trace() throws(CrossingFault) -> Trace {
        var trace = Trace()
        trace.rules = try list(ofAtLeast: 46) { (reader) throws(CrossingFault) in
            Trace.RuleLine(
                rule: try reader.text(), file: try reader.text(), line: try reader.number(in: Self.natural),
                outcome: try reader.word(), because: try reader.optionalText(),
                set: try reader.list(ofAtLeast: 8) { (reader) throws(CrossingFault) in
                    (field: try reader.text(), json: try reader.json())
                },
                lost: try reader.list(ofAtLeast: 8) { (reader) throws(CrossingFault) in
                    (field: try reader.text(), winner: try reader.text())
                },
                branches: RuleBranches(rawValue: UInt32(try reader.number(in: 0...Int(RuleBranches.all.rawValue)))),
                lines: try reader.list(ofAtLeast: 40) { (reader) throws(CrossingFault) in try reader.ranLine() },
                linesLeftOut: try reader.number(in: Self.counts))
        }
        trace.guards = try list(ofAtLeast: 8) { (reader) throws(CrossingFault) in
            Trace.GuardLine(guard: try reader.word(), effect: try reader.text())
        }
        trace.notes = try texts()
        trace.log = try texts()
        return trace
    }
}
