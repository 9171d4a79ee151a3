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
]
/// The targets that hold pointers into C memory mark every unsafe use.
let strictSwift = swift + [.strictMemorySafety()]
let c: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-fno-strict-aliasing"])]
let cxx: [CXXSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

let package = Package(
    name: "rulehost",
    products: [
        .executable(name: "rulehost", targets: ["rulehost"]),
        .library(name: "RuleEngine", targets: ["RuleEngine"]),
    ],
    targets: [
        .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .target(name: "CJSONDocument", cSettings: c),
        .target(name: "JSONDocument", dependencies: ["CJSONDocument"], swiftSettings: strictSwift),
        .target(name: "CLuaGuard", dependencies: ["CLua", "CJSONDocument"], cSettings: c),
        .target(name: "LuaSandbox", dependencies: ["CLuaGuard", "JSONDocument"], swiftSettings: strictSwift),
        .target(name: "PushMessage", dependencies: ["JSONDocument", "CNettle"], swiftSettings: swift),
        .target(name: "CTimeZone", cxxSettings: cxx, linkerSettings: [.linkedLibrary("cctz")]),
        .target(name: "CivilTime", dependencies: ["CTimeZone", "PushMessage", "JSONDocument"], swiftSettings: strictSwift),
        .target(
            name: "RuleEngine", dependencies: ["CivilTime", "PushMessage", "LuaSandbox", "JSONDocument", "CNettle"],
            swiftSettings: swift),
        .target(name: "RuleStore", dependencies: ["RuleEngine", "PushMessage", "JSONDocument"], swiftSettings: swift),
        .target(
            name: "ReferenceJob",
            dependencies: ["JSONDocument"],
            path: "Benchmarks/reference",
            resources: [
                .embedInCode("message.json"), .embedInCode("contexts.jsonl"), .embedInCode("answers.jsonl"),
                .embedInCode("rules/reference/app.lua"), .embedInCode("rules/reference/chat.lua"),
            ],
            swiftSettings: swift),
        .target(
            name: "RuleLab", dependencies: ["ReferenceJob", "RuleEngine", "RuleStore", "PushMessage", "JSONDocument"],
            swiftSettings: swift),
        .executableTarget(
            name: "rulehost",
            dependencies: ["RuleLab", "RuleStore", "RuleEngine", "CivilTime", "LuaSandbox", "PushMessage", "JSONDocument"],
            swiftSettings: swift),
        .testTarget(name: "JSONDocumentTests", dependencies: ["JSONDocument"], swiftSettings: swift),
        .testTarget(
            name: "LuaSandboxTests", dependencies: ["LuaSandbox", "CLuaGuard", "JSONDocument"], swiftSettings: swift),
        .testTarget(name: "PushMessageTests", dependencies: ["PushMessage", "JSONDocument"], swiftSettings: swift),
        .testTarget(
            name: "CivilTimeTests", dependencies: ["CivilTime", "PushMessage", "JSONDocument"], swiftSettings: swift),
        .testTarget(
            name: "RuleEngineTests",
            dependencies: ["RuleEngine", "PushMessage", "LuaSandbox", "JSONDocument"],
            swiftSettings: swift),
        .testTarget(
            name: "RuleStoreTests", dependencies: ["RuleStore", "RuleEngine", "LuaSandbox", "PushMessage", "JSONDocument"],
            swiftSettings: swift),
        .testTarget(
            name: "RuleLabTests",
            dependencies: ["RuleLab", "RuleStore", "RuleEngine", "PushMessage", "JSONDocument"],
            swiftSettings: swift),
        .testTarget(name: "CommandLineTests", dependencies: ["rulehost", "RuleStore", "RuleEngine", "JSONDocument"], swiftSettings: swift),
    ],
    cxxLanguageStandard: .cxx17
)
