// A decision in the making: takes what the rules came to, fills in what they left open, lets the guards look at it and
// works out what changes in state. Evaluator calls it after the rules; its steps run in the documented order.
import CivilTime
import JSONDocument
import LuaSandbox
import PushMessage

struct DecisionMaking: ~Copyable {
    let situation: Situation
    let rules: RuleRun

    init(_ rules: consuming RuleRun) {
        situation = rules.situation
        self.rules = rules
    }

    func make() -> Evaluation {
        var decision = Decision(
            app: situation.plan.ruleset.app, ruleset: situation.plan.ruleset.hash, event: situation.event)
        var effects = situation.changes.isEmpty ? rules.stateEffects : situation.changes + rules.stateEffects
        effects.reserveCapacity(effects.count + 2)
        begin(&decision)
        if situation.event == .resume { handOver(&decision, &effects) }
        decideDisplay(&decision)
        takeContent(&decision)
        takeRoute(&decision)
        showWhatCannotWait(&decision)
        GuardRun(situation).run(on: &decision)
        keepDeferred(&decision, &effects)
        decideBadge(&decision, &effects)
        if situation.event == .open { noteOpenScreen(&decision) }
        keepRoute(&decision, &effects)
        decideTopics(&decision, &effects)
        keepInInbox(&decision, &effects)
        takeLabels(&decision)
        if situation.event == .receive { decideFetchResult(&decision) }
        if situation.request.options.payload != .left { emitPayload(&decision) }
        if situation.event == .token { decideToken(&decision, &effects) }
        remember(&decision, &effects)
        return Evaluation(decision: decision, effects: effects)
    }

    /// The answer to a second copy: rules were not asked, and nothing changes.
    func makeDuplicate() -> Evaluation {
        var decision = Decision(
            app: situation.plan.ruleset.app, ruleset: situation.plan.ruleset.hash, event: situation.event)
        begin(&decision)
        decision.isDuplicate = true
        let since = situation.seen.map { ", which came at \($0.first.text)" } ?? ""
        switch situation.event {
        case .send, .enrich, .present:
            decision.display = Display(
                action: .suppress, options: [], reason: "duplicate",
                detail: situation.seen.map { "the message came first at \($0.first.text)" },
                rule: GuardName.duplicate.speaker, until: nil)
            say(.duplicate, "another copy of a message\(since): not shown", &decision)
        case .receive:
            decision.fetchResult = .noData
            say(.duplicate, "another copy of a message\(since): nothing new", &decision)
        case .open:
            decision.route = situation.seen?.openRoute.flatMap(RouteText.read)
            if let route = decision.route {
                // It waits only as long as nobody has been given it.
                let json = RouteText.json(route)
                decision.route?.isPending =
                    situation.request.device.state.isColdStart && situation.stored.pendingRoutes.contains(json)
            }
            say(.duplicate, "the tap on a message\(since), once more: the same way again", &decision)
        case .resume, .token, .account, .settings, .due: break
        }
        return Evaluation(decision: decision, effects: [])
    }

    private func say(_ name: GuardName, _ effect: @autoclosure () -> String, _ decision: inout Decision) {
        if situation.isTraced { decision.trace?.guards.append(Trace.GuardLine(guard: name, effect: effect())) }
    }

    private func begin(_ decision: inout Decision) {
        decision.messageID = situation.messageID
        decision.recipient = situation.recipient
        decision.errors = rules.errors
        decision.usage.fuel = Int(rules.usage.fuel)
        if !rules.strains.isEmpty { decision.usage.strains = rules.strains }
        if situation.request.options.measuresMemory { decision.usage.memoryBytes = Int(rules.usage.memoryPeak) }
        if let message = situation.message { decision.warnings = message.lint }
        if !situation.request.device.warnings.isEmpty { decision.warnings += situation.request.device.warnings }
        if !situation.request.event.warnings.isEmpty { decision.warnings += situation.request.event.warnings }
        if situation.recipient == nil { decision.warnings.append(.nobodyNamed) }
        if rules.lacksRecipient { decision.warnings.append(.noShareOfNobody) }
        if situation.isIncomplete { decision.warnings.append(.eventNotAnswered(situation.event)) }
        if let kept = situation.waiting?.kept, let hash = kept.ruleset, hash != decision.ruleset {
            decision.warnings.append(.rulesetPinned(kept, answering: decision.ruleset))
        }
        for field in rules.usage.unknownFields { decision.warnings.append(.unknownField(field)) }
        if !rules.warnings.isEmpty { decision.warnings += rules.warnings }
        if situation.isTraced { decision.trace = TraceMaker.trace(of: rules) }
    }

    // MARK: handing over

    /// The newest route that waits and everything in the inbox, once; rules may still lead elsewhere.
    private func handOver(_ decision: inout Decision, _ effects: inout [Effect]) {
        if !situation.stored.pendingRoutes.isEmpty {
            var routes = PendingRoutes(situation.stored.pendingRoutes)
            decision.route = routes.takeNewest()
            decision.route?.reason = "kept since the tap, until the app was ready"
            for older in routes.older { note(&decision, "an older route that waited is dropped: \(older)") }
            effects.append(.takePendingRoutes)
        }
        if !situation.stored.inbox.isEmpty {
            decision.inbox = Inbox.list(situation.stored.inbox)
            effects.append(.takeInbox)
        }
    }

