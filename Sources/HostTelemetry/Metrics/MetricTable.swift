// All metrics of a host, in the order in which they are told. A name that has been in a release is kept. Dashboards, alerts and
// docs/operations.md are checked against this table.

public enum MetricTable {
    // MARK: decisions

    static let decisions = MetricFamily(
        "rulehost_decisions_total", .counter, ["app", "event", "action", "rule"],
        "Decisions, without dry runs, by what became of the display and by who decided that; also those that the store did not keep then")
    static let notKept = MetricFamily(
        "rulehost_decisions_not_kept_total", .counter, ["app"],
        "Requests whose decisions the store did not keep then: they do not count, and were answered with a problem")
    static let duplicates = MetricFamily(
        "rulehost_duplicates_total", .counter, ["app"], "Decisions on messages that had been there already at this event")
    static let ruleErrors = MetricFamily(
        "rulehost_rule_errors_total", .counter, ["app", "code"], "Errors of rules, by their code")
    static let strains = MetricFamily(
        "rulehost_strains_total", .counter, ["app", "limit"], "Decisions that used half of a limit or more")
    static let fuel = MetricFamily(
        "rulehost_fuel_total", .counter, ["app"], "Units of fuel that the rules of an app have used")
    static let canaryDecisions = MetricFamily(
        "rulehost_canary_decisions_total", .counter, ["app", "ruleset", "action"],
        "Decisions of apps that have a canary, by whose rules made them (base, canary); from 0 with each new canary")
    static let canaryErrors = MetricFamily(
        "rulehost_canary_errors_total", .counter, ["app", "ruleset"], "Those of them in which a rule failed")
    static let queueTime = MetricFamily(
        "rulehost_queue_seconds", .histogram, [], "How long requests waited until they were decided")
    static let evaluateTime = MetricFamily(
        "rulehost_evaluate_seconds", .histogram, [], "How long requests took to be decided")
    static let commitTime = MetricFamily(
        "rulehost_commit_seconds", .histogram, [], "How long it took until what requests change was kept")
    static let answerTime = MetricFamily(
        "rulehost_answer_seconds", .histogram, [], "How long decided requests took in all, from the queue to the answer")
    static let problems = MetricFamily(
        "rulehost_problems_total", .counter, ["code"], "Requests that were answered with a problem, by its code")
    static let queueLength = MetricFamily(
        "rulehost_queue_length", .gauge, ["shard"], "Requests that wait for a shard")
    static let unkept = MetricFamily(
        "rulehost_unkept_requests", .gauge, ["shard"], "Requests that are decided and wait for the store")

    // MARK: rules

    static let reloads = MetricFamily(
        "rulehost_reloads_total", .counter, ["app"], "Rulesets of an app that came into force")
    static let reloadFailures = MetricFamily(
        "rulehost_reload_failures_total", .counter, ["app"], "Saves of an app that have a fault and did not come into force")
    static let ruleset = MetricFamily(
        "rulehost_ruleset_info", .gauge, ["app", "ruleset", "status"], "1 for the ruleset that an app is served by")
    static let stale = MetricFamily(
        "rulehost_ruleset_stale_seconds", .gauge, ["app"],
        "Since when an app is not served by what is wanted, saved or promoted, in seconds before now; 0 where it is, and where somebody has gone back"
    )
    static let draftStale = MetricFamily(
        "rulehost_draft_stale_seconds", .gauge, ["app"],
        "Since when the draft on a host of a stage, by which nobody is served, has a fault, in seconds before now; 0 where it has none")
    static let unwatched = MetricFamily(
        "rulehost_unwatched_apps", .gauge, [],
        "Apps whose folders are looked at twice a second, because the system has no room to watch them")

    // MARK: the store

    static let storeCommits = MetricFamily("rulehost_store_commits_total", .counter, [], "Commits that the store has kept")
    static let storeGroups = MetricFamily(
        "rulehost_store_groups_total", .counter, [], "Groups of commits that the store has kept, each with one wait for the disk")
    static let storeFaults = MetricFamily(
        "rulehost_store_faults_total", .counter, [], "Commits that the store could not keep")
    static let storeBacklog = MetricFamily(
        "rulehost_store_backlog_rows", .gauge, [], "Rows of the journal that are not folded into state yet")
    static let storeWritable = MetricFamily("rulehost_store_writable", .gauge, [], "1: the last write came through; 0: it did not")
    static let storeSize = MetricFamily("rulehost_store_size_bytes", .gauge, [], "The file of the store, with its log")

    // MARK: messages that are held back

