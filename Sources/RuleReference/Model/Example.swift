// What stands below an entry to be copied, with what comes of it. Each is run by a test, so that none can be wrong.

public enum Example: Sendable {
    /// An expression inside of a rule's `decide`, and what it gives as JSON.
    case value(String, gives: String, Scene = Scene())
    /// A file of rules, and a part of the decision that they give as JSON.
    case rules(String, gives: String, Scene)
    /// What app.lua returns, and a part of the decision that an app with these rules gives.
    case app(String, rules: String = "", gives: String, Scene = Scene())
    /// A message whose reading gives the warning of that name.
    case message(String)
    /// A message, a state of the app, and the events that follow on an iPhone.
    case journey(message: String, state: String, tap: Bool, gives: [String])
    /// A JSON text of the kind that the table describes.
    case json(String)
    /// As it stands on a page of the documentation: a command with its answer, or Lua that has the fault.
    case page(kind: String, text: String)
    /// There is none that can be run anywhere: the cause is the machine, or a fault of rulehost.
    case none(why: String)

    /// What is asked: everything as JSON text.
    public struct Scene: Sendable {
        /// A name, or an object with details.
        public let event: String
        public let message: String?
        public let device: String
        public let now: String
        /// As the `state` of a case.
        public let state: String?
        /// The texts of the app, as lib/strings/en.lua returns them.
        public let strings: String?
        /// The module lib/room.lua.
        public let module: String?

        public init(
            _ event: String = "present", _ message: String? = Scene.message, device: String = #"{"recipient": "u-1"}"#,
            now: String = "2026-01-01T12:00:00Z", state: String? = nil, strings: String? = nil, module: String? = nil
        ) {
            self.event = event
            self.message = message
            self.device = device
            self.now = now
            self.state = state
            self.strings = strings
            self.module = module
        }

        /// The message of examples that do not care which one it is.
        public static let message = #"{"message_id": "m-1", "aps": {"alert": {"title": "Mina", "body": "Are you there?"}}}"#
    }
}
