// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is compiled the same way: language mode 6, imports internal unless said otherwise,
/// `any` written out, and no warning let through.
let swift: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // One owner per machine, reader and writer, and no shared mutable state: debug builds, and so all tests, still check.
    .unsafeFlags(["-enforce-exclusivity=unchecked", "-cross-module-optimization"], .when(configuration: .release)),
]
/// The targets that hold pointers into C memory mark every unsafe use.
let strictSwift = swift + [.strictMemorySafety()]
let c: [CSetting] = [
    .unsafeFlags(["-Wall", "-Wextra", "-Werror", "-fno-strict-aliasing"]),
    .unsafeFlags(["-O3"], .when(configuration: .release)),
]
let cxx: [CXXSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

/// Calls inside Lua's library that lead through Sources/CLuaGuard/meter.c first, which takes fuel for their work.
let metered = [
    "luaS_new", "luaS_newlstr", "luaO_tostring", "luaS_eqlngstr", "luaS_hashlongstr", "strcoll", "fmod", "luaT_getvarargs", "luaD_poscall",
    "luaH_finishset", "luaH_set", "luaH_setint",
].flatMap { ["-Xlinker", "--wrap=\($0)"] }

let package = Package(
    name: "rulehost",
    products: [
        .executable(name: "rulehost", targets: ["rulehost"]),
        .library(name: "RuleEngine", targets: ["RuleEngine"]),
    ],
    targets: [
        // Debian's library, linked into the program: calls into Lua are then plain calls, and a cold start loads less.
        .systemLibrary(name: "CLua", providers: [.apt(["liblua5.4-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        // Its header alone: the library is opened when somebody is asked, so that nothing of it is loaded at other starts.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CCurlCalls", dependencies: ["CCurl"], cSettings: c),
        .target(name: "CProcessors", cSettings: c),
        .target(name: "CHTTPCall", dependencies: ["CCurlCalls"], cSettings: c),
        .target(name: "CPictureFetch", dependencies: ["CCurlCalls"], cSettings: c),
        .target(name: "CJSONDocument", cSettings: c),
        .target(name: "JSONDocument", dependencies: ["CJSONDocument"], swiftSettings: strictSwift),
        .target(
            name: "CLuaGuard", dependencies: ["CLua", "CJSONDocument"], cSettings: c,
            linkerSettings: [.unsafeFlags(["-Xlinker", "-l:liblua5.4.a"] + metered), .linkedLibrary("m")]),
        .target(name: "LuaSandbox", dependencies: ["CLuaGuard", "JSONDocument"], swiftSettings: strictSwift),
        .target(name: "PushMessage", dependencies: ["JSONDocument", "CNettle"], swiftSettings: swift),
        .target(name: "CTimeZone", cxxSettings: cxx, linkerSettings: [.linkedLibrary("cctz")]),
        .target(name: "CivilTime", dependencies: ["CTimeZone", "PushMessage", "JSONDocument"], swiftSettings: strictSwift),
        .target(
            name: "RuleEngine", dependencies: ["CivilTime", "PushMessage", "LuaSandbox", "JSONDocument", "CNettle"],
            swiftSettings: swift),
        .target(name: "RuleStore", dependencies: ["RuleEngine", "PushMessage", "JSONDocument", "CNettle"], swiftSettings: swift),
        // Linked into the program, so that a start that has no store loads nothing more.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "EffectStore", dependencies: ["CSQLite", "RuleEngine", "PushMessage", "JSONDocument"], swiftSettings: swift,
            linkerSettings: [.unsafeFlags(["-Xlinker", "-l:libsqlite3.a"]), .linkedLibrary("m")]),
        // Linked into the program for the same reason.
        .systemLibrary(name: "CEvent", providers: [.apt(["libevent-dev"])]),
        // OpenSSL's headers alone: the library is opened when there is a certificate, so that nothing of it is loaded at other starts.
        .target(name: "CTLS", cSettings: c),
        .target(
            name: "HTTPServer", dependencies: ["CEvent", "CTLS"], swiftSettings: strictSwift,
            linkerSettings: [.unsafeFlags(["-Xlinker", "-l:libevent_core.a"])]),
        // The pages of errors and warnings, by links to docs, stand in the program: they are the only place where codes are told.
        .target(
            name: "RuleReference", dependencies: ["RuleStore", "RuleEngine", "LuaSandbox", "PushMessage", "JSONDocument"],
            resources: [.embedInCode("errors"), .embedInCode("findings"), .embedInCode("warnings.md")], swiftSettings: swift),
        .systemLibrary(name: "CSeccomp", providers: [.apt(["libseccomp-dev"])]),
        // Linked into the program for the same reason as Lua is.
        .target(
            name: "CRuleWorker", dependencies: ["CSeccomp"], cSettings: c,
            linkerSettings: [.unsafeFlags(["-Xlinker", "-l:libseccomp.a"])]),
        .target(name: "RuleWorkers", dependencies: ["CRuleWorker", "CivilTime", "LuaSandbox", "RuleEngine"], swiftSettings: swift),
        .target(name: "PictureFetch", dependencies: ["CPictureFetch", "RuleEngine", "JSONDocument"], swiftSettings: strictSwift),
        .target(
            name: "ReferenceJob",
            dependencies: ["JSONDocument"],
            path: "Benchmarks/reference",
            resources: [
                .embedInCode("message.json"), .embedInCode("contexts.jsonl"), .embedInCode("answers.jsonl"),
                .embedInCode("rules/reference/app.lua"), .embedInCode("rules/reference/chat.lua"),
            ],
            swiftSettings: swift),
        // How reports look: no target of ours below it, so that every room may use it.
        .target(name: "ReportPage", swiftSettings: swift),
        .target(
            name: "RuleLab",
            dependencies: [
                "ReferenceJob", "RuleReference", "RuleWorkers", "RuleEngine", "RuleStore", "CivilTime", "PushMessage", "JSONDocument",
            ],
            swiftSettings: swift),
        .target(
            name: "RuleHosting",
            dependencies: [
                "ReferenceJob", "EffectStore", "RuleWorkers", "RuleLab", "RuleStore", "RuleEngine", "CivilTime", "PushMessage",
                "JSONDocument", "CNettle", "CHTTPCall", "CProcessors",
            ],
            swiftSettings: swift),
        .target(
            name: "HostTelemetry",
            dependencies: [
                "RuleHosting", "EffectStore", "RuleWorkers", "RuleStore", "RuleEngine", "PushMessage", "JSONDocument", "CNettle",
            ],
            swiftSettings: swift),
        .target(
            name: "HTTPAPI",
            dependencies: [
                "HostTelemetry", "HTTPServer", "RuleHosting", "RuleReference", "EffectStore", "RuleStore", "RuleEngine", "PushMessage",
                "JSONDocument", "CNettle",
            ],
            swiftSettings: swift),
        .target(
            name: "RuleCheck",
            dependencies: [
                "RuleLab", "RuleReference", "RuleStore", "RuleEngine", "LuaSandbox", "CivilTime", "PushMessage", "JSONDocument",
            ],
            swiftSettings: swift),
        .executableTarget(
            name: "rulehost",
            dependencies: [
                "CHTTPCall", "HTTPAPI", "HTTPServer",
                "HostTelemetry", "EffectStore", "RuleHosting", "RuleCheck", "RuleLab", "RuleReference", "RuleStore", "RuleWorkers",
                "RuleEngine",
                "ReportPage",
                "PictureFetch",
                "CivilTime",
                "LuaSandbox",
                "PushMessage", "JSONDocument",
            ],
            swiftSettings: swift),
        // Makes up the traffic that examples and measurements use.
        .executableTarget(
            name: "make-traffic", dependencies: ["RuleLab", "CivilTime", "PushMessage", "JSONDocument"], path: "examples/traffic/generator",
            swiftSettings: swift),
        .testTarget(name: "ReportPageTests", dependencies: ["ReportPage"], swiftSettings: swift),
        .testTarget(name: "JSONDocumentTests", dependencies: ["JSONDocument"], swiftSettings: swift),
        .testTarget(
            name: "LuaSandboxTests", dependencies: ["LuaSandbox", "CLuaGuard", "CLua", "JSONDocument"], swiftSettings: swift),
        .testTarget(name: "PushMessageTests", dependencies: ["PushMessage", "JSONDocument"], swiftSettings: swift),
        .testTarget(
            name: "CivilTimeTests", dependencies: ["CivilTime", "PushMessage", "JSONDocument"], swiftSettings: swift),
        .testTarget(
            name: "RuleEngineTests",
            dependencies: ["RuleEngine", "PushMessage", "LuaSandbox", "JSONDocument"],
            swiftSettings: swift),
        .testTarget(
            name: "PictureFetchTests", dependencies: ["PictureFetch", "RuleEngine"], exclude: ["server.py"], swiftSettings: swift),
        .testTarget(
            name: "RuleStoreTests", dependencies: ["RuleStore", "RuleEngine", "LuaSandbox", "PushMessage", "JSONDocument"],
            swiftSettings: swift),
        // A host that commits under load until it is killed, or until the disk is full.
        .executableTarget(
            name: "StoreDouble", dependencies: ["EffectStore", "RuleEngine", "PushMessage"], path: "Tests/StoreDouble", swiftSettings: swift
        ),
        .testTarget(
            name: "EffectStoreTests", dependencies: ["StoreDouble", "EffectStore", "CSQLite", "RuleEngine", "PushMessage"],
            swiftSettings: swift),
        // A host that is killed while it decides, or whose disk is full.
        .executableTarget(
            name: "HostDouble", dependencies: ["RuleHosting", "EffectStore", "RuleWorkers", "RuleStore", "RuleEngine", "PushMessage"],
            path: "Tests/HostDouble", swiftSettings: swift),
        // Bytes to a server and back, for the tests.
        .target(name: "HTTPClient", dependencies: ["HTTPServer"], path: "Tests/HTTPClient", swiftSettings: swift),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["HTTPClient", "HTTPServer"], exclude: ["tls.py", "crowd.py"], swiftSettings: swift),
        .testTarget(
            name: "HTTPAPITests",
            dependencies: [
                "HTTPClient", "HTTPAPI", "HostTelemetry", "HTTPServer", "RuleHosting", "RuleReference", "RuleStore", "EffectStore",
                "PushMessage", "JSONDocument",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "RuleHostingTests",
            dependencies: [
                "HTTPClient", "HTTPServer", "HostDouble", "rulehost", "RuleHosting", "CHTTPCall", "EffectStore", "RuleWorkers", "RuleStore",
                "RuleEngine",
                "PushMessage",
                "JSONDocument",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "HostTelemetryTests",
            dependencies: [
                "rulehost", "HostTelemetry", "RuleHosting", "EffectStore", "RuleLab", "RuleStore", "RuleEngine", "PushMessage",
                "JSONDocument",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "RuleReferenceTests",
            dependencies: ["RuleReference", "RuleLab", "RuleStore", "RuleEngine", "LuaSandbox", "PushMessage", "JSONDocument"],
            exclude: ["validate.py"], swiftSettings: swift),
        .testTarget(
            name: "RuleLabTests",
            dependencies: ["RuleLab", "RuleWorkers", "RuleStore", "RuleEngine", "LuaSandbox", "PushMessage", "JSONDocument"],
            swiftSettings: swift),
        .testTarget(
            name: "RuleCheckTests",
            dependencies: ["RuleCheck", "RuleLab", "RuleReference", "RuleStore", "RuleEngine", "PushMessage", "JSONDocument"],
            swiftSettings: swift),
        // A child that does what one could that was taken over; nothing of it is in the program that is shipped.
        .target(name: "CWorkerDeeds", path: "Tests/CWorkerDeeds", cSettings: c),
        .executableTarget(
            name: "WorkerDouble", dependencies: ["CWorkerDeeds", "RuleWorkers", "CRuleWorker", "RuleEngine", "PushMessage"],
            path: "Tests/WorkerDouble",
            swiftSettings: swift),
        // `make attacks`: what hostile scripts come to, as a table.
        .executableTarget(
            name: "AttackTable", dependencies: ["RuleWorkers", "RuleEngine", "LuaSandbox", "PushMessage", "JSONDocument"],
            path: "Tests/AttackTable", exclude: ["world.lua"], swiftSettings: swift),
        .testTarget(
            name: "RuleWorkersTests",
            dependencies: [
                "WorkerDouble", "RuleWorkers", "RuleLab", "RuleStore", "RuleEngine", "LuaSandbox", "PushMessage", "JSONDocument",
            ],
            swiftSettings: swift),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "rulehost", "make-traffic", "HTTPAPI", "HTTPServer", "StoreDouble", "EffectStore", "RuleHosting", "RuleStore", "RuleEngine",
                "RuleReference", "LuaSandbox", "JSONDocument",
            ],
            swiftSettings: swift),
    ],
    cxxLanguageStandard: .cxx17
)

// The fuzzers need libFuzzer's flags everywhere, which scripts/fuzz.sh gives; no other build knows of them.
if Context.environment["RULEHOST_FUZZERS"] != nil {
    package.targets += [
        .target(name: "CFuzzDriver", path: "Tests/CFuzzDriver", cSettings: c),
        .executableTarget(
            name: "Fuzzers",
            dependencies: ["CFuzzDriver", "RuleWorkers", "RuleStore", "RuleEngine", "PushMessage", "JSONDocument"],
            path: "Tests/Fuzzers", swiftSettings: swift),
    ]
}
