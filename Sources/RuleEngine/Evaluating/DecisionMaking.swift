// A decision in the making: takes what the rules came to, fills in what they left open, lets the guards look at it and
// works out what changes in state. Evaluator calls its steps in the documented order.
import JSONDocument
import LuaSandbox
import PushMessage

struct DecisionMaking {
    private let request: EvaluationRequest
    private let plan: Plan
    private let stored: RecipientState
    private var decision: Decision
    private var effects: [Effect] = []
    private var rules: RuleRun

    init(_ request: EvaluationRequest, plan: Plan, recipient: String?, stored: RecipientState, rules: RuleRun) {
        self.request = request
        self.plan = plan
        self.stored = stored
        self.rules = rules
        decision = Decision(app: plan.ruleset.app, ruleset: plan.ruleset.hash, event: request.event.name)
        decision.messageID = request.message?.id.string
        decision.recipient = recipient
        decision.errors = rules.errors
        decision.usage.fuel = Int(rules.usage.fuel)
        if request.options.measuresMemory { decision.usage.memoryBytes = Int(rules.usage.memoryPeak) }
        if let message = request.message { decision.warnings = message.lint }
        if !request.device.warnings.isEmpty { decision.warnings += request.device.warnings }
        if recipient == nil { decision.warnings.append(.nobodyNamed) }
        for field in rules.usage.unknownFields { decision.warnings.append(.unknownField(field)) }
        if request.options.tracesRules { decision.trace = TraceMaker.trace(of: rules, in: plan) }
        rules.written?.writes.addEffects(to: &effects)
    }

    private var merged: Contribution { rules.merge.values }
    private var event: EventName { request.event.name }

    mutating func make() -> Evaluation {
        if event == .resume { handOver() }
        decideDisplay()
        takeContent()
        takeRoute()
        guardDecision()
        decideBadge()
        keepRoute()
        decideTopics()
        keepInInbox()
        takeLabels()
        if event == .receive { decideFetchResult() }
        if event == .send { emitPayload() }
        return Evaluation(decision: decision, effects: effects)
    }

    // MARK: handing over

    /// The newest route that waits and everything in the inbox, once; rules may still lead elsewhere.
    private mutating func handOver() {
        if !stored.pendingRoutes.isEmpty {
            var routes = PendingRoutes(stored.pendingRoutes)
            decision.route = routes.takeNewest()
            for older in routes.older { note("an older route that waited is dropped: \(older)") }
            effects.append(.takePendingRoutes)
        }
        if !stored.inbox.isEmpty {
            decision.inbox = Inbox.list(stored.inbox)
            effects.append(.takeInbox)
        }
    }

    // MARK: display and content

    private mutating func decideDisplay() {
        if merged.fields.contains(.display) {
            decision.display = Display(
                action: merged.action, options: merged.action == .show ? merged.options : [],
                reason: merged.fields.contains(.reason) ? merged.reason.string : nil,
                rule: ruleName(rules.merge.displayRule), until: merged.action == .defer ? until : nil)
        } else if event.displaysByDefault {
            if let failed = rules.errors.first, plan.ruleset.manifest.onError == .suppress {
                decision.display = Display(
                    action: .suppress, options: [], reason: "a rule failed, and the app shows nothing then",
                    rule: failed.rule, until: nil)
            } else {
                decision.display = Display(
                    action: .show, options: defaultOptions,
                    reason: merged.fields.contains(.reason) ? merged.reason.string : nil, rule: nil, until: nil)
            }
        }
    }

    private var defaultOptions: DisplayOptions {
        var options: DisplayOptions = [.banner, .list]
        if request.message?.sound != nil || merged.fields.contains(.sound) { options.insert(.sound) }
        if request.message?.badge != nil || merged.fields.contains(.badge) { options.insert(.badge) }
        return options
    }

    private var until: Until? {
        guard merged.fields.contains(.holdUntil) else { return nil }
        switch merged.holdUntil {
        case .resume: return .resume
        case .duration(let milliseconds): return .at(Instant(milliseconds: request.now.milliseconds &+ milliseconds))
        case .instant(let instant): return .at(instant)
        case .wall(let local):
            let zone = request.device.timezone?.string ?? plan.ruleset.manifest.timezone ?? "UTC"
            return .wall(local: local.string, zone: zone)
        }
    }

