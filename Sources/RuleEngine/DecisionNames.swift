// How the closed sets of a decision are spelt in JSON: fixed texts, so that writing one allocates nothing.

extension EventName {
    /// As JSON and rules spell it.
    var name: StaticString {
        switch self {
        case .send: "send"
        case .enrich: "enrich"
        case .receive: "receive"
        case .present: "present"
        case .open: "open"
        case .resume: "resume"
        case .token: "token"
        case .account: "account"
        case .settings: "settings"
        case .due: "due"
        }
    }

    /// Place in `allCases`.
    var place: Int {
        switch self {
        case .send: 0
        case .enrich: 1
        case .receive: 2
        case .present: 3
        case .open: 4
        case .resume: 5
        case .token: 6
        case .account: 7
        case .settings: 8
        case .due: 9
        }
    }
}

extension Display.Action {
    var name: StaticString {
        switch self {
        case .show: "show"
        case .suppress: "suppress"
        case .defer: "defer"
        }
    }

    /// Suppress beats defer beats show.
    var rank: Int {
        switch self {
        case .show: 0
        case .defer: 1
        case .suppress: 2
        }
    }
}

extension FetchResult {
    var name: StaticString {
        switch self {
        case .newData: "new_data"
        case .noData: "no_data"
        case .failed: "failed"
        }
    }
}

extension DisplayOptions {
    static let inOrder: [(bit: DisplayOptions, name: StaticString)] = [
        (.banner, "banner"), (.list, "list"), (.sound, "sound"), (.badge, "badge"), (.alert, "alert"),
    ]
    /// In the order in which they are written.
    package static var names: [String] { inOrder.map { "\($0.name)" } }
}
