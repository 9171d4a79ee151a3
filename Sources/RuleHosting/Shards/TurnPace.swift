// How many requests of one app are decided in one turn of its shard: as many as take about so long together, by what those before have
// taken. The other apps of the shard wait for no more than that, whatever this one costs and however much of it waits. Belongs to the
// app's seat.

struct TurnPace {
    /// Microseconds that one takes; of an app that nothing is known of, more than most take.
    private var each: Int64 = 600

    /// Microseconds of a turn, of all apps together of which something waits.
    private static let turn: Int64 = 20_000
    /// So many at once tell what one takes; fewer tell less of it: now and then one takes long for another reason.
    private static let telling = 16

    /// At least one: so every app goes on.
    /// - Parameter apps: of which something waits, this one included.
    func count(among apps: Int) -> Int { max(1, Int(TurnPace.turn / (Int64(max(1, apps)) * max(1, each)))) }

    mutating func note(_ count: Int, microseconds: Int64) {
        guard count > 0 else { return }
        let now = microseconds / Int64(count)
        let weight = Int64(min(count, TurnPace.telling))
        each = (each * (Int64(TurnPace.telling) - weight) + now * weight) / Int64(TurnPace.telling)
    }
}
