// The bytes that a JSONWriter has written: memory that grows and is used again. Owned by one writer; a writer that was
// copied gets memory of its own at its next byte.

// SAFETY: `start` has room for `capacity` bytes, of which the first `count` are written; freed once, in `deinit`.
@safe final class WriterMemory {
    var start: UnsafeMutablePointer<UInt8>
    var count = 0
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = max(64, capacity)
        unsafe start = UnsafeMutablePointer<UInt8>.allocate(capacity: self.capacity)
    }

    init(copying other: WriterMemory, capacity: Int) {
        self.capacity = capacity
        unsafe start = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe start.update(from: other.start, count: other.count)
        count = other.count
    }

    deinit { unsafe start.deallocate() }

    /// Makes room for so many more bytes.
    func grow(by needed: Int) {
        capacity = max(2 * capacity, count + needed)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe larger.update(from: start, count: count)
        unsafe start.deallocate()
        unsafe start = larger
    }
}
