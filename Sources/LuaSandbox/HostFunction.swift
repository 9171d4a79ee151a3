// What a script can call and Swift answers. The engine lists the functions once per machine and answers them while an
// evaluation runs; CLuaGuard raises errors after Swift has returned, so that no Swift frame is ever jumped over.
public import JSONDocument

/// A function by its dotted name: "state.app.get" stands in the table `app` of the table `state`. Or a value, such as
/// "time.now", which is asked for without arguments whenever a script reads it; its name has a dot.
public struct HostFunction: Sendable, Equatable {
    public let name: String
    public init(_ name: String) { self.name = name }
}

public enum HostAnswer: Sendable {
    /// What stands in the builder becomes the call's value; tables are made anew.
    case value
    /// The call gives nil.
    case nothing
    /// The call raises this text, with the script's file and line.
    case failure(String)
    /// The evaluation ends; no script can catch it.
    case stop(FaultCode)
}

/// Answers a machine's calls during one evaluation.
public protocol ScriptHost: AnyObject {
    /// - Parameters:
    ///   - function: place in the list the machine was made with.
    ///   - arguments: an array, valid until this returns; nil reads as null, a missing argument is not there.
    ///   - result: empty; the value of the call when the answer is `.value`.
    /// Must not call the machine.
    func call(_ function: Int, arguments: JSONValue, result: JSONBuilder) -> HostAnswer
}
