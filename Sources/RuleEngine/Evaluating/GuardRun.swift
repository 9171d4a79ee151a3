// The built-in guards, run in one fixed order over what the rules decided: none of them needs a rule, every one says
// what it did. They change the display, except that `link` changes the route, `attachment` drops an attachment, and
// `account` and `not_subscribed` have a consequence of their own.
import CivilTime
import JSONDocument
import PushMessage

struct GuardRun {
    private let situation: Situation

    init(_ situation: Situation) { self.situation = situation }

    func run(on decision: inout Decision) {
        duplicate(&decision)
        let hasGuardedDisplay = situation.event.hasGuardedDisplay
        if hasGuardedDisplay {
            expired(&decision)
            permission(&decision)
            if !situation.isCritical {
                appSwitch(&decision)
                channelSwitch(&decision)
            }
            empty(&decision)
        }
        account(&decision)
        notSubscribed(&decision)
        if decision.route?.url != nil { link(&decision) }
        if hasGuardedDisplay { osOptions(&decision) }
        if decision.content.attachments != nil { attachment(&decision) }
    }

    // MARK: display

    /// Second copies do not come this far, unless the manifest makes the guard a warning.
    private func duplicate(_ decision: inout Decision) {
        guard situation.plan.guardModes[.duplicate] == .warn, situation.isSecondCopy else { return }
        _ = act(&decision, .duplicate, "another copy of a message that was here already")
    }

    /// Past its time to live, or a message of the console whose hours are over for whoever gets it.
    private func expired(_ decision: inout Decision) {
        guard decision.isDisplayed, let message = situation.message else { return }
        let now = situation.request.now
        if let end = message.expiresAt, end <= now.milliseconds {
            suppress(&decision, .expired, "the message expired at \(Instant(milliseconds: end).text)")
        } else if message.isCarrier, !situation.request.device.isLocalCopy, let end = situation.moment(message.scheduled.to),
            end <= now
        {
            suppress(&decision, .expired, "its hours are over: it was to be shown until \(situation.local(end))")
        }
    }

    private func permission(_ decision: inout Decision) {
        switch situation.request.device.permission {
        case .authorized, .ephemeral, .unknown: break
        case .denied: suppress(&decision, .permission, "the phone's settings do not allow notifications")
        case .notDetermined: suppress(&decision, .permission, "the person has not allowed notifications yet")
        case .provisional:
            let isOnScreen = decision.display.map { !$0.options.isDisjoint(with: .onScreen) } ?? false
            narrow(
                &decision, .permission, to: isOnScreen ? .list : [],
                "the permission is provisional: in the list only, quietly")
        }
    }

    private func appSwitch(_ decision: inout Decision) {
        guard !(situation.request.device.appPush ?? situation.stored.appPush ?? true) else { return }
        suppress(&decision, .appSwitch, "notifications are switched off in the app")
    }

    private func channelSwitch(_ decision: inout Decision) {
        guard decision.isDisplayed, situation.plan.ruleset.manifest.channels != nil else { return }
        guard let code = situation.message?.channel else {
            if !situation.plan.ruleset.manifest.unknownChannelIsOn {
                suppress(
                    &decision, .channelSwitch, "the message names no channel, and such messages are off in this app")
            }
            return
        }
        let switched = situation.stored.channels.isEmpty ? nil : situation.stored.channels[code.string]
        switch ChannelSwitch(code: code, stored: switched, in: situation) {
        case .on: break
        case .off: suppress(&decision, .channelSwitch, "the channel \"\(code.string)\" is switched off")
        case .unknown:
            suppress(
                &decision, .channelSwitch,
                "the app does not know the channel \"\(code.string)\", and unknown ones are off")
        }
    }

    private func empty(_ decision: inout Decision) {
        // What is held back is looked at when it is due.
        guard decision.display?.action == .show, !hasText(decision.content) else { return }
        guard situation.occasion == .send else {
            let looked = lookedFor(decision)
            return suppress(&decision, .empty, "there is no text to show" + looked)
        }
        // What is sent may well carry no text: a silent push, a new badge, a sound. There is just nothing to display.
        guard let message = situation.message, message.silent || message.badge != nil || message.sound != nil else {
            return suppress(&decision, .empty, "there is nothing to show")
        }
        var carried: DisplayOptions = []
        if !message.silent {
            if message.badge != nil { carried.insert(.badge) }
            if message.sound != nil { carried.insert(.sound) }
        }
        // Nothing that a rule or the permission has taken away comes back.
        let left = decision.display?.options.intersection(carried) ?? []
        narrow(&decision, .empty, to: left, "there is no text to show")
    }

