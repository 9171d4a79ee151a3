// The functions that the engine gives to scripts, beside the machine's own. One list: the machine is made from it and
// calls back with a function's place in it.

enum ScriptFunction: Int, CaseIterable {
    case stateGet, stateSet, stateIncr, stateDelete, stateKeys, stateHas
    case appGet, appSet, appIncr, appDelete, appKeys, appHas
    case settingsGet, settingsSet, settingsReset
    case log, textFill, textTruncate, textPlural, textTr, bucket
    case timeBetween, timeAdd, timeParse, timeStartOf
    // Values stand last: the machine tells them by their number.
    case timeNow, timeWall

    /// Read by scripts without a call.
    static let values: [ScriptFunction] = [.timeNow, .timeWall]

    /// As scripts write it.
    var name: String {
        switch self {
        case .stateGet: "state.get"
        case .stateSet: "state.set"
        case .stateIncr: "state.incr"
        case .stateDelete: "state.delete"
        case .stateKeys: "state.keys"
        case .stateHas: "state.has"
        case .appGet: "state.app.get"
        case .appSet: "state.app.set"
        case .appIncr: "state.app.incr"
        case .appDelete: "state.app.delete"
        case .appKeys: "state.app.keys"
        case .appHas: "state.app.has"
        case .settingsGet: "settings.get"
        case .settingsSet: "settings.set"
        case .settingsReset: "settings.reset"
        case .log: "log"
        case .textFill: "text.fill"
        case .textTruncate: "text.truncate"
        case .textPlural: "text.plural"
        case .textTr: "text.tr"
        case .bucket: "bucket"
        case .timeBetween: "time.between"
        case .timeAdd: "time.add"
        case .timeParse: "time.parse"
        case .timeStartOf: "time.start_of"
        case .timeNow: "time.now"
        case .timeWall: "time.wall"
        }
    }
}
