// The fields a view is known to have. Reading another one gives nil and is noted with its place, so that a misspelt
// field becomes a warning with "did you mean". "screen.tab" names a field of a table at the top; a table of which no
// field is named so may hold anything.

public struct ViewSchema: Sendable, Equatable {
    /// nil: any field goes.
    public let fields: [String]?

    public init(fields: [String]?) { self.fields = fields }

    public static let free = ViewSchema(fields: nil)
}

/// The three views a rule's function gets, in this order.
public struct ViewSchemas: Sendable, Equatable {
    public var message: ViewSchema
    public var device: ViewSchema
    public var event: ViewSchema

    public init(message: ViewSchema = .free, device: ViewSchema = .free, event: ViewSchema = .free) {
        self.message = message
        self.device = device
        self.event = event
    }
}
