// The exchanges of one loop that are not finished, by number. A place that is used again counts one generation on, so that an
// answer for whoever had it before finds nobody. Belongs to the loop's thread.

struct ExchangeTable {
    /// One request until its answer is written.
    struct Entry {
        let connection: Connection
        let head: RequestHead
        /// Whole, and not written yet because an earlier request of the connection waits.
        var answer: Answer?
        /// Who takes the body and is told of the answer, piece by piece, or of its end before that.
        var stream: (any ExchangeStream)?
        /// The stream is to hear at once when the client goes.
        var isWatched = false
        var start: StreamStart?
        var isHeadWritten = false
        /// Of an answer that is a stream: not framed yet.
        var pieces: [UInt8] = []
        var isEnded = false
        /// Of the connection, after this answer.
        var closes = false
    }

    private struct Place {
        var generation: UInt32 = 0
        var entry: Entry?
    }

    private var places: [Place] = []
    private var free: [UInt32] = []

    mutating func add(_ entry: Entry) -> ExchangeID {
        if let slot = free.popLast() {
            places[Int(slot)].entry = entry
            return ExchangeID(slot: slot, generation: places[Int(slot)].generation)
        }
        places.append(Place(entry: entry))
        return ExchangeID(slot: UInt32(places.count - 1), generation: 0)
    }

    mutating func remove(_ id: ExchangeID) {
        places[Int(id.slot)].entry = nil
        places[Int(id.slot)].generation &+= 1
        free.append(id.slot)
    }

    /// nil: it is over.
    subscript(_ id: ExchangeID) -> Entry? {
        get { places[Int(id.slot)].generation == id.generation ? places[Int(id.slot)].entry : nil }
        _modify {
            // Only for one that is there; what is written to any other is lost.
            var none: Entry?
            if places[Int(id.slot)].generation == id.generation { yield &places[Int(id.slot)].entry } else { yield &none }
        }
    }
}
