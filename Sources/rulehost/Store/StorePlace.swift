// Where a store is, as --store says it, and how it is opened: to look at it beside a host, or in a host's place.
import EffectStore
import Glibc
import RuleEngine

struct StorePlace {
    let path: String

    init(path: String) { self.path = path }

    /// nil: no store is named.
    init?(_ arguments: Arguments) throws(CommandFault) {
        guard let text = arguments[.store] else { return nil }
        let mark = "sqlite:"
        guard text.hasPrefix(mark), text.utf8.count > mark.utf8.count else {
            throw .invalidValue(
                flag: Flag.store.name, value: text, expected: "sqlite:PATH, the file of a store", suggestion: nil)
        }
        path = String(text.dropFirst(mark.count))
    }

    static func needed(by verb: String, _ arguments: Arguments) throws(CommandFault) -> StorePlace {
        guard let place = try StorePlace(arguments) else { throw .missingOperand(verb: verb, operands: "--store sqlite:PATH") }
        return place
    }

    /// Writes nothing, and may be beside a host.
    func view() throws(CommandFault) -> StoreView {
        try StorePlace.ask { () throws(EffectStoreFault) in try StoreView(path) }
    }

    /// What a host remembers of one recipient, and what the app shares.
    func state(of app: String, recipient: String) throws(CommandFault) -> AppState {
        let view = try view()
        return try StorePlace.ask { () throws(EffectStoreFault) in try view.state(app: app, recipient: recipient) }
    }

    /// In a host's place: nobody else writes.
    func host(_ durability: Durability = .group) throws(CommandFault) -> EffectStore {
        try StorePlace.ask { () throws(EffectStoreFault) in
            try EffectStore(path, durability: durability, clock: { SystemClock.now() })
        }
    }

    static func ask<Value>(_ body: () throws(EffectStoreFault) -> Value) throws(CommandFault) -> Value {
        do throws(EffectStoreFault) {
            return try body()
        } catch {
            throw .effectStore(error)
        }
    }
}

extension Deed {
    /// What somebody does now, at this terminal.
    init(_ arguments: Arguments) throws(CommandFault) {
        for (flag, most) in [(Flag.who, Deed.longestWho), (Flag.why, Deed.longestWhy)] {
            guard let text = arguments[flag], text.utf8.count > most else { continue }
            throw .invalidValue(
                flag: flag.name, value: "\(text.prefix(24))…", expected: "at most \(most) bytes; it has \(text.utf8.count)", suggestion: nil
            )
        }
        self.init(who: arguments[.who] ?? Deed.user, at: SystemClock.now(), why: arguments[.why] ?? "")
    }

    /// Bytes, as they stand in the audit.
    private static let (longestWho, longestWhy) = (256, 4 << 10)

    /// As the system calls whoever runs this.
    private static var user: String {
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "user \(getuid())" }
        return String(cString: name)
    }
}
