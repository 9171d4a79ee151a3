// How a host works: numbers that an operator may choose, with what is used when he does not.
import CProcessors
public import EffectStore

public struct HostSettings: Sendable {
    public enum Isolation: String, Sendable, CaseIterable { case process, thread }

    /// What cases that fail do to rules that are saved.
    public enum Cases: String, Sendable, CaseIterable {
        /// The rules before stay in force.
        case block
        /// The new ones come into force, and the faults are told.
        case warn
    }

    public var isolation = Isolation.process
    public var cases = Cases.block
    /// Whose versions are in force; nil: what the folder holds.
    public var stage: String?
    /// Who is told of decisions about messages whose time had come; nil: nobody but those who listen.
    public var webhook: Webhook.Settings?
    /// As it stands in the audit for what nobody in particular does.
    public var name = "serve"
    /// Threads that decide; an app belongs to one of them.
    public var shards = Int(ps_usable())
    /// What a child runs; only with processes.
    public var program = "/proc/self/exe"
    /// Whether each of them has another beside it that reads what it decides next; only where rules run in threads.
    public var readsAhead = ps_usable() > 1
    /// Requests that wait for a shard; what comes beyond is refused.
    public var mostWaiting = 20_000
    /// Bytes of them.
    public var mostWaitingBytes = 64 << 20
    /// Bytes of one request.
    public var mostBody = 256 << 10
    /// Recipients of whom a shard has the state in memory without need.
    public var mostHot = 20_000
    /// About how many bytes they may take, in all shards together.
    public var mostHotBytes = 256 << 20
    /// Milliseconds after which an app that nobody asks is forgotten, until it is asked again.
    public var idle = 300_000
    /// Milliseconds that the cases of a folder that has changed since the host before may take at the start; those that take longer are run
    /// beside the version of then.
    public var casesAtStart = 1_000
    /// Folders of which the system is asked to tell; apps beyond that are looked at twice a second.
    public var mostWatched = Int.max

    public init() {}
}

/// What a host keeps, and where.
public enum HostStore: Sendable {
    /// Nowhere: it is gone when the host ends.
    case memory
    /// The caller opens and closes it.
    case durable(EffectStore)
}
