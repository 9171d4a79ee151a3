// One thing that happens to one person, before it is written down: who, when, what, and what the phone is doing.

struct Happening {
    enum Kind {
        case message(Push)
        /// The app comes to the front.
        case resume
        /// Somebody turns the channel of offers off or on.
        case settings(offers: Bool)
    }

    /// Milliseconds since the day began, in UTC.
    var time: Int
    let person: Int
    let kind: Kind
    let phone: Phone
}

struct Push {
    enum Channel: String { case chat, group, offers }
    enum Form { case fcm, userInfo, apple, dataOnly, silent }

    let id: String
    let form: Form
    let channel: Channel
    let title: String
    let body: String
    /// nil for offers.
    let room: String?
}

/// What is known about the phone at that moment.
struct Phone {
    enum State: String { case foreground, inactive, background, terminated, forceQuit = "force_quit" }

    let state: State
    let tab: String?
    let room: String?
    let isTapped: Bool
    let badge: Int?
}
