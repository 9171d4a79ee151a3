// The built-in guards, run in one fixed order over what the rules decided: none of them needs a rule, every one says
// what it did. They change the display, except that `link` changes the route, `attachment` drops an attachment, and
// `account` and `not_subscribed` have a consequence of their own.
import JSONDocument
import PushMessage

struct GuardRun {
    let request: EvaluationRequest
    let plan: Plan
    let stored: RecipientState
    /// What the guards look at and change.
    var display: Display?
    var route: Route?
    var content: Content
    /// Set by `not_subscribed`: the topic to leave.
    private(set) var topicToLeave: String?
    private(set) var warnings: [Warning] = []
    /// Filled only when the run is traced.
    private(set) var lines: [Trace.GuardLine] = []

    init(
        request: EvaluationRequest, plan: Plan, stored: RecipientState, display: Display?, route: Route?,
        content: Content
    ) {
        self.request = request
        self.plan = plan
        self.stored = stored
        self.display = display
        self.route = route
        self.content = content
    }

    private var message: Message? { request.message }
    private var device: Device { request.device }
    private var manifest: Manifest { plan.ruleset.manifest }

    mutating func run() {
        if request.event.name.hasGuardedDisplay {
            expired()
            permission()
            if !isCritical {
                appSwitch()
                channelSwitch()
            }
            empty()
        }
        account()
        notSubscribed()
        link()
        if request.event.name.hasGuardedDisplay { osOptions() }
        attachment()
    }

    // MARK: display

    private mutating func expired() {
        guard isDisplayed, let end = message?.expiresAt, end <= request.now.milliseconds else { return }
        suppress(.expired, "the message expired at \(Instant(milliseconds: end).text)")
    }

    private mutating func permission() {
        guard isDisplayed else { return }
        switch device.permission {
        case .authorized, .ephemeral, .unknown: break
        case .denied: suppress(.permission, "the phone's settings do not allow notifications")
        case .notDetermined: suppress(.permission, "the person has not allowed notifications yet")
        case .provisional:
            let quiet: DisplayOptions =
                display.map { $0.options.isDisjoint(with: [.banner, .list]) } ?? true ? [] : .list
            narrow(.permission, to: quiet, "the permission is provisional: in the list only, quietly")
        }
    }

    private mutating func appSwitch() {
        guard isDisplayed, !(device.appPush ?? stored.appPush ?? true) else { return }
        suppress(.appSwitch, "notifications are switched off in the app")
    }

    private mutating func channelSwitch() {
        guard isDisplayed, manifest.channels != nil else { return }
        guard let code = message?.channel else {
            if !manifest.unknownChannelIsOn {
                suppress(.channelSwitch, "the message names no channel, and such messages are off in this app")
            }
            return
        }
        let switched = stored.channels.isEmpty ? nil : stored.channels[code.string]
        let position = ChannelSwitch(code: code, device: device, stored: switched, manifest: manifest)
        switch position {
        case .on: break
        case .off: suppress(.channelSwitch, "the channel \"\(code.string)\" is switched off")
        case .unknown:
            suppress(.channelSwitch, "the app does not know the channel \"\(code.string)\", and unknown ones are off")
        }
    }

    private mutating func empty() {
        guard isDisplayed, !hasText else { return }
        guard request.event.name == .send else {
            return suppress(.empty, "there is no text to show")
        }
        // What is sent may well carry no text: a silent push, a new badge, a sound. There is just nothing to display.
        guard let message, message.silent || message.badge != nil || message.sound != nil else {
            return suppress(.empty, "there is nothing to show")
        }
        var carried: DisplayOptions = []
        if !message.silent {
            if message.badge != nil { carried.insert(.badge) }
            if message.sound != nil { carried.insert(.sound) }
        }
        narrow(.empty, to: carried, "there is no text to show")
    }

    private mutating func osOptions() {
        guard let display, display.action == .show, device.platform == .ios, !display.options.isDisjoint(with: .onScreen),
            let version = device.osVersion, let order = GuardRun.bannersBegan?.order(of: version), order < 0
        else { return }
        narrow(
            .osOptions, to: display.options.subtracting(.onScreen).union(.alert),
            "iOS \(version.string) has alert in place of banner and list")
    }

    /// The first iOS with banner and list.
    private static let bannersBegan = VersionNumber("14")

    // MARK: whom the message is for

    private mutating func account() {
        guard let account = message?.account, let accounts = device.accounts, plan.guardModes[.account] != .off,
            !accounts.children.contains(where: { $0.text == account })
        else { return }
        let reason = "the message is for the account \"\(account.string)\", which is not logged in on this device"
        if display != nil { suppress(.account, reason) }
        guard request.event.name == .open, route != nil else { return }
        if act(.account, "\(reason): the tap leads nowhere") { route = nil }
    }

