// A double as text: the fewest digits that read back as the same double. No allocation, no locale.
internal import CJSONDocument

public struct DecimalText: Sendable {
    private let characters: InlineArray<32, CChar>
    private let count: Int

    /// "null" when the value is not finite.
    public init(_ value: Double) {
        var buffer = InlineArray<32, CChar>(repeating: 0)
        var span = buffer.mutableSpan
        count = unsafe span.withUnsafeMutableBufferPointer { unsafe jd_decimal_text(value, $0.baseAddress) }
        characters = buffer
    }

    public var string: String { unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) } }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe characters.span.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}
