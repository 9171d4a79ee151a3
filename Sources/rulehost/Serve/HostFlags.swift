// Flags of `serve` that say how the host of rules works, and the settings that come of them.
import EffectStore
import RuleHosting

extension Flag {
    static let casesOfHost = Flag(
        "cases", .required("block|warn", .oneOf(HostSettings.Cases.allCases.map(\.rawValue))),
        "What failing cases do to rules that are saved: keep them out, or only tell (default: block)")
    static let stageOfHost = Flag(
        "stage", .required("STAGE", .text), "Serve what was promoted there, such as production (default: what the folder holds)")
    static let durability = Flag(
        "durability", .required("strict|group|none", .oneOf(Durability.allCases.map(\.rawValue))),
        "What an answer waits for: the disk by itself, the disk with others, or nothing (default: group)")

    /// In the order in which help shows them.
    static let ofHost: [Flag] = [.casesOfHost, .stageOfHost, .durability]
}

extension HostSettings {
    /// What the command line says about them; the rest is as usual.
    mutating func take(_ arguments: Arguments) throws(CommandFault) {
        cases = arguments[.casesOfHost].flatMap(Cases.init(rawValue:)) ?? cases
        guard let stage = arguments[.stageOfHost] else { return }
        guard VersionDesk.isStage(stage) else {
            throw .invalidValue(
                flag: Flag.stageOfHost.name, value: stage, expected: "1 to 32 small letters, digits and hyphens, such as production",
                suggestion: nil)
        }
        // What the folder holds is what stands on this one.
        self.stage = stage == VersionDesk.draft ? nil : stage
    }
}

extension Durability {
    init(_ arguments: Arguments) { self = arguments[.durability].flatMap(Durability.init(rawValue:)) ?? .group }
}
