// Values as bytes for another process: numbers of fixed size, texts and lists with their length in front. Used by the
// files of this folder, each of which writes one kind of value next to where it reads it.

struct CrossingWriter {
    private(set) var bytes: [UInt8]

    init(reserving capacity: Int = 512) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }
    mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func number(_ value: Int64) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    mutating func number(_ value: Int) { number(Int64(value)) }
    mutating func number(_ value: UInt64) { number(Int64(bitPattern: value)) }
    mutating func decimal(_ value: Double) { number(value.bitPattern) }

    /// Of a list or a text: less than 4 GiB, which is more than a frame holds.
    mutating func count(_ value: Int) {
        withUnsafeBytes(of: UInt32(clamping: value).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func text(_ value: String) {
        var value = value
        value.withUTF8 { text in
            count(text.count)
            bytes.append(contentsOf: text)
        }
    }

    mutating func raw(_ value: [UInt8]) {
        count(value.count)
        bytes.append(contentsOf: value)
    }

    mutating func raw(_ value: UnsafeBufferPointer<UInt8>) {
        count(value.count)
        bytes.append(contentsOf: value)
    }

    mutating func word<W: RawRepresentable>(_ value: W) where W.RawValue == String { text(value.rawValue) }

    mutating func optional<Value>(_ value: Value?, _ write: (inout CrossingWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func text(_ value: String?) { optional(value) { $0.text($1) } }
    mutating func raw(_ value: [UInt8]?) { optional(value) { $0.raw($1) } }
    mutating func number(_ value: Int?) { optional(value) { $0.number($1) } }

    mutating func list<Values: Collection>(_ values: Values, _ write: (inout CrossingWriter, Values.Element) -> Void) {
        count(values.count)
        for value in values { write(&self, value) }
    }
}
