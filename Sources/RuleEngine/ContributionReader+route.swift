// `route` of a decide table: an address, a place in the app, or false.
import JSONDocument
import PushMessage

extension ContributionReader {
    static let routeKeys = ["tab", "path", "url", "mode", "account"]
    static let routeModes = ["replace", "push"]

    static func route(_ value: JSONValue) throws(ContributionFault) -> ContributedRoute {
        let spot = Spot("route")
        if let link = value.text {
            guard !link.isEmpty else {
                throw spot.fault(.badValue, "`route` is an empty text", hint: "write `false` to go nowhere")
            }
            return .link(link)
        }
        if value.kind == .false { return .nowhere }
        guard value.isObject else {
            throw spot.wrongType(value, "a link, { tab = \"…\", path = { … } } or false")
        }
        var place = ContributedRoute.Place()
        for member in value.children {
            if member.key == "tab" {
                place.tab = try text(member, Spot("route", "tab"))
            } else if member.key == "url" {
                place.url = try text(member, Spot("route", "url"))
            } else if member.key == "account" {
                place.account = try text(member, Spot("route", "account"))
            } else if member.key == "mode" {
                let word = try text(member, Spot("route", "mode"))
                guard word == "replace" || word == "push" else {
                    throw Spot("route", "mode").unknownWord(member, "a mode", among: routeModes)
                }
                place.mode = word == "push" ? .push : .replace
            } else if member.key == "path" {
                try checkPath(member)
                place.pathList = member
            } else {
                throw spot.unknownKey(member.key, among: routeKeys)
            }
        }
        guard place.tab != nil || place.url != nil || place.pathList != nil || place.account != nil else {
            throw spot.fault(
                .badValue, "`route` says neither `tab` nor `url` nor `path`", hint: "write `false` to go nowhere")
        }
        return .place(place)
    }

    static func checkPath(_ list: JSONValue) throws(ContributionFault) {
        guard list.isArray else { throw Spot("route", "path").wrongType(list, "a list of texts") }
        var place = 0
        for step in list.children {
            place += 1
            guard step.isString || step.kind == .integer else {
                throw Spot("route", "path", place).wrongType(step, "text")
            }
        }
    }
}