    /// Where the app's own field map has looked in vain: what a sender and an app disagree about is seen at once.
    private func lookedFor(_ decision: borrowing Decision) -> String {
        guard decision.content.title == nil, decision.content.body == nil else { return "" }
        let fields = situation.plan.ruleset.manifest.fields
        let texts: [(String, MessageField)] = [("title", .title), ("body", .body)]
        let looked = texts.compactMap { name, field -> String? in
            let places = fields.places(of: field)
            return places.isEmpty ? nil : "no \(name) at " + places.map { "`\($0)`" }.joined(separator: ", ")
        }
        return looked.isEmpty ? "" : ": " + looked.joined(separator: "; ")
    }

    private func osOptions(_ decision: inout Decision) {
        guard let options = decision.display?.options, !options.isDisjoint(with: .onScreen),
            let version = situation.request.device.osVersion, situation.request.device.platform == .ios,
            let order = GuardRun.bannersBegan?.order(of: version), order < 0
        else { return }
        narrow(
            &decision, .osOptions, to: options.subtracting(.onScreen).union(.alert),
            "iOS \(version.string) has alert in place of banner and list")
    }

    /// The first iOS with banner and list.
    private static let bannersBegan = VersionNumber("14")

    // MARK: whom the message is for

    private func account(_ decision: inout Decision) {
        guard let account = situation.message?.account, let accounts = situation.request.device.accounts,
            !accounts.children.contains(where: { $0.text == account })
        else { return }
        let reason = "the message is for the account \"\(account.string.shortened)\", which is not logged in on this device"
        suppress(&decision, .account, reason)
        guard situation.event == .open, decision.route != nil else { return }
        if act(&decision, .account, "\(reason): the tap leads nowhere") {
            decision.route = nil
            decision.warnings.append(
                Warning(code: .accountMismatch, path: "route", message: "\(reason): the tap leads nowhere"))
        }
    }

    private func notSubscribed(_ decision: inout Decision) {
        guard decision.isDisplayed || situation.event.hasGuardedDisplay,
            situation.request.device.topics != nil || situation.stored.wantedTopics != nil,
            let message = situation.message
        else { return }
        if let topic = message.topic {
            guard isLeft(topic) else { return }
            let name = topic.string
            leave([name], because: "the recipient is not subscribed to the topic \"\(name)\"", &decision)
        } else if let text = message.condition {
            condition(text, &decision)
        }
    }

    /// The device or the person has left the topic; false when neither is known.
    private func isLeft(_ topic: JSONText) -> Bool {
        situation.request.device.topics.map { topics in !topics.children.contains { $0.text == topic } } ?? false
            || situation.stored.wantedTopics.map { topics in !topics.contains { topic == $0 } } ?? false
    }

    /// One that cannot be read has its lint and holds nobody up.
    private func condition(_ text: JSONText, _ decision: inout Decision) {
        let written = text.string
        let parsed: TopicCondition
        do throws(TopicConditionFault) { parsed = try TopicCondition(parsing: written) } catch { return }
        let said = situation.request.device.topics.map { Set($0.children.compactMap { $0.text.map { ExactText($0.string) } }) }
        let wanted = situation.stored.wantedTopics.map { Set($0.map { ExactText($0) }) }
        let known = [said, wanted].compactMap { $0 }
        guard known.contains(where: { !parsed.holds(for: $0) }) else { return }
        leave(
            parsed.topics.filter { topic in known.contains { !$0.contains(ExactText(topic)) } },
            because: "the recipient's topics do not meet the condition \(written.shortened)", &decision)
    }

    /// Whatever becomes of the message: it would not have come had the topics been left.
    private func leave(_ topics: [String], because reason: String, _ decision: inout Decision) {
        if decision.isDisplayed {
            suppress(&decision, .notSubscribed, reason)
            guard situation.plan.guardModes[.notSubscribed] == .on else { return }
        } else if topics.isEmpty || !act(&decision, .notSubscribed, "\(reason): left again") {
            return
        }
        decision.topics = topics.map { TopicOperation(kind: .unsubscribe, topic: $0) }
    }

    // MARK: addresses

    private func link(_ decision: inout Decision) {
        guard let url = decision.route?.url, case .refused(let why) = situation.plan.links.verdict(on: url) else { return }
        let reason = "the link \"\(url.shortened)\" \(why)"
        let fallback = situation.plan.links.fallback
        guard act(&decision, .link, fallback.map { "\(reason): replaced by \"\($0)\"" } ?? "\(reason): removed") else {
            return
        }
        decision.warnings.append(Warning(code: .linkNotAllowed, path: "route.url", message: reason))
        if let fallback {
            var replaced = Route()
            replaced.url = fallback
            replaced.reason = "\(reason): replaced"
            replaced.rule = GuardName.link.speaker
            decision.route = replaced
        } else if decision.route?.tab != nil {
            decision.route?.url = nil
            decision.route?.reason = "\(reason): removed, the tab stays"
        } else {
            decision.route = nil
        }
    }