    private mutating func notSubscribed() {
        guard isDisplayed, let topic = message?.topic, plan.guardModes[.notSubscribed] != .off else { return }
        let isLeft =
            device.topics.map { topics in !topics.children.contains { $0.text == topic } } ?? false
            || stored.wantedTopics.map { topics in !topics.contains { topic == $0 } } ?? false
        guard isLeft else { return }
        let name = topic.string
        suppress(.notSubscribed, "the recipient is not subscribed to the topic \"\(name)\"")
        if plan.guardModes[.notSubscribed] == .on { topicToLeave = name }
    }

    // MARK: addresses

    private mutating func link() {
        guard let url = route?.url, plan.guardModes[.link] != .off,
            case .refused(let why) = plan.links.verdict(on: url)
        else { return }
        let reason = "the link \"\(url.shortened)\" \(why)"
        guard let fallback = plan.links.fallback else {
            guard act(.link, "\(reason): removed") else { return }
            warnings.append(Warning(code: .linkNotAllowed, path: "route.url", message: reason))
            route?.url = nil
            if route?.tab == nil { route = nil }
            return
        }
        guard act(.link, "\(reason): replaced by \"\(fallback)\"") else { return }
        warnings.append(Warning(code: .linkNotAllowed, path: "route.url", message: reason))
        var replaced = Route()
        replaced.url = fallback
        replaced.rule = "guard:link"
        route = replaced
    }

    private mutating func attachment() {
        guard let attachments = content.attachments, plan.guardModes[.attachment] != .off else { return }
        var kept: [Content.Attachment] = []
        for (place, attachment) in attachments.enumerated() {
            let (code, why): (WarningCode, String)
            switch AttachmentPolicy.verdict(on: attachment) {
            case .allowed:
                kept.append(attachment)
                continue
            case .invalid: (code, why) = (.invalidURL, "is not an absolute https address")
            case .insecure: (code, why) = (.insecureURL, "is not fetched over https")
            case .unknownType(let type): (code, why) = (.attachmentType, "is of a kind that phones do not show: \(type)")
            }
            let reason = "the attachment \"\(attachment.url.shortened)\" \(why)"
            guard act(.attachment, "\(reason): dropped") else {
                kept.append(attachment)
                continue
            }
            warnings.append(Warning(code: code, path: "content.attachments[\(place)].url", message: reason))
        }
        content.attachments = kept.isEmpty && !attachments.isEmpty ? nil : kept
    }

    // MARK: what all guards share

    private var isDisplayed: Bool { display.map { $0.action != .suppress } ?? false }

    private var isCritical: Bool {
        guard let channels = manifest.channels, let code = message?.channel else { return false }
        return channels.contains { $0.isCritical && code == $0.code }
    }

    private var hasText: Bool {
        let replaced = [content.title, content.subtitle, content.body]
        if replaced.contains(where: { $0.map { !$0.isEmpty } ?? false }) { return true }
        guard let message, !message.hasNoText else { return false }
        if message.view["loc"] != nil { return true }
        return (content.title == nil && message.title != nil) || (content.subtitle == nil && message.subtitle != nil)
            || (content.body == nil && message.body != nil)
    }

    private mutating func suppress(_ name: GuardName, _ reason: String) {
        guard isDisplayed, act(name, reason) else { return }
        display = Display(action: .suppress, options: [], reason: reason, rule: "guard:\(name.rawValue)", until: nil)
    }

    private mutating func narrow(_ name: GuardName, to options: DisplayOptions, _ effect: String) {
        guard let before = display, before.action == .show, before.options != options, act(name, effect) else { return }
        display?.options = options
    }

    /// Whether the guard may do it; says so either way.
    private mutating func act(_ name: GuardName, _ effect: String) -> Bool {
        switch plan.guardModes[name] {
        case .off: return false
        case .warn:
            warnings.append(
                Warning(
                    code: .guardWarning, path: "", message: "the guard \(name.rawValue) would have acted: \(effect)",
                    hint: "app.lua makes it a warning"))
            return false
        case .on:
            if request.options.tracesRules { lines.append(Trace.GuardLine(guard: name, effect: effect)) }
            return true
        }
    }
}

/// Where the switch of a channel stands: the device's word, else the stored one, else the manifest's.
enum ChannelSwitch {
    case on, off
    /// Not in the manifest, and unknown channels are off.
    case unknown

    init(code: JSONText, device: Device, stored: Bool?, manifest: Manifest) {
        let said = device.channels?[code]?.bool ?? stored
        guard let channel = manifest.channels?.first(where: { code == $0.code }) else {
            // A person's "off" counts for any channel; an "on" does not make an unknown one known.
            self = said == false ? .off : manifest.unknownChannelIsOn ? .on : .unknown
            return
        }
        self = said ?? channel.isOnByDefault ? .on : .off
    }
}

extension EventName {
    /// Where the guards of display run: whatever may put something on the screen, never a tap.
    fileprivate var hasGuardedDisplay: Bool {
        switch self {
        case .send, .enrich, .present, .due, .receive: true
        case .open, .resume, .token, .account, .settings: false
        }
    }
}

extension DisplayOptions {
    fileprivate static let onScreen: DisplayOptions = [.banner, .list]
}

extension String {
    /// At most 80 characters, for sentences.
    fileprivate var shortened: String { count <= 80 ? self : prefix(79) + "…" }
}
