// Draws a scene with box characters, in a phone 48 columns wide. Knows nothing of decisions.

struct PhoneDrawing {
    static let width = 48
    private static let mostBanners = 3
    private let inner = PhoneDrawing.width - 2
    let scene: PhoneScene

    func text(_ ink: Ink, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        return lines.framed(width: PhoneDrawing.width, tone: .frame).map { "\(margin)\($0.text(ink))\n" }.joined()
    }

    private var lines: [StyledLine] {
        switch scene.screen {
        case .locked: lockScreen
        case .app(let tab, let path): statusBar + banner + appScreen(tab: tab, path: path) + tabBar(selected: tab)
        case .page(let url): statusBar + banner + page(url)
        case .starting(let waiting): statusBar + banner + launchScreen(waiting)
        }
    }

    // MARK: locked

    private var lockScreen: [StyledLine] {
        var lines = [StyledLine()]
        for row in scene.clock.largeFigures { lines.append(StyledLine(row, .glass).centred(in: inner)) }
        lines.append(StyledLine(scene.clock.date, .faint).centred(in: inner))
        lines.append(StyledLine())
        for card in scene.cards {
            if case .list = card.placement {
                lines.append(StyledLine("Notification Centre, without a banner", .faint).centred(in: inner))
            }
            lines += drawn(card)
        }
        if scene.cards.isEmpty {
            lines.append(StyledLine())
            lines.append(StyledLine(scene.remark ?? "no notification", .faint).centred(in: inner))
            lines.append(StyledLine())
        }
        lines.append(StyledLine())
        lines.append(icon)
        return lines
    }

    /// The app's icon on the home screen, with its badge.
    private var icon: StyledLine {
        var line = StyledLine("▣ ", .app)
        line.add(fitted(scene.appTitle, 24))
        if let badge = scene.badge, badge > 0 {
            line.add("  ")
            line.add("(\(badge > 9999 ? "9999+" : String(badge)))", .badge)
        } else {
            line.add("  no badge", .faint)
        }
        return line.centred(in: inner)
    }

    // MARK: the app in front

    private var statusBar: [StyledLine] {
        [StyledLine(" \(scene.clock.time)", .strong).spread(StyledLine("▂▄▆ ▰▰▰ ", .faint), in: inner)]
    }

    /// The notification on top of the app, or a word on why there is none.
    private var banner: [StyledLine] {
        if scene.cards.isEmpty { return [StyledLine(scene.remark ?? "", .faint).centred(in: inner)] }
        var lines: [StyledLine] = []
        for card in scene.cards.prefix(PhoneDrawing.mostBanners) {
            if case .list = card.placement {
                lines.append(StyledLine("▾ one more in Notification Centre, no banner", .faint).centred(in: inner))
            } else {
                lines += drawn(card)
            }
        }
        let more = scene.cards.count - PhoneDrawing.mostBanners
        if more > 0 { lines.append(StyledLine("and \(more) more", .faint).centred(in: inner)) }
        return lines
    }

    private func appScreen(tab: String?, path: [String]) -> [StyledLine] {
        var lines = [StyledLine()]
        if let top = path.last {
            var title = StyledLine("  ‹ ", .app)
            title.add(fitted(([tab].compactMap { $0 } + path.dropLast()).joined(separator: " › "), 18), .app)
            title.add("  ")
            title.add(fitted(top, 20), .strong)
            lines.append(title)
        } else {
            lines.append(StyledLine("  " + fitted(tab ?? scene.appTitle, 40), .strong))
        }
        lines.append(StyledLine("  ░░░░░░░░░░░░░░░░░░░░░░░░", .frame))
        lines.append(StyledLine("  ░░░░░░░░░░░░░", .frame))
        lines.append(StyledLine())
        return lines
    }

    private func tabBar(selected: String?) -> [StyledLine] {
        var bar = StyledLine()
        for (place, tab) in scene.tabs.enumerated() {
            if place > 0 { bar.add("   ") }
            bar.add(tab == selected ? "● \(fitted(tab, 12))" : "○ \(fitted(tab, 12))", tab == selected ? .selected : .faint)
        }
        var lines = [StyledLine.rule]
        if bar.columns > 0, bar.columns <= inner { lines.append(bar.centred(in: inner)) }
        lines.append(icon)
        return lines
    }

    private func page(_ url: String) -> [StyledLine] {
        var lines = [StyledLine(), StyledLine("opens", .faint).centred(in: inner)]
        for line in TextLines.wrap(url.printable, columns: inner - 4, most: 4) {
            lines.append(StyledLine(line, .selected).centred(in: inner))
        }
        lines.append(StyledLine())
        return lines + tabBar(selected: nil)
    }

    private func launchScreen(_ waiting: String?) -> [StyledLine] {
        var lines = [StyledLine()]
        for row in ["╭────╮", "│ ▣  │", "╰────╯"] { lines.append(StyledLine(row, .app).centred(in: inner)) }
        lines.append(StyledLine(fitted(scene.appTitle, 40), .strong).centred(in: inner))
        lines.append(StyledLine("starting …", .faint).centred(in: inner))
        lines.append(StyledLine())
        guard let waiting else { return lines }
        lines.append(StyledLine("waiting until the app is ready:", .faint).centred(in: inner))
        for line in TextLines.wrap(waiting.printable, columns: inner - 4, most: 3) {
            lines.append(StyledLine(line, .selected).centred(in: inner))
        }
        lines.append(StyledLine())
        return lines
    }

    // MARK: the notification

    private func drawn(_ card: PhoneScene.Card) -> [StyledLine] {
        let width = inner - 2
        let room = width - 4
        var lines: [StyledLine] = []
        var head = StyledLine(" ")
        head.add("▣ ", .app)
        head.add(fitted(scene.appTitle, room - 14))
        lines.append(head.spread(StyledLine(card.hasSound ? "♪ now " : "now ", .faint), in: width - 2))
        var texts: [StyledLine] = []
        let columns = card.hasPicture ? room - 8 : room
        if let title = card.title { texts.append(StyledLine(fitted(title, columns), .strong)) }
        if let subtitle = card.subtitle { texts.append(StyledLine(fitted(subtitle, columns))) }
        if let body = card.body {
            for line in TextLines.wrap(body.printableLines, columns: columns, most: 4) { texts.append(StyledLine(line)) }
        }
        let picture = card.hasPicture ? ["╭────╮", "│ ◢◣ │", "╰────╯"] : []
        for row in 0..<max(texts.count, picture.count) {
            var line = StyledLine(" ")
            if row < texts.count { line.add(texts[row]) }
            if row < picture.count { line = line.spread(StyledLine(picture[row] + " ", .accent), in: width - 2) }
            lines.append(line)
        }
        return lines.framed(width: width, tone: .glass).map { line in
            var indented = StyledLine(" ")
            indented.add(line)
            return indented
        }
    }

    /// One line, cut with "…" where it is too long.
    private func fitted(_ text: String, _ columns: Int) -> String {
        let text = text.printable
        return TextWidth.of(text) <= columns ? text : TextWidth.prefix(text, columns: columns - 1) + "…"
    }
}