    static let deferredWaiting = MetricFamily(
        "rulehost_deferred_waiting", .gauge, [], "Messages that are held back until a time, counted up to 10000")
    static let deferredLate = MetricFamily(
        "rulehost_deferred_late", .gauge, [], "Those of them whose time came more than a minute ago, counted up to 10000")

    // MARK: the webhook

    static let webhookPosts = MetricFamily(
        "rulehost_webhook_posts_total", .counter, ["result"],
        "Decisions that were taken by the webhook, or are given up because they are too old or too many wait")
    static let webhookFailures = MetricFamily(
        "rulehost_webhook_failures_total", .counter, [], "Tries to tell the webhook that failed")
    static let webhookWaiting = MetricFamily(
        "rulehost_webhook_waiting", .gauge, [], "Decisions that the webhook has not taken yet")
    static let webhookAge = MetricFamily(
        "rulehost_webhook_oldest_seconds", .gauge, [], "The age of the oldest of them, in seconds; 0 where there is none")

    // MARK: processes that run rules

    static let workers = MetricFamily("rulehost_workers", .gauge, [], "Processes that run rules")
    static let workerEnds = MetricFamily(
        "rulehost_worker_ends_total", .counter, ["code"], "Processes that ended by a fault of what they ran, by its code")
    static let quarantined = MetricFamily(
        "rulehost_quarantined_apps", .gauge, [], "Apps that are not run any more because their processes have died too often")

    // MARK: clients

    static let connections = MetricFamily("rulehost_connections", .gauge, [], "Connections that are open")
    static let connectionsLimit = MetricFamily(
        "rulehost_connections_limit", .gauge, [], "Connections that are taken at a time: fewer where the limit of open files is low")
    static let connectionsEver = MetricFamily("rulehost_connections_total", .counter, [], "Connections that were accepted")
    static let connectionsCut = MetricFamily(
        "rulehost_connections_cut_total", .counter, [], "Connections that were ended because the client was slow")
    static let requests = MetricFamily(
        "rulehost_requests_total", .counter, ["route", "status"], "Answers to requests, by route and status")
    static let requestsRefused = MetricFamily(
        "rulehost_requests_refused_total", .counter, [], "Requests that no route has seen, because they were malformed or too large")
    static let handshakesFailed = MetricFamily(
        "rulehost_tls_handshakes_failed_total", .counter, [], "Connections that should have spoken TLS, and did not or could not")
    static let certificateExpiry = MetricFamily(
        "rulehost_tls_certificate_expiry_timestamp_seconds", .gauge, [],
        "When the certificate that new connections get ends, in seconds since 1970; only with TLS")

    // MARK: logs and the process

    static let logLines = MetricFamily("rulehost_log_lines_total", .counter, ["log"], "Lines that were written")
    static let logDropped = MetricFamily(
        "rulehost_log_dropped_total", .counter, ["log"], "Lines that were dropped, because the disk was slow or full")
    static let configFailures = MetricFamily(
        "rulehost_config_reload_failures_total", .counter, ["file"],
        "Files of tokens, secrets and certificates that had a fault when SIGHUP had them read; those before stay in force")
    static let build = MetricFamily("rulehost_build_info", .gauge, ["version"], "1 for the version that runs")
    static let processStart = MetricFamily(
        "process_start_time_seconds", .gauge, [], "When the process began, in seconds since 1970")
    static let processTime = MetricFamily(
        "process_cpu_seconds_total", .counter, [], "Time of processors, without that of the processes that run rules")
    static let processMemory = MetricFamily("process_resident_memory_bytes", .gauge, [], "Memory that is in use")
    static let processFiles = MetricFamily("process_open_fds", .gauge, [], "Descriptors that are open")

    public static let all: [MetricFamily] = [
        decisions, notKept, duplicates, ruleErrors, strains, fuel, canaryDecisions, canaryErrors,
        queueTime, evaluateTime, commitTime, answerTime, problems, queueLength, unkept,
        reloads, reloadFailures, ruleset, stale, draftStale, unwatched,
        storeCommits, storeGroups, storeFaults, storeBacklog, storeWritable, storeSize,
        deferredWaiting, deferredLate,
        webhookPosts, webhookFailures, webhookWaiting, webhookAge,
        workers, workerEnds, quarantined,
        connections, connectionsLimit, connectionsEver, connectionsCut, requests, requestsRefused, handshakesFailed, certificateExpiry,
        logLines, logDropped, configFailures, build, processStart, processTime, processMemory, processFiles,
    ]
}
