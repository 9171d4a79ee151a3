// A function or a value that scripts call or read by its name.

public struct Function: Sendable {
    public enum Use: Sendable {
        /// Called.
        case call([Parameter], gives: [ValueType])
        /// Read without a call.
        case value(ValueType)
    }
    /// When it may be used.
    public enum Time: Sendable { case anyTime, whileLoading, whileDeciding }

    /// As scripts write it: "text.truncate"; a method of a view with its colon: "device:is_showing".
    public let name: String
    public let use: Use
    public let time: Time
    /// A sentence without a full stop.
    public let summary: String
    /// Whole paragraphs.
    public let details: [String]
    /// What it costs and what bounds it; without a full stop.
    public let cost: String
    public let example: Example

    /// `text.truncate(text, n[, ellipsis])`
    public var signature: String {
        guard case .call(let parameters, _) = use else { return name }
        var text = ""
        for (place, parameter) in parameters.enumerated() {
            let separator = place == 0 ? "" : ", "
            let word = parameter.repeats ? "…" : parameter.name
            text += parameter.isOptional && !parameter.repeats ? "[\(separator)\(word)]" : separator + word
        }
        return "\(name)(\(text))"
    }
}
