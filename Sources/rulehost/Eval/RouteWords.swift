// A route, in words.
import RuleEngine

enum RouteWords {
    /// "chat › room-8812", or the link.
    static func target(of route: Route) -> String {
        if let url = route.url { return url }
        return ([route.tab].compactMap { $0 } + (route.path ?? [])).joined(separator: " › ")
    }

    /// What a message leads to when it is tapped later, or what is done now.
    static func sentence(_ route: Route, at event: EventName) -> String {
        switch event {
        case .send, .enrich, .receive, .present, .due:
            let account = route.account.map { ", as the account \($0)" } ?? ""
            return "with the route \(place(of: route))\(account)\(onTop(route))"
        case .open, .resume, .token, .account, .settings: break
        }
        var text = route.isPending ? "kept until the app is ready: " : ""
        // In the order in which the app does it.
        if let account = route.account { text += "switches to the account \(account), then " }
        if !route.isPending || route.account != nil { text += "goes to " }
        return text + place(of: route) + onTop(route)
    }

    private static func place(of route: Route) -> String {
        route.url == nil ? "tab \(target(of: route))" : target(of: route)
    }

    private static func onTop(_ route: Route) -> String {
        route.mode == .push ? ", on top of the screens that are open" : ""
    }
}
