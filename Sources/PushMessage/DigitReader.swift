// Reads fixed-width digits and marks from a text: dates, wall times and durations are made of them.
public import JSONDocument

public struct DigitReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    public init(_ text: JSONText) { bytes = text.bytes }

    public var isAtEnd: Bool { place == bytes.count }
    public var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// Exactly `count` digits (at most 18).
    public mutating func digits(_ count: Int) -> Int64? {
        guard bytes.count - place >= count else { return nil }
        var value: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// One or more digits; nil when there is none or the number does not fit.
    public mutating func number() -> Int64? {
        guard var value = digit() else { return nil }
        while let next = digit() {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, more) = tens.addingReportingOverflow(next)
            guard !overflow, !more else { return nil }
            value = sum
        }
        return value
    }

    /// The digits after a decimal point, as thousandths; further digits are cut off.
    public mutating func fraction() -> Int64? {
        guard let first = digit() else { return nil }
        var value = first * 100
        var weight: Int64 = 10
        while let next = digit() {
            value += next * weight
            weight /= 10
        }
        return value
    }

    public mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard let byte = peek, UInt32(byte) == mark.value else { return false }
        place += 1
        return true
    }

    public mutating func skipAny(_ marks: StaticString) -> Bool {
        guard let byte = peek, marks.withUTF8Buffer({ $0.contains(byte) }) else { return false }
        place += 1
        return true
    }

    private mutating func digit() -> Int64? {
        guard let byte = peek, byte >= 48, byte <= 57 else { return nil }
        place += 1
        return Int64(byte - 48)
    }
}