    // MARK: display and content

    private func decideDisplay(_ decision: inout Decision) {
        let says = rules.merge.values.fields.contains(.reason) && !rules.merge.values.reason.isEmpty
        let reason = says ? rules.merge.values.reason.string : nil
        if rules.merge.values.fields.contains(.display), rules.merge.values.action == .defer, let kept = situation.waiting?.kept,
            kept.attempt >= DeferredMessage.mostAttempts
        {
            decision.warnings.append(.heldBackTooOften(kept, by: ruleName(rules.merge.displayRule)))
            decision.display = Display(
                action: .show, options: defaultOptions(),
                reason: "it has been held back \(DeferredMessage.mostAttempts) times, and is shown now", rule: nil, until: nil)
        } else if rules.merge.values.fields.contains(.display) {
            let action = rules.merge.values.action
            decision.display = Display(
                action: action, options: action == .show ? rules.merge.values.options : [],
                reason: reason ?? (action == .show ? nil : plainReason),
                detail: says && !rules.merge.values.detail.isEmpty ? rules.merge.values.detail.string : nil,
                rule: ruleName(rules.merge.displayRule), until: action == .defer ? until() : nil)
        } else if situation.displaysByDefault {
            if let failed = rules.errors.first, situation.plan.ruleset.manifest.onError == .suppress {
                decision.display = Display(
                    action: .suppress, options: [], reason: "a rule failed, and the app shows nothing then",
                    rule: failed.rule, until: nil)
            } else {
                decision.display = Display(action: .show, options: defaultOptions(), reason: reason, rule: nil, until: nil)
            }
        }
        awaitHours(&decision)
    }

    /// Nothing is hidden or held back without a word.
    private var plainReason: String? {
        ruleName(rules.merge.displayRule).map { "the rule \"\($0)\" says so" }
    }

    func defaultOptions() -> DisplayOptions {
        var options: DisplayOptions = [.banner, .list]
        let sounds =
            rules.merge.values.fields.contains(.sound) ? !rules.merge.values.sound.isNoSound : situation.message?.sound != nil
        if sounds { options.insert(.sound) }
        if situation.message?.badge != nil || rules.merge.values.fields.contains(.badge) { options.insert(.badge) }
        return options
    }

    /// Without a time it waits until the app comes to the front: nothing that is kept is forgotten.
    private func until() -> Until {
        let hold = rules.merge.values.fields.contains(.holdUntil) ? rules.merge.values.holdUntil : .resume
        return situation.until(hold, of: rules.merge.displayRule)
    }

    private func takeContent(_ decision: inout Decision) {
        let fields = rules.merge.values.fields
        guard !fields.isDisjoint(with: .ofContent) else { return }
        if fields.contains(.title) { decision.content.title = rules.merge.values.title.string }
        if fields.contains(.subtitle) { decision.content.subtitle = rules.merge.values.subtitle.string }
        if fields.contains(.body) { decision.content.body = rules.merge.values.body.string }
        if fields.contains(.sound) { decision.content.sound = rules.merge.values.sound.string }
        if fields.contains(.category) { decision.content.category = rules.merge.values.category.string }
        if fields.contains(.thread) { decision.content.thread = rules.merge.values.thread.string }
        if fields.contains(.interruptionLevel) {
            decision.content.interruptionLevel = rules.merge.values.interruptionLevel.string
        }
        if fields.contains(.relevance) { decision.content.relevance = rules.merge.values.relevance }
        if fields.contains(.attachments) {
            var attachments: [Content.Attachment] = []
            rules.merge.values.attachments.forEach { url, type in
                attachments.append(Content.Attachment(url: url.string, type: type?.string))
            }
            decision.content.attachments = attachments
        }
    }

    private func takeRoute(_ decision: inout Decision) {
        guard rules.merge.values.fields.contains(.route) else { return }
        if decision.route != nil { note(&decision, "a rule leads elsewhere than the route that waited") }
        decision.route = Route(rules.merge.values.route, rule: ruleName(rules.merge.routeRule), reason: routeReason)
    }

    private static let leadsThere = "the rule leads there"

    /// What the rule says, when it says something of its own.
    private var routeReason: String {
        let isSaid = rules.merge.values.fields.contains(.reason) && rules.merge.reasonRule == rules.merge.routeRule
        return isSaid && !rules.merge.values.reason.isEmpty ? rules.merge.values.reason.string : DecisionMaking.leadsThere
    }

    // MARK: what is counted and kept

