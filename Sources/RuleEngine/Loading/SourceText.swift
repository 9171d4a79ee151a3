// One file of an app as its faults need it: taken apart into words once, however many faults it has. Made by
// RulesetLoader, which keeps one for each file for as long as a load goes on.
import PushMessage

final class SourceText {
    /// Finding a place takes longer the more there is before it, and nobody is shown so many faults: those that come after
    /// stand where the last one stood.
    private static let mostPlaces = 200

    let bytes: [UInt8]
    private(set) lazy var places = SourcePlaces(bytes)
    /// Places that have been looked for.
    private(set) var searches = 0
    private var last = SourcePlaces.Place(line: 1, column: 1)

    /// Of the whole load: all its files share one.
    let room: TellingRoom

    init(_ bytes: [UInt8], room: TellingRoom = TellingRoom()) {
        self.bytes = bytes
        self.room = room
    }

    /// The place of the next fault.
    /// - Parameter line: where the table begins that the fault is in.
    func place(notBefore line: Int, _ find: (SourcePlaces) -> SourcePlaces.Place) -> SourcePlaces.Place {
        if searches < SourceText.mostPlaces {
            searches += 1
            last = find(places)
        } else if last.line < line {
            last = SourcePlaces.Place(line: line, column: 1)
        }
        return last
    }
}
