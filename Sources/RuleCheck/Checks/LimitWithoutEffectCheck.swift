// A limit of app.lua that is no lower than the host's.
import LuaSandbox
import RuleEngine

extension Check {
    static let limitWithoutEffect = Check("limit_without_effect", .warning) { app, findings in
        guard let limits = app.manifest?.limits, let file = app.manifestFile else { return }
        let host = LoadLimits().script
        for (key, wanted, allowed) in [
            ("fuel", limits.fuel, Int(host.callFuel)), ("memory_bytes", limits.memoryBytes, host.memory),
            ("milliseconds", limits.milliseconds, host.callMilliseconds),
        ] {
            guard let wanted, wanted > allowed else { continue }
            let offset = file.returned?.item("limits")?.value.followed.table?.item(key)?.offset
            findings.tell(
                file, at: offset ?? 0,
                "`limits.\(key)` = \(wanted) does nothing: the host allows \(allowed), and an app can only ask for less",
                hint: "write less than \(allowed), or leave it out")
        }
    }
}
