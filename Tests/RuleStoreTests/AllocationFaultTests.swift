// Memory that runs out, at every place where Lua asks for it: while an app is loaded, while a message is decided, while a
// dead machine is made anew. Whatever happens, there is an answer, the next message is answered as ever, and another app
// on the same thread notices nothing.
import Foundation
import JSONDocument
import PushMessage
import RuleEngine
import Testing

@testable import LuaSandbox
@testable import RuleStore

@Suite struct AllocationFaults {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    struct App: CustomTestStringConvertible, Sendable {
        let folder: String, name: String
        var testDescription: String { "\(folder)/\(name)" }

        func files() throws -> [SourceFile] {
            try RulesFolder(path: AllocationFaults.repository.appending(path: folder).path).files(of: name)
        }
    }

    static let apps = ["chat", "pictures", "topics", "webview", "service"].map { App(folder: "rules", name: $0) }

    /// Ways through the apps: Lua runs for each of them somewhere.
    static let messages = [
        #"{"message_id":"m-1","aps":{"alert":{"title":"Mina","body":"Hello"},"badge":3,"mutable-content":1},"chat_id":"r-1","type":"chat","url":"https://example.com/a"}"#,
        #"{"message":{"token":"t","notification":{"title":"a","body":"b","image":"https://example.com/a.png"},"data":{"type":"order","channel":"orders","topic":"news"}}}"#,
    ]
    static let events: [EventName] = [.send, .enrich, .present, .receive, .open]

    private func load(_ app: App) throws -> LoadOutcome { RulesetLoader.load(app: app.name, files: try app.files()) }

    private func evaluator(_ app: App) throws -> Evaluator {
        switch try load(app) {
        case .loaded(let loaded): return Evaluator(loaded)
        case .failed(let faults): throw Unloadable(what: faults.map(\.message).joined(separator: "; "))
        }
    }

    private struct Unloadable: Error { let what: String }

    /// Everything that an app answers, as JSON, and the codes of the errors in it.
    private func answer(of evaluator: Evaluator, _ message: String, _ event: EventName) throws -> (json: String, codes: [String]) {
        let deviceText = JSONDocument(), devices = DeviceReader()
        try deviceText.read(#"{"recipient":"u-1","state":"foreground","screen":{"tab":"chat","path":["room","r-1"]},"topics":["news"]}"#)
        let device = try devices.read(deviceText.root)
        let reader = MessageReader(fields: evaluator.ruleset.manifest.fields, links: evaluator.ruleset.manifest.linkOrder)
        let read = try Array(message.utf8).withUnsafeBytes { try reader.read($0, for: device.messageContext) }
        let now = try #require(Instant("2026-01-01T12:00:00Z"))
        return withExtendedLifetime((deviceText, devices, reader)) {
            let decision = evaluator.evaluate(
                EvaluationRequest(message: read, device: device, event: Event(event), now: now, state: AppState())
            ).decision
            return (String(decoding: DecisionWriter.bytes(of: decision), as: UTF8.self), decision.errors.map(\.code))
        }
    }

    /// Runs the work with the first, second, … allocation and all after it failing, until none fails.
    private func forEveryAllocation(_ work: (UInt64) throws -> Void, then check: (UInt64, Bool) throws -> Void)
        throws
    {
        var count: UInt64 = 1
        while count < 100_000 {
            LuaMachine.failAllocations(after: count)
            defer { LuaMachine.failAllocations(after: 0) }
            try work(count)
            let failed = LuaMachine.failAllocations(after: 0)
            try check(count, failed)
            guard failed else { return }
            // Every one at the beginning; further on in steps that meet all kinds of places.
            count += count < 400 ? 1 : 7
        }
    }

    @Test("A load without memory fails with a reason, and the next load is whole", arguments: apps)
    func loading(_ app: App) throws {
        let neighbour = try evaluator(AllocationFaults.apps[0])
        let usual = try answer(of: neighbour, AllocationFaults.messages[0], .present).json
        let files = try app.files()
        var outcome: LoadOutcome?
        try forEveryAllocation { _ in
            outcome = RulesetLoader.load(app: app.name, files: files)
        } then: { (count: UInt64, failed: Bool) throws -> Void in
            switch outcome {
            case .failed(let faults): #expect(failed && faults.allSatisfy { !$0.message.isEmpty }, "at \(count)")
            case .loaded, nil: #expect(!failed, "a load at \(count) passes over a failed allocation")
            }
            if count % 50 == 1 { #expect(try answer(of: neighbour, AllocationFaults.messages[0], .present).json == usual) }
        }
        _ = try evaluator(app)
    }

    @Test("A decision without memory is an answer with its error, and the next one is as ever", arguments: apps)
    func deciding(_ app: App) throws {
        let neighbour = try evaluator(AllocationFaults.apps[1])
        let usual = try answer(of: neighbour, AllocationFaults.messages[0], .enrich).json
        let evaluator = try evaluator(app)
        for message in AllocationFaults.messages {
            for event in AllocationFaults.events {
                let whole = try answer(of: evaluator, message, event)
                #expect(whole.codes.isEmpty, "\(whole.json)")
                var got = whole
                try forEveryAllocation { (_: UInt64) throws -> Void in
                    got = try answer(of: evaluator, message, event)
                } then: { (count: UInt64, failed: Bool) throws -> Void in
                    #expect(failed ? got.codes == ["budget_memory"] : got.json == whole.json, "at \(count): \(got.json)")
                    #expect(try answer(of: evaluator, message, event).json == whole.json, "after \(count)")
                    #expect(try answer(of: neighbour, AllocationFaults.messages[0], .enrich).json == usual)
                }
            }
        }
    }

    @Test("A dead machine that cannot be made anew is tried again at the next message", arguments: apps)
    func reviving(_ app: App) throws {
        let evaluator = try evaluator(app)
        let message = AllocationFaults.messages[0]
        guard let event = try AllocationFaults.events.first(where: { try kill(evaluator, message, $0) }) else { return }
        let whole = try answer(of: evaluator, message, event)
        var got = whole
        try forEveryAllocation { (count: UInt64) throws -> Void in
            LuaMachine.failAllocations(after: 0)
            #expect(try kill(evaluator, message, event))
            LuaMachine.failAllocations(after: count)
            got = try answer(of: evaluator, message, event)
        } then: { (count: UInt64, failed: Bool) throws -> Void in
            #expect(failed || got.codes.isEmpty, "at \(count): \(got.json)")
            #expect(try answer(of: evaluator, message, event).json == whole.json)
        }
    }

    private func kill(_ evaluator: Evaluator, _ message: String, _ event: EventName) throws -> Bool {
        LuaMachine.failAllocations(after: 1)
        defer { LuaMachine.failAllocations(after: 0) }
        return try answer(of: evaluator, message, event).codes == ["budget_memory"]
    }
}
