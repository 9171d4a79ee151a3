// What a matrix varies when nobody says: the states of the app, its screens, the permission, and the switches that the message
// can meet. Screens are the tabs of app.lua, and those that the rules lead to when this message is tapped - with another
// one of the same kind beside each, because rules like to ask whether it is the very one.
import JSONDocument
import PushMessage
public import RuleEngine

public enum MatrixDefaults {
    /// Screens that rules lead to, beyond which nobody looks further.
    private static let mostPaths = 8

    /// In the order of the table.
    public static func inputs(
        of evaluator: any RuleEvaluating, _ question: MatrixQuestion
    ) throws(MatrixFault) -> [MatrixInput] {
        let bench = try MatrixBench(evaluator, question)
        // Another word for one of them is left out.
        let states = DeviceState.allCases.filter { $0 != .notRunning }
        var inputs = [MatrixInput("state", states.map { word("state", $0.rawValue) })]
        let screens = try screens(bench, states)
        if !screens.isEmpty { inputs.append(MatrixInput("screen", screens)) }
        let permissions: [Permission] = [.authorized, .provisional, .ephemeral, .notDetermined, .unknown, .denied]
        inputs.append(MatrixInput("permission", permissions.map { word("permission", $0.rawValue) }))
        inputs.append(MatrixInput("app_push", [true, false].map { toggle(DeviceField("app_push", isOn: $0), $0) }))
        if let channel = try bench.withBase({ $1?.channel?.string }) {
            inputs.append(MatrixInput("channel.\(channel)", [true, false].map { toggle(DeviceField("channels", channel, isOn: $0), $0) }))
        }
        return inputs
    }

    private static func word(_ field: String, _ word: String) -> MatrixInput.Value {
        MatrixInput.Value(word, .device(DeviceField(field, text: word)))
    }

    private static func toggle(_ field: DeviceField, _ isOn: Bool) -> MatrixInput.Value {
        MatrixInput.Value(isOn ? "on" : "off", .device(field))
    }

    // MARK: screens

    private static func screens(_ bench: MatrixBench, _ states: [DeviceState]) throws(MatrixFault) -> [MatrixInput.Value] {
        let tabs = bench.evaluator.ruleset.manifest.tabs
        var screens = tabs.map { screen($0, []) }
        for (tab, path) in try targets(bench, states, tabs) {
            if !tabs.contains(where: tab.isExactly) { add(screen(tab, []), to: &screens) }
            guard let last = path.last else { continue }
            add(screen(tab, path), to: &screens)
            add(screen(tab, path.dropLast() + [last == "another" ? "other" : "another"]), to: &screens)
        }
        return screens
    }

    private static func add(_ screen: MatrixInput.Value, to screens: inout [MatrixInput.Value]) {
        if !screens.contains(screen) { screens.append(screen) }
    }

    private static func screen(_ tab: String, _ path: [String]) -> MatrixInput.Value {
        MatrixInput.Value(
            ScreenWords.label(tab, path), .device(DeviceField("screen", json: JSONLine.screen(tab: tab, path: path))))
    }

    /// Where a tap on the message leads, wherever the person is.
    private static func targets(
        _ bench: MatrixBench, _ states: [DeviceState], _ tabs: [String]
    ) throws(MatrixFault) -> [(tab: String, path: [String])] {
        guard try bench.withBase({ $1 != nil }) else { return [] }
        var found: [(tab: String, path: [String])] = []
        let places = [DeviceField("screen", json: nil)] + tabs.map { DeviceField("screen", json: JSONLine.screen(tab: $0, path: [])) }
        for state in states {
            for place in places {
                let answer = try bench.answer(
                    to: [.device(DeviceField("state", text: state.rawValue)), .device(place), .event(Array("\"open\"".utf8))])
                for route in answer.decisions.compactMap(\.route) {
                    guard let tab = route.tab, found.count < mostPaths else { continue }
                    let path = route.path ?? []
                    if !found.contains(where: { $0.tab.isExactly(tab) && $0.path == path }) { found.append((tab, path)) }
                }
            }
        }
        return found
    }
}

enum ScreenWords {
    /// "chat › room-1"
    static func label(_ tab: String, _ path: [String]) -> String { ([tab] + path).joined(separator: " › ") }
}
