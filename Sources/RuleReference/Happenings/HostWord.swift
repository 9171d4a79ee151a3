// Words of a host that serves: what they mean, which flags, verbs and routes they stand for, and which page tells the rest. Shown by
// `rulehost docs`. A test holds flags, verbs and routes against those that there are; what they do is told by help and docs/http.md.

public struct HostWord: Sendable {
    public let name: String
    /// A sentence without a full stop.
    public let summary: String
    /// A word and what belongs to it: flags of serve, verbs, routes.
    public let facts: [(word: String, text: String)]
    /// In the repository.
    public let page: String

    private init(_ name: String, _ summary: String, _ page: String, _ facts: KeyValuePairs<String, String>) {
        (self.name, self.summary, self.page) = (name, summary, page)
        self.facts = facts.map { ($0.key, $0.value) }
    }

    private static let (http, operations, store) = ("docs/http.md", "docs/operations.md", "docs/store.md")

    public static let all = [
        HostWord(
            "stage", "which version of an app is in force: draft is what its folder holds, others have what was promoted there", store,
            ["flag": "--stage", "verb": "promote, rollback, versions", "route": "GET /v1/apps/{app}/versions"]),
        HostWord(
            "draft", "the stage of what is saved in the folder: what a host serves that was started without --stage", store,
            ["flag": "--stage"]),
        HostWord(
            "promote", "brings a version to a stage, for all recipients or for a part of them", store,
            ["verb": "promote", "route": "POST /v1/apps/{app}/promote"]),
        HostWord(
            "rollback", "takes a canary back, or goes back to the version that was on the stage before", store,
            ["verb": "rollback", "route": "POST /v1/apps/{app}/rollback"]),
        HostWord(
            "canary", "a version that a part of the recipients have, 1 to 99 of 100, while all others have the one before", operations,
            [
                "verb": "promote --percent begins one, promote without it brings it to all, rollback takes it back",
                "route": "GET /v1/apps/{app} has what either side has decided, under counters.rulesets",
                "metrics": "rulehost_canary_decisions_total, rulehost_canary_errors_total",
            ]),
        HostWord(
            "version", "the files of an app as they were saved once, by their hash; kept in the store", store,
            ["verb": "versions, diff", "route": "GET /v1/apps/{app}/versions"]),
        HostWord(
            "reload", "what is saved in the folder comes into force when it loads and its cases pass; else the rules before stay", http,
            ["flag": "--cases", "route": "GET /v1/apps/{app} has the faults; GET /v1/apps/{app}/events tells when it happens"]),
        HostWord(
            "token", "who may ask: a word that only its owner knows; the host has its hash, with roles and apps", http,
            ["flag": "--tokens, --rate", "verb": "--token-file, beside --host"]),
        HostWord(
            "role", "what a token may: decide, read, edit, operate or metrics", http,
            ["flag": "--tokens", "route": "GET /openapi.json says as x-role which one each route wants"]),
        HostWord(
            "idempotency", "who repeats a request with the same Idempotency-Key gets the same answer, for 24 hours", http,
            ["route": "POST /v1/apps/{app}/decide"]),
        HostWord(
            "stream", "many requests, one a line, answered one a line and in order while they still come", http,
            ["route": "POST /v1/decide"]),
        HostWord(
            "events", "what happens to an app, told to whoever listens: server-sent events", http, ["route": "GET /v1/apps/{app}/events"]),
        HostWord(
            "deferral", "a message that is held back is decided again when its moment has come, and the webhook is told", http,
            ["flag": "--webhook", "route": "GET /v1/apps/{app}/deferred"]),
        HostWord(
            "webhook", "your server, which is told of what was decided about messages that were held back; signed, until it takes it", http,
            ["flag": "--webhook, --webhook-secret, --webhook-ca"]),
        HostWord(
            "store", "the file with everything that apps remember, their versions and the audit; one host at a time writes it", store,
            ["flag": "--store, --durability", "verb": "state, versions, audit, backup"]),
        HostWord(
            "audit", "who changed rules or state by hand, when, and why", store,
            ["verb": "audit", "route": "GET /v1/audit, GET /v1/apps/{app}/audit"]),
        HostWord(
            "backup", "a copy of the store as it is at one moment, while the host runs", store,
            ["verb": "backup", "route": "GET /v1/backup"]),
        HostWord(
            "trial", "what files that are not saved would decide, and whether their cases pass; nothing is kept", http,
            ["route": "POST /v1/apps/{app}/try"]),
        HostWord(
            "isolation", "where rules run: in processes that can do nothing else, or in that of the host", "docs/sandbox.md",
            ["flag": "--isolation"]),
        HostWord("journal", "what happens in a host, on its error output: a line for each thing", operations, ["flag": "--log-format"]),
        HostWord(
            "decision-log", "each decision as a line of traffic, which replay and diff take as it is", operations,
            [
                "flag": "--log-decisions, --log-sample, --log-mask, --log-rotate, --log-keep",
                "route": "GET /v1/apps/{app}/decisions",
            ]),
        HostWord(
            "metrics", "what a host has done and how it is, as numbers for Prometheus", operations, ["route": "GET /metrics"]),
        HostWord(
            "health", "whether a host lives, and whether requests are welcome", operations, ["route": "GET /healthz, GET /readyz"]),
        HostWord(
            "readyz", "whether requests are welcome: the host has its store and its rules", operations, ["route": "GET /readyz"]),
        HostWord(
            "problem", "what is answered in place of what was asked: a code with a page in docs/errors, a sentence, what to do (RFC 9457)",
            http,
            [:]),
    ]
}
