// What is to be seen on a phone at one moment. Made from a decision by JourneyPicture, drawn by PhoneDrawing.

struct PhoneScene {
    enum Screen: Equatable {
        /// The app is not in front: clock and notifications.
        case locked
        case app(tab: String?, path: [String])
        case page(url: String)
        /// The app has been started and is not ready yet.
        case starting(waiting: String?)
    }
    enum Placement {
        case lockScreen, banner
        /// Only in the list of notifications, quietly.
        case list
    }
    struct Card {
        var title: String?
        var subtitle: String?
        var body: String?
        var hasPicture = false
        var hasSound = false
        var placement: Placement
    }

    var appTitle: String
    /// The app's tabs, in order; may be empty.
    var tabs: [String]
    var clock: WallClock
    var screen: Screen
    /// The newest first.
    var cards: [Card]
    /// On the app's icon; nil: not known, drawn as none.
    var badge: Int?
    /// A word on what is not to be seen: "no notification", "held back until 08:00".
    var remark: String?
}