    private func decideBadge(_ decision: inout Decision, _ effects: inout [Effect]) {
        let change = rules.merge.values.fields.contains(.badge) ? rules.merge.values.badge : nil
        let question = BadgeQuestion(situation: situation, change: change, display: decision.display?.action)
        switch question.answer() {
        case .nothing: break
        case .untouched(let why): note(&decision, why)
        case .set(let value, let change, let cause):
            decision.badge = Badge(
                value: value, change: change, cause: cause,
                rule: cause == .message ? nil : ruleName(rules.merge.badgeRule))
            effects.append(.setBadge(value))
        }
    }

    /// What the host keeps of the message: that it was here, what of it has been counted, and where its tap led.
    private func remember(_ decision: inout Decision, _ effects: inout [Effect]) {
        guard let message = situation.message, let id = situation.messageID else { return }
        let event = situation.copyEvent
        var seen = SeenMessage(id: id, first: situation.request.now)
        seen.events = event
        seen.hasCountedBadge = decision.badge != nil
        if decision.display?.action == .show {
            for use in rules.caps.uses where !use.hasCounted {
                seen.caps.append(use.key)
                note(&decision, "the message counts for the cap \"\(use.key)\"")
                effects.append(
                    .countForCap(key: use.key, at: situation.request.now, limit: use.memory.limit, span: use.memory.span))
            }
        }
        guard !event.isEmpty || seen.hasCountedBadge || !seen.caps.isEmpty else { return }
        seen.isIDGenerated = message.idGenerated
        if situation.isNew { seen.content = situation.content }
        if situation.event == .open, var route = decision.route {
            route.isPending = false
            seen.openRoute = RouteText.json(route)
        }
        effects.append(
            .sawMessage(
                SeenMark(
                    record: situation.seen?.id, recordFirst: situation.seen?.first, message: seen, window: situation.plan.seenWindow)))
    }

    /// Where a rule leads is where the tap goes; that the screen is open already is only told.
    private func noteOpenScreen(_ decision: inout Decision) {
        guard let route = decision.route, route.isOnTop(of: situation.request.device) else { return }
        note(&decision, "\(route.place) is on top already")
        if route.reason == DecisionMaking.leadsThere {
            decision.route?.reason = "\(DecisionMaking.leadsThere), which is on top already"
        }
    }

    private func keepRoute(_ decision: inout Decision, _ effects: inout [Effect]) {
        guard situation.event == .open, situation.request.device.state.isColdStart, let route = decision.route else {
            return
        }
        effects.append(.keepPendingRoute(RouteText.json(route)))
        decision.route?.isPending = true
    }

    /// The host's own operations come before those of rules.
    private func decideTopics(_ decision: inout Decision, _ effects: inout [Effect]) {
        let isSet = rules.merge.values.fields.contains(.topics)
        guard isSet || !decision.topics.isEmpty || situation.event.tellsOfTopics else { return }
        var topics = TopicChange(situation)
        for operation in decision.topics { topics.add(operation.kind, operation.topic, always: true) }
        if case .account(let operation, let account, let previous) = situation.request.event.meaning {
            topics.follow(operation, account: account, previous: previous, in: situation)
        } else if situation.event == .resume {
            topics.retry()
        }
        if isSet { rules.merge.values.topics.forEach { topics.add($0, $1.string) } }
        decision.topics = topics.operations
        decision.warnings += topics.warnings
        if let effect = topics.effect { effects.append(effect) }
    }

    private func decideToken(_ decision: inout Decision, _ effects: inout [Effect]) {
        guard case .token(let kind, let value) = situation.request.event.meaning else { return }
        let change = TokenChange(kind, value: value, known: situation.stored.tokens, on: situation.request.device.platform)
        decision.tokenAction = change.action
        if change.known != situation.stored.tokens { effects.append(.setTokens(change.known)) }
    }

    /// On `resume` a rule's value takes the place of what is handed over. Elsewhere it is kept until then.
    private func keepInInbox(_ decision: inout Decision, _ effects: inout [Effect]) {
        guard rules.merge.values.fields.contains(.inbox), let value = rules.merge.values.inbox else { return }
        var writer = JSONWriter(reserving: 256)
        writer.value(value)
        decision.inbox = writer.bytes
        guard situation.event != .resume else { return }
        let lost = Inbox.tooMany(situation.stored.inbox, with: writer.bytes)
        if lost > 0 { decision.warnings.append(.inboxFull(lost)) }
        effects.append(.keepInInbox(writer.bytes))
    }

    private func takeLabels(_ decision: inout Decision) {
        guard rules.merge.values.fields.contains(.labels) else { return }
        var labels: [(name: String, value: String)] = []
        rules.merge.values.labels.forEach { labels.append(($0.string, $1.string)) }
        decision.labels = labels
    }

    private func decideFetchResult(_ decision: inout Decision) {
        let said = rules.merge.values.fields.contains(.fetchResult) ? rules.merge.values.fetchResult : nil
        decision.fetchResult = said ?? (rules.hasMatched ? .newData : .noData)
    }

    func ruleName(_ place: Int) -> String? {
        place >= 0 ? situation.plan.ruleset.rules[place].name : nil
    }

    func note(_ decision: inout Decision, _ text: @autoclosure () -> String) {
        if situation.isTraced { decision.trace?.notes.append(text()) }
    }
}
