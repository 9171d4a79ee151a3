// What a host is asked: the body of a request as it came, and what the way on which it came says besides.

public struct DecideRequest: Sendable {
    public var app: String
    /// `{event?, message, device, now?}`, JSON. Other keys are passed over, so that a line of a log is one, too.
    public var body: [UInt8]
    public var options: DecideOptions
    /// Comes back with the answer.
    public var tag: UInt64
    /// Of the body, when somebody has made it already.
    let outline: RequestOutline?

    public init(
        app: String, body: [UInt8], outline: RequestOutline? = nil, options: DecideOptions = DecideOptions(), tag: UInt64 = 0
    ) {
        self.app = app
        self.body = body
        self.outline = outline
        self.options = options
        self.tag = tag
    }
}

public struct DecideOptions: Sendable, Equatable {
    public enum Trace: Sendable { case none, rules, lines }

    /// Nothing is kept: neither what the rules change nor the answer.
    public var isDryRun = false
    public var trace = Trace.none
    /// The decision tells memory and time as well.
    public var measuresUsage = false
    /// The body may say what time it is although it is no dry run: a right of operators.
    public var mayChooseNow = false
    /// Who repeats the request gets the same answer. Not looked at in a dry run.
    public var idempotency: IdempotencyKey?
    /// Of W3C, for whoever records decisions.
    public var traceparent: String?

    public init() {}
}

public struct IdempotencyKey: Sendable, Hashable {
    /// A name of the token, never the token: two tokens may use the same key. "" where there are none.
    public var token: String
    public var key: String

    public init(token: String, key: String) {
        self.token = token
        self.key = key
    }

    /// Bytes of a key.
    public static let longest = 255

    var isUsable: Bool { (1...IdempotencyKey.longest).contains(key.utf8.count) }
}
