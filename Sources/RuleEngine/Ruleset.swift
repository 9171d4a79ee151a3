// The compiled, immutable rules of one app, named by the hash of their content. Made by RulesetLoader from files in
// memory; read by Evaluator. Nothing here touches a disk.

/// One file of an app's folder, in memory. `path` is relative to the app's folder, "/" between its parts;
/// a shared module's path begins with "_shared/".
public struct SourceFile: Sendable, Equatable {
    public let path: String
    public let bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// The tables of its rules are views: valid as long as the `LoadedApp` or the `Evaluator` that it belongs to.
public struct Ruleset: Sendable {
    /// The app: its folder's name.
    public let app: String
    /// First 12 hex digits of the SHA-256 over the sorted paths and bytes of all files that can change a decision.
    public let hash: String
    public let files: [SourceFile]
    public let manifest: Manifest
    /// In the order in which they run: higher priority first, then file name, then place in the file.
    public let rules: [Rule]
    /// For each event, the places in `rules` of those that name it.
    let rulesByEvent: [EventName: [Int]]
    /// Empty for an app that has none.
    package let strings: Strings
}
