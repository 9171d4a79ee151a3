// Whether a store that had no room for messages has room for them again, without waiting for one: a host that is asked whether it is ready
// has to say what a message would get. Belongs to the writer, on whose thread everything here is done.
import PushMessage

struct RoomProbe {
    /// About as many bytes as what failed would have taken. A full disk still takes what is smaller: that says nothing.
    private var wanted = RoomProbe.bytes(of: [])

    /// A row may be the first of its page in each table and index that it is in, and each of these may be parted.
    private static let pages = 8
    private static let page = 4_096

    private static func bytes(of commits: ArraySlice<Commit>) -> Int {
        // Some are beside the commits themselves: pages above those with the rows.
        let beside = (commits.count + 1) * pages * page
        return min(Writer.mostBytes, commits.reduce(beside) { $0 + 2 * $1.bytes })
    }

    mutating func failed(_ commits: ArraySlice<Commit>) { wanted = max(wanted, RoomProbe.bytes(of: commits)) }

    mutating func cameThrough() { wanted = RoomProbe.bytes(of: []) }

    /// Throws when there is none. Nothing is different afterwards but a number that nobody reads.
    func tryRoom(_ connection: Connection, now: Instant) throws(EffectStoreFault) {
        // It must not take the room that it finds, which may be the last.
        try connection.rehearse { () throws(EffectStoreFault) in
            try connection.run(
                "INSERT INTO journal (seq, app, recipient, shares, format, effects) VALUES (-1, '', '', 0, 0, zeroblob(?))",
                [.integer(Int64(wanted))])
        }
        // Room is not all: what is written has to arrive, too.
        try connection.transaction { () throws(EffectStoreFault) in
            try connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('probe', ?)", [.integer(now.milliseconds)])
        }
    }
}
