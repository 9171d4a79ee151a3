// From the decisions of a journey to the phones that show it: what is on screen when the message has arrived, after a
// tap, and when a started app is ready. Only for people; nothing is decided here.
import JSONDocument
import PushMessage
import RuleEngine

struct JourneyPicture {
    let outcome: EvalOutcome
    let device: Device
    let manifest: Manifest
    let app: String
    let now: Instant

    /// Each with the events that it shows; without a phone where an event is about no message and changes nothing to see.
    var scenes: [(events: [EventName], scene: PhoneScene?)] {
        var scenes: [(events: [EventName], scene: PhoneScene?)] = []
        let arrival = outcome.evaluations.filter { $0.decision.event != .open && $0.decision.event != .resume }
        let rest = outcome.evaluations.filter { $0.decision.event == .open || $0.decision.event == .resume }
        if !arrival.isEmpty || outcome.evaluations.isEmpty {
            let decisions = arrival.map(\.decision)
            let isSeen = decisions.isEmpty || decisions.contains { !$0.event.isAboutNoMessage || $0.badge != nil }
            scenes.append((decisions.map(\.event), isSeen ? self.arrival(decisions) : nil))
        }
        for evaluation in rest {
            scenes.append(([evaluation.decision.event], after(evaluation.decision)))
        }
        return scenes
    }

    // MARK: the message arrives

    private func arrival(_ decisions: [Decision]) -> PhoneScene {
        var scene = blank(badge: decisions.compactMap(\.badge?.value).last)
        // What the user sees last: the answer to `present` stands above the one to `enrich` before it.
        let seen = decisions.last { $0.display != nil }
        switch seen?.display?.action {
        case .show: scene.cards = seen.flatMap(card).map { [$0] } ?? []
        case .suppress, nil: break
        case .defer: scene.remark = "held back"
        }
        if scene.cards.isEmpty, scene.remark == nil { scene.remark = isInFront ? "nothing is shown" : "no notification" }
        return scene
    }

    private func card(_ decision: Decision) -> PhoneScene.Card? {
        let message = outcome.message
        return card(
            decision, title: message?.title?.string ?? localised("title_key"),
            subtitle: message?.subtitle?.string ?? localised("subtitle_key"),
            body: message?.body?.string ?? localised("body_key"),
            from: isInFront ? .banner : .lockScreen)
    }

    /// - Parameter place: where it comes up, unless it is for the list alone.
    private func card(
        _ decision: Decision, title: String?, subtitle: String?, body: String?, from place: PhoneScene.Placement
    ) -> PhoneScene.Card? {
        guard let options = decision.display?.options else { return nil }
        guard !options.isDisjoint(with: [.banner, .list, .alert]) else { return nil }
        let isQuiet = options.isDisjoint(with: [.banner, .alert])
        let pictures = decision.content.attachments.map { !$0.isEmpty }
        return PhoneScene.Card(
            title: decision.content.title ?? title, subtitle: decision.content.subtitle ?? subtitle,
            body: decision.content.body ?? body,
            hasPicture: pictures ?? false, hasSound: options.contains(.sound),
            placement: isQuiet ? .list : place)
    }

    /// A text that only the phone can look up is shown by its key.
    private func localised(_ key: StaticString) -> String? {
        outcome.message?.view["loc"]?[key]?.text.map { "{\($0.string)}" }
    }

    private var isInFront: Bool { device.state == .foreground || device.state == .inactive }

    // MARK: after a tap

    private func after(_ decision: Decision) -> PhoneScene {
        var scene = blank(badge: decision.badgeAfter ?? outcome.evaluations.compactMap(\.decision.badgeAfter).last)
        let starts = decision.event == .open && device.state.isColdStart
        scene.screen = starts ? .starting(waiting: nil) : .app(tab: tab, path: path)
        scene.cards = heldCards(decision)
        guard let route = decision.route else { return scene }
        if route.isPending {
            scene.screen = .starting(waiting: RouteWords.target(of: route))
        } else if let url = route.url {
            scene.screen = .page(url: url)
        } else {
            let isPushed = route.mode == .push && (route.tab == nil || route.tab == tab)
            scene.screen = .app(tab: route.tab ?? tab, path: (isPushed ? path : []) + (route.path ?? []))
        }
        if let account = route.account { scene.remark = "as \(account.printable)" }
        return scene
    }

    /// What was held back and is shown now; the newest on top.
    private func heldCards(_ decision: Decision) -> [PhoneScene.Card] {
        decision.deferred.enumerated().reversed().compactMap { place, answer in
            guard answer.display?.action == .show else { return nil }
            let text = outcome.held[safe: place]
            return card(answer, title: text?.title, subtitle: text?.subtitle, body: text?.body, from: .banner)
        }
    }

    // MARK: the phone before

    private func blank(badge: Int?) -> PhoneScene {
        PhoneScene(
            appTitle: (manifest.title ?? app).printable, tabs: manifest.tabs,
            clock: WallClock(now, zone: device.timezone?.string ?? manifest.timezone),
            screen: isInFront ? .app(tab: tab, path: path) : .locked, cards: [], badge: badge ?? badgeBefore, remark: nil)
    }

    private var badgeBefore: Int? {
        outcome.badgeBefore
    }
    private var tab: String? { device.screenTab?.string ?? (isInFront ? manifest.tabs.first : nil) }
    private var path: [String] {
        device.screenPath?.children.compactMap { $0.text?.string ?? $0.literal?.string } ?? []
    }
}

extension EventName {
    /// Nothing arrives: somebody logs in, a switch or a token changes.
    fileprivate var isAboutNoMessage: Bool {
        switch self {
        case .account, .settings, .token: true
        case .send, .enrich, .receive, .present, .open, .resume, .due: false
        }
    }
}
