// By when something has to have happened on each connection of a loop: two numbers a connection, side by side, which are
// looked through a few times a second. That is cheaper than a timer for each, and a deadline costs a request one store.

struct Deadlines {
    static let none = Int.max

    private(set) var reading: [Int] = []
    private(set) var writing: [Int] = []

    mutating func grow(to count: Int) {
        while reading.count < count {
            reading.append(Deadlines.none)
            writing.append(Deadlines.none)
        }
    }

    mutating func setReading(_ place: Int, _ moment: Int) { reading[place] = moment }

    mutating func setWriting(_ place: Int, _ moment: Int) { writing[place] = moment }

    mutating func clear(_ place: Int) {
        reading[place] = Deadlines.none
        writing[place] = Deadlines.none
    }
}
