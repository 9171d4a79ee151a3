// Apps that attack: threads that load hostile rules and ask them, one script after the other, until they are told to stop.
import Glibc
import JSONDocument
import PushMessage
import RuleEngine
import RuleWorkers
import Synchronization

struct Attack {
    private let desk: AttackDesk
    private let threads: [pthread_t]

    /// The first attack of each app is under way when this returns.
    /// - Parameter first: number of the attack to begin with, of those that the scripts make.
    init(on pool: WorkerPool, by scripts: [SourceFile], from first: Int, attackers: Int) {
        let desk = AttackDesk(pool, scripts, first)
        threads = (0..<attackers).compactMap { number in
            var thread = pthread_t()
            let part = Unmanaged.passRetained(AttackDesk.Part(desk: desk, app: "attack-\(number)"))
            let failed = pthread_create(
                &thread, nil,
                { part in
                    guard let part else { return nil }
                    let attacker = Unmanaged<AttackDesk.Part>.fromOpaque(part).takeRetainedValue()
                    attacker.desk.attack(as: attacker.app)
                    return nil
                }, part.toOpaque())
            if failed != 0 { part.release() }
            return failed == 0 ? thread : nil
        }
        self.desk = desk
        desk.waitFor(threads.count)
    }

    /// Scripts that have been run to their end.
    func end() -> Int {
        desk.isOver.store(true, ordering: .releasing)
        for thread in threads { pthread_join(thread, nil) }
        return desk.count.load(ordering: .acquiring)
    }
}

private final class AttackDesk: Sendable {
    final class Part: Sendable {
        let desk: AttackDesk
        let app: String

        init(desk: AttackDesk, app: String) {
            self.desk = desk
            self.app = app
        }
    }

    private let pool: WorkerPool
    private let scripts: [SourceFile]
    private let next: Atomic<Int>
    private let begun = Atomic(0)
    let isOver = Atomic(false)
    let count = Atomic(0)

    init(_ pool: WorkerPool, _ scripts: [SourceFile], _ first: Int) {
        self.pool = pool
        self.scripts = scripts
        next = Atomic(first)
    }

    func waitFor(_ attackers: Int) {
        while begun.load(ordering: .acquiring) < attackers { sched_yield() }
    }

    func attack(as app: String) {
        begun.add(1, ordering: .acquiringAndReleasing)
        while !scripts.isEmpty, !isOver.load(ordering: .acquiring) {
            let number = next.add(1, ordering: .acquiringAndReleasing).oldValue
            let script = scripts[number / 2 % scripts.count]
            run(app, number % 2 == 0 ? AttackDesk.atLoad(script) : AttackDesk.insideDecide(script))
            count.add(1, ordering: .acquiringAndReleasing)
        }
    }

    private static let manifest = SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8))

    private static func atLoad(_ script: SourceFile) -> [SourceFile] { [manifest, SourceFile(path: "rules.lua", bytes: script.bytes)] }

    private static func insideDecide(_ script: SourceFile) -> [SourceFile] {
        let start = """
            rule "attack" { on = "send", decide = function(msg, device) local HOST = { state_set = state.set, \
            state_get = state.get, ud_a = msg, ud_b = device, readonly = string }

            """
        return [manifest, SourceFile(path: "rules.lua", bytes: Array(start.utf8) + script.bytes + Array("\nend }\n".utf8))]
    }

    private func run(_ app: String, _ files: [SourceFile]) {
        // One that does not load has done at load what it could.
        guard case .loaded(let loaded) = pool.load(app: app, files: files) else { return }
        let reader = MessageReader()
        do throws(MessageFault) {
            let text = Array(#"{"aps":{"alert":"x"}}"#.utf8)
            try text.withUnsafeBufferPointer { (text) throws(MessageFault) in
                let message = try reader.read(UnsafeRawBufferPointer(text))
                let question = Question(
                    EvaluationRequest(message: message, device: Device(), event: Event(.send), now: ReferenceRun.now),
                    windows: DedupeWindows())
                _ = loaded.evaluate([Question](repeating: question, count: 4))
            }
        } catch {
            // It is a message; the count would show that nothing happens.
            isOver.store(true, ordering: .releasing)
        }
    }
}