    private mutating func takeContent() {
        let fields = merged.fields
        guard !fields.isDisjoint(with: .ofContent) else { return }
        if fields.contains(.title) { decision.content.title = merged.title.string }
        if fields.contains(.subtitle) { decision.content.subtitle = merged.subtitle.string }
        if fields.contains(.body) { decision.content.body = merged.body.string }
        if fields.contains(.sound) { decision.content.sound = merged.sound.string }
        if fields.contains(.category) { decision.content.category = merged.category.string }
        if fields.contains(.thread) { decision.content.thread = merged.thread.string }
        if fields.contains(.interruptionLevel) { decision.content.interruptionLevel = merged.interruptionLevel.string }
        if fields.contains(.relevance) { decision.content.relevance = merged.relevance }
        if fields.contains(.attachments) {
            var attachments: [Content.Attachment] = []
            merged.attachments.forEach { url, type in
                attachments.append(Content.Attachment(url: url.string, type: type?.string))
            }
            decision.content.attachments = attachments
        }
    }

    private mutating func takeRoute() {
        guard merged.fields.contains(.route) else { return }
        if decision.route != nil { note("a rule leads elsewhere than the route that waited") }
        decision.route = Route(merged.route, rule: ruleName(rules.merge.routeRule))
    }

    // MARK: guards

    private mutating func guardDecision() {
        var guards = GuardRun(
            request: request, plan: plan, stored: stored, display: decision.display, route: decision.route,
            content: decision.content)
        guards.run()
        decision.display = guards.display
        decision.route = guards.route
        decision.content = guards.content
        decision.trace?.guards = guards.lines
        if !guards.warnings.isEmpty { decision.warnings += guards.warnings }
        if let topic = guards.topicToLeave {
            decision.topics = [TopicOperation(kind: .unsubscribe, topic: topic)]
        }
    }

    // MARK: what is counted and kept

    private mutating func decideBadge() {
        let question = BadgeQuestion(
            request: request, stored: stored, change: merged.fields.contains(.badge) ? merged.badge : nil,
            display: decision.display?.action, contentWindow: plan.contentWindow)
        switch question.answer() {
        case .nothing: break
        case .untouched(let why): note(why)
        case .set(let value, let change, let isAbsolute, let byRule):
            decision.badge = Badge(
                value: value, change: change, isAbsolute: isAbsolute,
                rule: byRule ? ruleName(rules.merge.badgeRule) : nil)
            effects.append(.setBadge(value))
            if let id = decision.messageID { effects.append(.countBadge(messageID: id, at: request.now)) }
        }
    }

    private mutating func keepRoute() {
        guard event == .open, request.device.state.isColdStart, let route = decision.route else { return }
        effects.append(.keepPendingRoute(RouteText.json(route)))
        decision.route?.isPending = true
    }

    private mutating func decideTopics() {
        var topics = TopicChange(stored: stored, device: request.device)
        for operation in decision.topics { topics.add(operation.kind, operation.topic, always: true) }
        if merged.fields.contains(.topics) {
            merged.topics.forEach { kind, topic in topics.add(kind, topic.string, always: false) }
        }
        decision.topics = topics.operations
        if let effect = topics.effect { effects.append(effect) }
    }

    private mutating func keepInInbox() {
        guard merged.fields.contains(.inbox), let value = merged.inbox else { return }
        var writer = JSONWriter(reserving: 256)
        writer.value(value)
        if event == .resume {
            // What is handed over now; a rule that sets it replaces the list.
            decision.inbox = writer.bytes
        } else {
            decision.inbox = writer.bytes
            effects.append(.keepInInbox(writer.bytes))
        }
    }

    private mutating func takeLabels() {
        guard merged.fields.contains(.labels) else { return }
        var labels: [(name: String, value: String)] = []
        merged.labels.forEach { labels.append(($0.string, $1.string)) }
        decision.labels = labels
    }

    private mutating func decideFetchResult() {
        decision.fetchResult =
            merged.fields.contains(.fetchResult) ? merged.fetchResult : rules.hasMatched ? .newData : .noData
    }

    private mutating func emitPayload() {
        guard request.options.emitsPayload, let message = request.message, decision.display?.action == .show else { return }
        let content = decision.content
        decision.payload = Payload.write(
            message,
            applying: ContentChanges(
                title: content.title, subtitle: content.subtitle, body: content.body, sound: content.sound,
                category: content.category, thread: content.thread, interruptionLevel: content.interruptionLevel,
                relevance: content.relevance, badge: decision.badge?.rule == nil ? nil : decision.badge?.value,
                attachments: content.attachments?.map(\.url)))
    }

    private func ruleName(_ place: Int) -> String? {
        place >= 0 ? plan.ruleset.rules[place].name : nil
    }

    private mutating func note(_ text: @autoclosure () -> String) {
        if decision.trace != nil { decision.trace?.notes.append(text()) }
    }
}
