// A tab or a channel that app.lua does not list, in a function: in a comparison, a call or what it returns. In the keys of
// rules the loader tells of it.
import RuleEngine

extension Check {
    static let unlistedName = Check("unlisted_name", .error, codes: ["unknown_tab", "unknown_channel"]) { app, findings in
        guard let manifest = app.manifest else { return }
        let tabs = manifest.tabs
        let channels = (manifest.channels ?? []).map(\.code)
        let (isTabListed, isChannelListed) = (Set(tabs), Set(channels))

        func look(_ file: CheckedFile, _ rule: CheckedFile.RuleCall?, _ value: LuaExpression, isTab: Bool) {
            let known = isTab ? tabs : channels
            let literal = value.followed
            guard case .text(let name, _) = literal, !known.isEmpty, !(isTab ? isTabListed : isChannelListed).contains(name) else { return }
            findings.tell(
                file, at: value.start, "app.lua lists no \(isTab ? "tab" : "channel") \"\(name)\"",
                hint: UnlistedName.hint(for: name, among: known), code: isTab ? "unknown_tab" : "unknown_channel", rule: rule?.name)
        }

        for found in app.expressions {
            let (file, rule, expression) = (found.file, found.rule, found.expression)
            switch expression {
            case .binary("==", let left, let right, _), .binary("~=", let left, let right, _):
                for (field, value) in [(left, right), (right, left)] {
                    switch field.path {
                    case LuaPath(root: .view("device"), keys: ["screen", "tab"])?: look(file, rule, value, isTab: true)
                    case LuaPath(root: .view("msg"), keys: ["channel"])?: look(file, rule, value, isTab: false)
                    default: break
                    }
                }
            case .index(let object, let key, _):
                // device.channels.offers
                if object.path == LuaPath(root: .view("device"), keys: ["channels"]),
                    !manifest.unknownChannelIsOn || channels.isEmpty == false
                {
                    look(file, rule, key, isTab: false)
                }
            case .call, .method:
                switch expression.calledName {
                case "device:is_showing"?: if let tab = expression.arguments.first { look(file, rule, tab, isTab: true) }
                case "settings.get"?, "settings.set"?:
                    if let code = expression.arguments.first { look(file, rule, code, isTab: false) }
                default: break
                }
            default: break
            }
        }
        for wish in app.returnedWishes {
            if let route = wish["route"]?.value.followed.table, let tab = route.item("tab") {
                look(wish.file, wish.call, tab.value, isTab: true)
            }
        }
    }
}
