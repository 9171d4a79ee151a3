// What is known of an app of a host: which rules are in force, and what is wrong with those that are not.
import CNettle
import EffectStore
public import JSONDocument
import RuleEngine

public struct AppInfo: Sendable, Equatable {
    public enum Status: String, Sendable {
        /// What is wanted is in force.
        case ok
        /// Older rules are: what is wanted does not load, or its cases fail.
        case stale
        /// None are.
        case failed
    }

    public var app: String
    /// In force; nil: none.
    public var ruleset: String?
    public var title: String?
    /// Of what is in force alone, whatever is wrong with a draft.
    public var serving: Status
    /// Also of rules that are in force, when their cases fail and may; those of the draft come last.
    public var faults: [AppFault] = []
    /// nil: the host has no stage, and what the folder holds is what is wanted.
    public var draft: Draft?
    /// The other rules that some recipients have.
    public var canary: Canary?
    /// Which a change has just ended; of the answer to that alone.
    public var endedCanary: Canary?
    /// Of what is in force.
    public var limits: AppLimits?

    /// Nothing is wrong (`ok`), also with what the folder holds.
    public var status: Status { serving == .ok && draft?.isGood == false ? .stale : serving }

    /// Writes the members, so that others can stand beside them.
    public func write(into writer: inout JSONWriter) {
        writer.key("app")
        writer.string(app)
        for (key, text) in [("title", title), ("ruleset", ruleset)] {
            guard let text else { continue }
            writer.key(key)
            writer.string(text)
        }
        writer.key("status")
        writer.string(status.rawValue)
        writer.key("faults")
        AppFault.write(faults, into: &writer)
        if let draft {
            writer.key("draft")
            writer.beginObject()
            writer.member("ruleset", draft.ruleset)
            writer.member("status", (draft.isGood ? Status.ok : .failed).rawValue)
            writer.endObject()
        }
        if let canary { canary.write(as: "canary", into: &writer) }
        if let endedCanary { endedCanary.write(as: "ended_canary", into: &writer) }
    }
}

/// What one evaluation may cost at most: what the host allows, or less where the app wants it.
public struct AppLimits: Sendable, Equatable {
    public let fuel: Int
    public let memoryBytes: Int
    /// Of the processor.
    public let milliseconds: Int

    init(_ manifest: Manifest) {
        (fuel, memoryBytes, milliseconds) = LoadLimits().ofEvaluation(manifest)
    }
}

/// What the folder holds on a host of a stage: nobody is served by it until it is promoted.
public struct Draft: Sendable, Equatable {
    /// nil: its files cannot be read.
    public var ruleset: String?
    /// It loads, and its cases pass or need not.
    public var isGood = false
}

/// Rules that are tried on some of the recipients, always the same ones.
public struct Canary: Sendable, Equatable {
    public var ruleset: String
    /// 1 to 99.
    public var percent: Int

    public init(ruleset: String, percent: Int) {
        self.ruleset = ruleset
        self.percent = percent
    }

    /// Writes it as a member.
    public func write(as name: String, into writer: inout JSONWriter) {
        writer.key(name)
        writer.beginObject()
        writer.key("ruleset")
        writer.string(ruleset)
        writer.key("percent")
        writer.integer(percent)
        writer.endObject()
    }
}

/// Rules that were read, under the name of their content.
struct AppVersion: Sendable, Equatable {
    let hash: String
    let files: [SourceFile]
}

/// What the library knows of an app.
struct AppRecord: Sendable {
    /// In force.
    var current: AppVersion?
    var title: String?
    var limits: AppLimits?
    /// What is in force is what is wanted.
    var isWanted = false
    /// Of what is wanted, but for those of a draft.
    var faults: [AppFault] = []
    /// nil: the host has no stage.
    var draft: Draft?
    var draftFaults: [AppFault] = []
    /// Why nothing is in force.
    var problem: HostProblem?
    var canary: (version: AppVersion, percent: Int)?
    /// The version that the folder holds, when it could be in force.
    var inFolder: String?
    /// Of what the folder held when it was looked at last.
    var seen: [UInt8]?
    /// What the store has refused to keep, and is to be asked again; the oldest first.
    var unkept: [UnkeptVersion] = []

    /// The store could not be read: what is known is not all, and is looked at again.
    var isUnread = false

    /// Nothing is known yet of what the folder holds, and it is looked at next.
    private(set) var isWaiting = false

    /// Something may be done with what is known.
    var isKnown: Bool { !isUnread || current != nil }

    /// Nothing is in force until the store can be read.
    mutating func couldNotBeRead(_ fault: EffectStoreFault) {
        (isUnread, current, canary, isWanted) = (true, nil, nil, false)
        problem = HostProblem(fault)
        faults = problem.map { [AppFault($0)] } ?? []
    }

    /// - Parameter hasStage: what the folder holds is a draft, and not what is wanted.
    init(hasStage: Bool) { draft = hasStage ? Draft() : nil }

    /// Of what the folder holds.
    var folderFaults: [AppFault] {
        get { draft == nil ? faults : draftFaults }
        set { if draft == nil { faults = newValue } else { draftFaults = newValue } }
    }

    /// What the folder holds is looked at in its turn, as what is saved later is: until then nothing is said against it.
    mutating func wait() {
        (isWaiting, seen) = (true, nil)
        draft?.isGood = true
    }

    /// What the folder holds has a fault.
    mutating func refuse(_ faults: [AppFault]) {
        folderFaults = faults
        if draft == nil { isWanted = false } else { draft?.isGood = false }
    }

    /// The same rules are, for the same recipients.
    func isInForce(like other: AppRecord) -> Bool {
        current?.hash == other.current?.hash && canary?.version.hash == other.canary?.version.hash
            && canary?.percent == other.canary?.percent
    }

    func info(_ app: String) -> AppInfo {
        // Nothing is in force, and nothing is wrong with what the folder holds: then it is this.
        let others = faults.isEmpty && current == nil ? problem.map { [AppFault($0)] } ?? [] : faults
        return AppInfo(
            app: app, ruleset: current?.hash, title: title, serving: current == nil ? .failed : isWanted ? .ok : .stale,
            faults: others + draftFaults.map { $0.ofDraft }, draft: draft,
            canary: canary.map { Canary(ruleset: $0.version.hash, percent: $0.percent) }, limits: current == nil ? nil : limits)
    }
}

/// Tells whether a folder holds what it did: SHA-256 over paths and bytes, also of files that rules are not made of.
enum FolderDigest {
    static func of(_ files: [SourceFile]) -> [UInt8] {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        func add(_ bytes: [UInt8]) {
            var length = UInt64(bytes.count)
            withUnsafeBytes(of: &length) { nettle_sha256_update(&context, $0.count, $0.bindMemory(to: UInt8.self).baseAddress) }
            nettle_sha256_update(&context, bytes.count, bytes)
        }
        for file in files {
            add(Array(file.path.utf8))
            add(file.bytes)
        }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        return digest
    }
}
