// The two ways out: the answer on standard output, everything else on standard error. Output is gathered and written
// in large pieces. A reader that has gone away is no fault: what follows is dropped, and whoever writes much asks
// `isClosed` now and then.
import Glibc

final class Console {
    private(set) var ink = Ink.plain
    private(set) var errorInk = Ink.plain
    private(set) var isQuiet = false
    let inputIsTerminal = isatty(0) == 1
    let outputIsTerminal = isatty(1) == 1
    let errorIsTerminal = isatty(2) == 1

    private enum End { case open, closed, failed(errno: Int32) }
    private var end = End.open
    private var buffer: [UInt8] = []
    private let flushAt = 32_768
    /// Bytes that have left the buffer, whatever became of them.
    private var passed = 0
    /// Bytes of the answer that have gone out: to a file, a terminal, or into a pipe whose reader is there. What a reader
    /// that went away has left in its pipe does not count.
    private(set) var delivered = 0
    /// Those of them that are not still in a pipe: a reader that goes away cannot lose them. Asks the system.
    var arrived: Int {
        // Of a reader that went away that has been taken off already.
        if case .open = end { delivered - Console.unread(in: 1) } else { delivered }
    }

    /// To be polled: readable, or with an event, when nobody reads the answer any more. nil: that cannot be told.
    var outputEnd: Int32? {
        var status = stat()
        return fstat(1, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO ? 1 : nil
    }

    /// Bytes of the answer up to now.
    var position: Int { passed + buffer.count }

    /// Nobody reads the answer any more, or it cannot be written.
    var isClosed: Bool {
        if case .open = end { false } else { true }
    }

    func configure(_ arguments: Arguments) {
        isQuiet = arguments.isQuiet
        let wanted = arguments[.color] ?? "auto"
        ink = Ink(depth: Console.depth(wanted, isTerminal: outputIsTerminal))
        errorInk = Ink(depth: Console.depth(wanted, isTerminal: errorIsTerminal))
    }

    func write(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= flushAt { flush() }
    }

    /// JSON, or lines of it. A terminal gets it without what it would obey.
    func write(_ bytes: [UInt8]) {
        buffer.append(contentsOf: outputIsTerminal ? TerminalJSON.text(of: bytes) : bytes)
        if buffer.count >= flushAt { flush() }
    }

    func flush() {
        if case .open = end {
            let (written, failure) = Console.write(buffer, to: 1)
            delivered += written
            if let failure {
                if failure == EPIPE { delivered -= Console.unread(in: 1) }
                end = failure == EPIPE ? .closed : .failed(errno: failure)
            }
        }
        passed += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// After what was written to standard output so far, so that a terminal shows both in order.
    func writeError(_ text: String) {
        flush()
        // There is nowhere left to say that standard error cannot be written.
        _ = Console.write(Array(text.utf8), to: 2)
    }

    /// What does not keep the verb from its answer.
    func warn(_ message: String) {
        writeError("\(errorInk.paint("rulehost:", .strong)) \(errorInk.paint("warning:", .caution)) \(message.printable)\n")
    }

    func report(_ fault: CommandFault) {
        guard case .rules(let places) = fault else {
            return writeError(fault.report.text(code: fault.code, errorInk))
        }
        for place in places.prefix(Console.mostFaults) { writeError(place.report.text(code: place.code, errorInk)) }
        let more = places.count - Console.mostFaults
        guard more > 0 else { return }
        writeError("\(errorInk.paint("rulehost:", .strong)) and \(Figures.grouped(more)) more: repair these first\n")
    }

    /// More than anybody repairs at once.
    private static let mostFaults = 100

    /// Writes what is left. The exit code says whether all of it arrived.
    func finish() -> ExitCode {
        flush()
        guard case .failed(let code) = end else { return .done }
        end = .closed
        let fault = CommandFault.outputNotWritten(errno: code)
        report(fault)
        return fault.exitCode
    }

    /// Columns of the terminal on standard error; 80 when it does not say.
    var errorColumns: Int {
        var size = winsize()
        return ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Bytes that wait in a pipe.
    private static func unread(in descriptor: Int32) -> Int {
        var status = stat()
        var count: Int32 = 0
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO, ioctl(descriptor, UInt(FIONREAD), &count) == 0
        else { return 0 }
        return Int(count)
    }

    /// How many bytes went, and the errno of the write that failed.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> (written: Int, failure: Int32?) {
        bytes.withUnsafeBytes { all in
            var done = 0
            while done < all.count {
                let written = Glibc.write(descriptor, all.baseAddress! + done, all.count - done)
                if written >= 0 {
                    done += written
                } else if errno == EAGAIN {
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&wait, 1, -1)
                } else if errno != EINTR {
                    return (done, errno)
                }
            }
            return (done, nil)
        }
    }

    private static func depth(_ wanted: String, isTerminal: Bool) -> Ink.Depth {
        let term = variable("TERM") ?? ""
        let deep = term.contains("256color") || term.contains("direct") || variable("COLORTERM") != nil
        switch wanted {
        case "never": return .none
        case "always": return deep || !isTerminal ? .many : .sixteen
        default:
            guard isTerminal, variable("NO_COLOR") == nil, term != "dumb", !term.isEmpty else { return .none }
            return deep ? .many : .sixteen
        }
    }

    /// An environment variable that is set and not empty.
    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
