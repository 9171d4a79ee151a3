// The text of a page while it is written: elements that are closed in any case, and texts that can never become markup.
// Everything in this room writes through it; nobody puts "<" into a page by hand.

public struct HTMLText: Sendable {
    public typealias Attributes = KeyValuePairs<StaticString, String>

    /// The page so far.
    public private(set) var source = ""

    public init() {}

    /// What somebody wrote: a name, a message, a sentence. It is shown as it is, whatever stands in it.
    public mutating func text(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": source += "&amp;"
            case "<": source += "&lt;"
            case ">": source += "&gt;"
            case "\"": source += "&quot;"
            case "'": source += "&#39;"
            case "\n", "\t": source.unicodeScalars.append(scalar)
            default: source.unicodeScalars.append(HTMLText.isShown(scalar) ? scalar : "\u{FFFD}")
            }
        }
    }

    /// An element with what `content` writes inside of it.
    public mutating func element(_ name: StaticString, _ attributes: Attributes = [:], _ content: (inout HTMLText) -> Void) {
        begin(name, attributes)
        content(&self)
        source += "</\(name)>"
    }

    public mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// An element of a drawing without content.
    public mutating func shape(_ name: StaticString, _ attributes: Attributes) {
        element(name, attributes) { _ in }
    }

    /// A line break in the source, for whoever reads that.
    public mutating func line() { source += "\n" }

    /// What this room has written itself.
    mutating func markup(_ markup: StaticString) { source += "\(markup)" }

    /// What another text of this kind holds.
    mutating func add(_ other: HTMLText) { source += other.source }

    private mutating func begin(_ name: StaticString, _ attributes: Attributes) {
        source += "<\(name)"
        for (key, value) in attributes {
            source += " \(key)=\""
            text(value)
            source += "\""
        }
        source += ">"
    }

    /// Control characters and those that turn the direction of what follows have no place in a page.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
