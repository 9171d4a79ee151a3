// The places of many bytes of one text. What stands before a byte is counted once, in short stretches, so that each place costs the
// same wherever it is: a file of ten thousand cases is not read ten thousand times. Used by whoever reads cases.
public import JSONDocument

public struct TextPlaces: Sendable {
    public let text: [UInt8]
    /// Where each stretch begins.
    private let starts: [TextPlace]
    /// Bytes of a stretch, which are what one place costs.
    static let stretch = 256

    public init(_ text: [UInt8]) {
        self.text = text
        var starts: [TextPlace] = []
        starts.reserveCapacity(text.count / TextPlaces.stretch + 1)
        var place = TextPlace(line: 1, column: 1)
        for begin in stride(from: 0, through: text.count, by: TextPlaces.stretch) {
            starts.append(place)
            place = place.behind(text[begin..<min(begin + TextPlaces.stretch, text.count)])
        }
        self.starts = starts
    }

    /// As TextPlace(of: offset, in: text).
    public func place(of offset: Int) -> TextPlace {
        let bytes = counted(for: offset)
        return starts[bytes.startIndex / TextPlaces.stretch].behind(bytes)
    }

    /// All that is looked at for a place: from the beginning of its stretch to the byte.
    func counted(for offset: Int) -> ArraySlice<UInt8> {
        let offset = min(max(0, offset), text.count)
        return text[offset / TextPlaces.stretch * TextPlaces.stretch..<offset]
    }

    /// As TextPlace(ofKey: member, in: text).
    public func place(ofKey member: JSONValue) -> TextPlace { place(of: TextPlace.offset(ofKeyBefore: member.offset, in: text)) }

    /// As TextPlace(of: fault, in: text).
    public func place(of fault: StateFault) -> TextPlace {
        place(of: fault.isOfKey ? TextPlace.offset(ofKeyBefore: fault.offset, in: text) : fault.offset)
    }
}
