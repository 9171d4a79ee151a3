// What a colour of a report means. The colours themselves stand in the stylesheet, for light and for dark; a tone never
// says anything alone, a word stands beside it.

public enum Tone: String, Sendable, CaseIterable {
    /// No judgement.
    case plain
    /// Shown, passed, reached.
    case good
    /// Not shown, held down.
    case caution
    /// Later.
    case later
    /// Failed.
    case bad
    /// Everything, to compare with.
    case faint

    /// Class of a shape that is filled with it.
    var fill: String { "fill-\(rawValue)" }
    /// Class of a text in it.
    var ink: String { "ink-\(rawValue)" }
}
