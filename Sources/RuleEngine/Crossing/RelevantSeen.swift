// Which of the messages that were here an evaluation can ask about. A recipient may have had tens of thousands, and a question takes along
// those few: what it costs must not grow with them. What an evaluation finds among these it would find among all.
import JSONDocument
import PushMessage

extension SeenMessages {
    /// Oldest first.
    func relevant(to request: borrowing EvaluationRequest, deferred: DeferredMessages, _ windows: DedupeWindows) -> [SeenMessage] {
        guard !isEmpty else { return [] }
        var found: [SeenMessage] = []
        switch request.event.name {
        case .send, .enrich, .receive, .present, .open, .token, .account, .settings: break
        case .due:
            guard case .waiting(let kept) = WaitingMessage.find(in: request) else { return [] }
            guard let seen = relevant(to: [kept], request, windows) else { return messages }
            return seen
        case .resume:
            guard let seen = relevant(to: WaitingMessage.forResume(in: request), request, windows) else { return messages }
            found = seen
        }
        guard let message = request.message else { return found }
        let question = Question(
            id: message.id.string, isIDGenerated: message.idGenerated, event: request.copyEvent, now: request.now, window: windows.byID,
            contentWindow: windows.byContent, first: nil)
        if let seen = find(question, content: { message.contentDigest }), !found.contains(seen) {
            found.append(seen)
            found.sort { $0.first < $1.first }
        }
        return found
    }

    /// Of messages that wait and have not been read yet; several may share one.
    /// - Returns: nil: some can be told by what only reading them tells.
    private func relevant(
        to kept: [DeferredMessage], _ request: borrowing EvaluationRequest, _ windows: DedupeWindows
    ) -> [SeenMessage]? {
        var found: [SeenMessage] = []
        for message in kept {
            guard let seen = record(of: message, now: request.now, window: windows.byID) else { return nil }
            if !found.contains(seen) { found.append(seen) }
        }
        found.sort { $0.first < $1.first }
        return found
    }
}
