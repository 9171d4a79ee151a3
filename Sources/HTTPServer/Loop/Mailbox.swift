// What other threads want of a loop: letters, taken out many at a time. Whoever writes the first one to a loop that sleeps
// wakes it, nobody else does. The loop's thread writes letters too, for answers that are there at once: nothing then runs in
// the middle of something else.
import CEvent
import Glibc
import Synchronization

enum Letter: Sendable {
    case answer(ExchangeID, Answer)
    case open(ExchangeID, StreamStart)
    case chunk(ExchangeID, [UInt8])
    case end(ExchangeID, closes: Bool)
    case breakOff(ExchangeID)
    case goOn(ExchangeID)
    case remind(ExchangeID, milliseconds: Int)
    case adopt(Int32, isTLS: Bool)
    case drain(milliseconds: Int)
    case stop
}

/// The beginning of an answer that is a stream.
struct StreamStart: Sendable {
    let status: Int
    let fields: AnswerFields
    let answer: AnswerStream
    let stream: any ExchangeStream
    let idle: [UInt8]?
}

final class Mailbox: Sendable {
    private struct State {
        var letters: [Letter] = []
        /// The loop will look before it sleeps.
        var isAwake = false
        var isClosed = false
    }

    private let state = Guarded(State())
    /// Readable when there are letters for a loop that sleeps.
    let wake: Int32

    let loop: Int
    /// When the loop came round last, in milliseconds of its clock; 0: it has not begun, or has ended.
    let turned = Atomic(0)

    init(loop: Int) {
        self.loop = loop
        wake = ce_wake_descriptor()
    }

    deinit { Glibc.close(wake) }

    func post(_ letter: Letter) { post(CollectionOfOne(letter)) }

    func post(_ letters: some Sequence<Letter>) {
        let (sleeps, isClosed) = state.withLock { state in
            if state.isClosed { return (false, true) }
            state.letters.append(contentsOf: letters)
            defer { state.isAwake = true }
            return (!state.isAwake, false)
        }
        if sleeps {
            var one: UInt64 = 1
            _ = unsafe write(wake, &one, 8)
        }
        if isClosed { for letter in letters { Mailbox.giveUp(letter) } }
    }

    /// Nobody will read it: what hangs on it ends here.
    private static func giveUp(_ letter: Letter) {
        switch letter {
        case .adopt(let descriptor, _): Glibc.close(descriptor)
        case .open(_, let start):
            start.answer.close()
            start.stream.gone()
        case .answer, .chunk, .end, .breakOff, .goOn, .remind, .drain, .stop: break
        }
    }

    // MARK: for the loop

    func begin() { state.withLock { $0.isAwake = true } }

    func take() -> [Letter] {
        state.withLock { state in
            let letters = state.letters
            state.letters = []
            return letters
        }
    }

    /// Whether there is no letter; from then on the next one wakes the loop.
    func mayRest() -> Bool {
        state.withLock { state in
            state.isAwake = !state.letters.isEmpty
            return state.letters.isEmpty
        }
    }

    func close() {
        let letters = state.withLock { state in
            state.isClosed = true
            defer { state.letters = [] }
            return state.letters
        }
        for letter in letters { Mailbox.giveUp(letter) }
    }
}
