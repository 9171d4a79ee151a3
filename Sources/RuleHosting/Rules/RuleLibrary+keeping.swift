// The library keeps what the folder holds as a version, and what a store has not taken until it takes it: nobody saves it again, and what
// is in force is to be listed, compared and gone back to. Called by looks into the folder and by a thread of the library. Rules come into
// force without it, and wait for none of it.
import EffectStore
import PushMessage
import RuleEngine

extension RuleLibrary {
    private static let saved = "saved in the folder"

    /// A version that is in force without being kept is better than none.
    func keep(_ version: AppVersion, of app: String, in record: inout AppRecord) {
        var draft: String?
        var deed = Deed(who: settings.name, at: clock(), why: RuleLibrary.saved)
        do throws(EffectStoreFault) {
            record.unkept = nil
            draft = try keeping.current(app: app, stage: RuleLibrary.draft)
            guard draft != version.hash else { return }
            let before = try draft.map { hash throws(EffectStoreFault) in try keeping.files(app: app, hash: hash) } ?? []
            if let known = saves.deed(of: version.files, after: before, app: app) {
                deed = Deed(who: known.who, at: deed.at, why: known.why.isEmpty ? RuleLibrary.saved : known.why)
            }
            saves.forget(version.files, app: app, now: deed.at)
            try store(version, of: app, deed, isDraft: true)
        } catch {
            let fault = AppFault(code: error.code.rawValue, file: "app.lua", message: error.message, hint: error.hint)
            record.folderFaults.append(fault)
            record.unkept = UnkeptVersion(version: version, deed: deed, draft: draft, fault: fault)
        }
    }

    /// Word is given when the store has taken it; that it still does not is known.
    func keepAgain(_ app: String) {
        guard var record = record(of: app), let unkept = record.unkept else { return }
        do throws(EffectStoreFault) {
            let draft = try keeping.current(app: app, stage: RuleLibrary.draft)
            // Somebody may have promoted another one meanwhile.
            try store(unkept.version, of: app, unkept.deed, isDraft: draft == unkept.draft)
        } catch {
            return
        }
        record.unkept = nil
        let count = record.folderFaults.count
        record.folderFaults.removeAll { $0 == unkept.fault }
        set(record, of: app)
        if record.folderFaults.count != count { announce(.state, of: app) }
    }

    private func store(_ version: AppVersion, of app: String, _ deed: Deed, isDraft: Bool) throws(EffectStoreFault) {
        try keeping.keep(version.files, app: app, hash: version.hash, deed)
        guard isDraft else { return }
        _ = try keeping.move([.promote(version.hash, to: RuleLibrary.draft, action: "reload")], app: app, deed)
    }
}

/// What a store has not taken.
struct UnkeptVersion: Sendable {
    let version: AppVersion
    /// By whom, when and why.
    let deed: Deed
    /// Which one was the draft then.
    let draft: String?
    let fault: AppFault
}
