// A route, in words.
import RuleEngine

enum RouteWords {
    /// "chat › room-8812", or the link.
    static func target(of route: Route) -> String {
        if let url = route.url { return url }
        return ([route.tab].compactMap { $0 } + (route.path ?? [])).joined(separator: " › ")
    }

    static func sentence(_ route: Route) -> String {
        var text = route.isPending ? "kept until the app is ready: " : ""
        // In the order in which the app does it.
        if let account = route.account { text += "switches to the account \(account), then " }
        if !route.isPending || route.account != nil { text += "goes to " }
        text += route.url == nil ? "tab \(target(of: route))" : target(of: route)
        if route.mode == .push { text += ", on top of the screens that are open" }
        return text
    }
}