    private func attachment(_ decision: inout Decision) {
        guard let attachments = decision.content.attachments else { return }
        var kept: [Content.Attachment] = []
        var lost: String?
        for (place, attachment) in attachments.enumerated() {
            let fetched = FetchedAttachment.about(attachment.url, in: situation.request.event.details)
            let verdict = AttachmentPolicy.verdict(on: attachment, fetched: fetched)
            guard let objection = verdict.objection else {
                kept.append(known(attachment, verdict, fetched))
                continue
            }
            let reason = "the attachment \"\(attachment.url.shortened)\" \(objection.why)"
            guard act(&decision, .attachment, "\(reason): dropped") else {
                kept.append(attachment)
                continue
            }
            lost = lost ?? objection.why
            decision.warnings.append(
                Warning(code: objection.code, path: "content.attachments[\(place)].url", message: reason))
        }
        decision.content.attachments = kept.isEmpty && !attachments.isEmpty ? nil : kept
        if kept.isEmpty, let lost, decision.display?.action == .show, decision.display?.reason == nil {
            decision.display?.reason = "without its picture, which \(lost)"
        }
    }

    private func known(
        _ attachment: Content.Attachment, _ verdict: AttachmentPolicy.Verdict, _ fetched: FetchedAttachment?
    ) -> Content.Attachment {
        var attachment = attachment
        if case .allowed(let kind) = verdict, let kind {
            attachment.kind = kind
            if fetched?.type != nil { attachment.type = kind.mimeType }
        }
        attachment.bytes = fetched?.bytes
        if situation.event == .enrich { attachment.budgetSeconds = FetchedAttachment.budget }
        return attachment
    }

    // MARK: what all guards share

    private func hasText(_ content: borrowing Content) -> Bool {
        GuardRun.isShown(content.title, else: situation.message?.title)
            || GuardRun.isShown(content.body, else: situation.message?.body)
            || GuardRun.isShown(content.subtitle, else: situation.message?.subtitle)
            || situation.message?.view["loc"] != nil
    }

    private static func isShown(_ replaced: String?, else own: JSONText?) -> Bool {
        if let replaced { return !BlankText.isBlank(replaced.utf8) }
        return own.map { !BlankText.isBlank($0.bytes) } ?? false
    }

    private func suppress(_ decision: inout Decision, _ name: GuardName, _ reason: @autoclosure () -> String) {
        guard decision.isDisplayed, situation.plan.guardModes[name] != .off else { return }
        let reason = reason()
        guard act(&decision, name, reason) else { return }
        decision.display = Display(
            action: .suppress, options: [], reason: reason, rule: name.speaker, until: nil)
    }

    private func narrow(
        _ decision: inout Decision, _ name: GuardName, to options: DisplayOptions, _ effect: @autoclosure () -> String
    ) {
        guard let before = decision.display, before.action == .show, before.options != options,
            act(&decision, name, effect())
        else { return }
        decision.display?.options = options
    }

    /// Whether the guard may do it; says so either way.
    private func act(_ decision: inout Decision, _ name: GuardName, _ effect: String) -> Bool {
        switch situation.plan.guardModes[name] {
        case .off: return false
        case .warn:
            decision.warnings.append(
                Warning(
                    code: .guardWarning, path: "", message: "the guard \(name.rawValue) would have acted: \(effect)",
                    hint: "app.lua makes it a warning"))
            return false
        case .on:
            decision.trace?.guards.append(Trace.GuardLine(guard: name, effect: effect))
            return true
        }
    }
}

/// Where the switch of a channel stands: the device's word, else the stored one, else the manifest's.
enum ChannelSwitch {
    case on, off
    /// Not in the manifest, and unknown channels are off.
    case unknown

    init(code: JSONText, stored: Bool?, in situation: Situation) {
        let said = situation.request.device.channels?[code]?.bool ?? stored
        guard let isOnByDefault = situation.plan.isOnByDefault(code) else {
            // A person's "off" counts for any channel; an "on" does not make an unknown one known.
            self = said == false ? .off : situation.plan.ruleset.manifest.unknownChannelIsOn ? .on : .unknown
            return
        }
        self = said ?? isOnByDefault ? .on : .off
    }
}

extension EventName {
    /// Where the guards of display run: whatever may put something on the screen, never a tap.
    var hasGuardedDisplay: Bool {
        switch self {
        case .send, .enrich, .present, .due, .receive: true
        case .open, .resume, .token, .account, .settings: false
        }
    }
}

extension Decision {
    fileprivate var isDisplayed: Bool { display.map { $0.action != .suppress } ?? false }
}

extension DisplayOptions {
    fileprivate static let onScreen: DisplayOptions = [.banner, .list]
}
