// What came of fetching one address, in the words of the engine.
public import JSONDocument
public import RuleEngine

public struct FetchReport: Sendable, Equatable {
    public let url: String
    /// Of the last response; nil: there was none.
    public internal(set) var status: Int?
    /// What the content says that it is: a MIME type; nil: there was none.
    public internal(set) var type: String?
    /// As many as were read.
    public internal(set) var bytes: Int?
    public internal(set) var seconds = 0.0
    public internal(set) var failure: FetchedAttachment.Failure?
    /// A word more on the failure.
    public internal(set) var detail: String?

    /// One entry of `fetched` in the details of an event.
    public func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("url")
        writer.string(url)
        for (key, number) in [("status" as StaticString, status), ("bytes", bytes)] {
            guard let number else { continue }
            writer.key(key)
            writer.integer(number)
        }
        writer.key("seconds")
        writer.decimal(seconds)
        for (key, text) in [("type" as StaticString, type), ("error", failure?.rawValue), ("detail", detail)] {
            guard let text else { continue }
            writer.key(key)
            writer.string(text)
        }
        writer.endObject()
    }
}
