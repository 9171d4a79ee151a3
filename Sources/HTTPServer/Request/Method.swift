// The methods that are served. Read from the first line of a head; what is not in here is answered with 501 before any route
// is looked for.

/// What a request wants done.
public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"
    case options = "OPTIONS"
    /// Known so that every path can say that it has none of it.
    case trace = "TRACE"
    /// The same.
    case query = "QUERY"

    init?(_ word: UnsafeRawBufferPointer) {
        guard let method = Method.allCases.first(where: { unsafe $0.matches(word) }) else { return nil }
        self = method
    }

    private func matches(_ word: UnsafeRawBufferPointer) -> Bool {
        unsafe word.count == rawValue.utf8.count && word.elementsEqual(rawValue.utf8)
    }
}
