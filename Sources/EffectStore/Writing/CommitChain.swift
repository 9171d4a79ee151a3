// Commits of which each was decided on what those before it change. When one of them is not kept, none that is written after it
// is: whoever made them learns of it, reads again what is there, and begins another chain. Made by hosts, broken by the writer.

public final class CommitChain: Sendable {
    /// Why no more of it is kept.
    private let fault = Monitor<EffectStoreFault?>(nil)

    public init() {}

    var broken: EffectStoreFault? { fault.withLock { $0 } }

    /// The first reason counts.
    func breakOff(_ reason: EffectStoreFault) { fault.withLock { $0 = $0 ?? reason } }
}
