// The bytes that a JSONWriter has written: memory that grows and is used again. Its writer frees it.

// SAFETY: `start` has room for `capacity` bytes, of which the first `count` are written; the one writer that holds it
// calls `free` at its end.
@safe struct WriterMemory {
    private(set) var start: UnsafeMutablePointer<UInt8>
    var count = 0
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = max(64, capacity)
        unsafe start = UnsafeMutablePointer<UInt8>.allocate(capacity: self.capacity)
    }

    func free() { unsafe start.deallocate() }

    /// Makes room for so many more bytes.
    @inline(never)
    mutating func grow(by needed: Int) {
        capacity = max(2 * capacity, count + needed)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe larger.update(from: start, count: count)
        unsafe start.deallocate()
        unsafe start = larger
    }
}
