// How large a head may be. Fixed: no route needs more, and tests and clients may rely on the numbers.

enum HeadLimits {
    static let bytes = 16 << 10
    static let target = 8 << 10
    static let fields = 100
}
