// JSON text out, compact, into bytes that are kept from one text to the next. The caller opens and closes in order;
// commas come by themselves.
internal import CJSONDocument

public struct JSONWriter {
    public private(set) var bytes: [UInt8] = []
    /// Whether the next key or element follows another.
    var needsComma = false

    public init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Begins anew and keeps the memory.
    public mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    public mutating func beginObject() { begin(UInt8(ascii: "{")) }
    public mutating func endObject() { end(UInt8(ascii: "}")) }
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    @_disfavoredOverload
    public mutating func key(_ key: StaticString) { self.key(JSONText(key)) }
    public mutating func key(_ key: JSONText) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }
    @_disfavoredOverload
    public mutating func key(_ key: String) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    @_disfavoredOverload
    public mutating func string(_ text: StaticString) { string(JSONText(text)) }
    public mutating func string(_ text: JSONText) {
        separate()
        unsafe quote(text.bytes)
    }
    @_disfavoredOverload
    public mutating func string(_ text: String) {
        separate()
        var copy = text
        copy.withUTF8 { unsafe quote($0) }
    }

    public mutating func integer(_ value: Int) { integer(Int64(value)) }
    public mutating func integer(_ value: Int64) {
        separate()
        digits(of: value)
    }
    /// With a point or an exponent, so that it reads back as a decimal; null when it is not finite.
    public mutating func decimal(_ value: Double) {
        separate()
        append(DecimalText(value))
    }
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
    public mutating func null() { raw("null") }

    /// JSON text that stands for one value, as it is.
    public mutating func raw(_ json: JSONText) {
        separate()
        unsafe bytes.append(contentsOf: json.bytes)
    }
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// JSON text that stands for one value, without the white space between its tokens.
    public mutating func minified(_ json: JSONText) {
        separate()
        let start = bytes.count
        unsafe bytes.append(contentsOf: json.bytes)
        let length = unsafe bytes.withUnsafeMutableBufferPointer { all in
            let text = unsafe UnsafeMutableRawPointer(all.baseAddress.map { unsafe $0 + start })?
                .assumingMemoryBound(to: CChar.self)
            return unsafe text.map { unsafe jd_minify($0, json.count, $0) } ?? 0
        }
        bytes.removeLast(json.count - length)
    }

    mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }
    mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
    mutating func append(_ text: DecimalText) {
        unsafe text.withBytes { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        if var next = text.baseAddress {
            var left = text.count
            while true {
                let plain = unsafe jd_plain_length(next, left)
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: next, count: plain))
                if plain == left { break }
                escape(unsafe next[plain])
                unsafe next += plain + 1
                left -= plain + 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
            bytes.append(hexDigit(byte >> 4))
            bytes.append(hexDigit(byte & 15))
        }
    }

    mutating func digits(of value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var left = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10))
            left /= 10
        } while left != 0
        bytes[start...].reverse()
    }
}

@inlinable func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
}
