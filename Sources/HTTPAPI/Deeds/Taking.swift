// Takes a request by a closure: for deeds that need to know more than the request when its body is there, such as the path that its head
// named, or who still wants an answer.
import HTTPServer

struct Taking: RequestTaking {
    private let body: @Sendable (Request) -> Void

    init(_ body: @escaping @Sendable (Request) -> Void) { self.body = body }

    func take(_ request: Request) { body(request) }
}
