// An example with the answer that must come out. Cases are data beside the rules; people who do not write code read
// them first.
public import JSONDocument
public import PushMessage

public struct Case: Sendable {
    public let name: String
    public let note: String?
    /// The rule keys that it is an example of.
    public let proves: [String]
    /// Where it begins in its file, from 1.
    public let line: Int
    /// At least one: the case itself, then what stands in `then`, on the same state.
    public let steps: [CaseStep]
}

/// One evaluation. What a step does not say is as in the step before; values are views into the case's file.
public struct CaseStep: Sendable {
    /// JSON text; nil: no message.
    public var message: [UInt8]?
    /// JSON text.
    public var device: [UInt8]
    /// A name or an object; nil: the journey.
    public var event: JSONValue?
    public var now: Instant
    /// Replaces the state; nil: the state of the step before.
    public var state: JSONValue?
    /// A part of the decision, or of the list of decisions.
    public var expect: JSONValue?
    /// A part of what the app remembers for the device's recipient afterwards.
    public var expectState: JSONValue?
    /// Where it begins in its file, from 1.
    public var line: Int
    /// From 1.
    public var column: Int
    /// As they stand in the case, perhaps of a step before: the name of a file or an object.
    var written: (message: JSONValue?, device: JSONValue?) = (nil, nil)
}

/// A case, or a file of them, that cannot be run.
public struct CaseFault: Error, Sendable, Equatable {
    public enum Code: String, Sendable, CaseIterable {
        case caseInvalid = "case_invalid"
        case caseFileMissing = "case_file_missing"
        /// Perhaps a message or a device that a case names.
        case caseFileNotAList = "case_file_not_a_list"
    }
    public let code: Code
    /// From 1; 0 when the place is not in the file of cases.
    public let line: Int
    public let column: Int
    /// One sentence without a full stop.
    public let message: String
    public let hint: String?

    public init(code: Code = .caseInvalid, line: Int = 0, column: Int = 0, message: String, hint: String? = nil) {
        self.code = code
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
    }
}
