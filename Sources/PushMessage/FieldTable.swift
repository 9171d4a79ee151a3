// What fills each field of a message, and from where: one entry a field, at its number. Lives as long as its reader
// and is emptied for each message; a plain block of memory, because reading a field must not copy the others.
import JSONDocument

final class FieldTable {
    private static let count = MessageField.allCases.count

    private let texts: UnsafeMutablePointer<JSONText>
    /// 1 + the offset of the value in the raw text; 0 is none.
    private let places: UnsafeMutablePointer<UInt32>

    init() {
        texts = .allocate(capacity: FieldTable.count)
        texts.initialize(repeating: .empty, count: FieldTable.count)
        places = .allocate(capacity: FieldTable.count)
        places.initialize(repeating: 0, count: FieldTable.count)
    }

    deinit {
        texts.deallocate()
        places.deallocate()
    }

    func removeAll() {
        texts.update(repeating: .empty, count: FieldTable.count)
        places.update(repeating: 0, count: FieldTable.count)
    }

    /// Empty is absent.
    subscript(text field: MessageField) -> JSONText {
        get { texts[field.rawValue] }
        set { texts[field.rawValue] = newValue }
    }

    /// Where in the raw text the value that filled the field begins.
    subscript(place field: MessageField) -> UInt32? {
        get { places[field.rawValue] == 0 ? nil : places[field.rawValue] &- 1 }
        set { places[field.rawValue] = newValue.map { $0 &+ 1 } ?? 0 }
    }
}
