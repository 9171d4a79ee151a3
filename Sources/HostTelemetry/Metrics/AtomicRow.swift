// Numbers that are counted on the way of a message and read by whoever looks: no lock, and nothing that another thread waits for.
import Synchronization

/// A row of numbers that only grow.
// SAFETY: the cells are atomic, are made before anybody has the row, and end with it.
final class AtomicRow: @unchecked Sendable {
    private let cells: UnsafeMutablePointer<Atomic<Int>>
    let count: Int

    init(_ count: Int) {
        self.count = count
        cells = .allocate(capacity: count)
        for place in 0..<count { (cells + place).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: count)
        cells.deallocate()
    }

    subscript(_ place: Int) -> Int { cells[place].load(ordering: .relaxed) }

    /// For the one thread that counts here.
    func bump(_ place: Int, by step: Int = 1) {
        cells[place].store(cells[place].load(ordering: .relaxed) &+ step, ordering: .relaxed)
    }

    /// For any thread.
    func add(_ place: Int, _ step: Int = 1) { cells[place].wrappingAdd(step, ordering: .relaxed) }
}
