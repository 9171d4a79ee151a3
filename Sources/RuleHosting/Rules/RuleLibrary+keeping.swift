// The library keeps what the folder holds as a version, and what a store has not taken until it takes it: nobody saves it again, and what
// is in force is to be listed, compared and gone back to. Called by looks into the folder and by a thread of the library. Rules come into
// force without it, and wait for none of it.
import EffectStore
import PushMessage
import RuleEngine

extension RuleLibrary {
    static let saved = "saved in the folder"

    /// Of an app; beyond it the oldest are given up.
    private static let mostUnkept = 64

    /// A version that is in force without being kept is better than none.
    func keep(_ version: AppVersion, of app: String, in record: inout AppRecord) {
        var draft: String?
        var deed = Deed(who: settings.name, at: clock(), why: RuleLibrary.saved)
        do throws(EffectStoreFault) {
            draft = try keeping.current(app: app, stage: RuleLibrary.draft)
            // Behind those that are not kept it is the draft once more.
            guard draft != version.hash || !record.unkept.isEmpty else { return }
            let before = try draft.map { hash throws(EffectStoreFault) in try keeping.files(app: app, hash: hash) } ?? []
            if let known = saves.deed(of: version.files, after: before, app: app) {
                deed = Deed(who: known.who, at: deed.at, why: known.why.isEmpty ? RuleLibrary.saved : known.why)
            }
            saves.forget(version.files, app: app, now: deed.at)
            try store(version, of: app, deed, isDraft: true)
            for place in record.unkept.indices { record.unkept[place].isOvertaken = true }
        } catch {
            let fault = AppFault(error)
            record.folderFaults.append(fault)
            record.unkept.append(UnkeptVersion(version: version, deed: deed, draft: draft, fault: fault))
            record.unkept = record.unkept.suffix(RuleLibrary.mostUnkept)
        }
    }

    /// In the order of the saves. Word is given when the store has taken one; that it still does not is known.
    func keepAgain(_ app: String) {
        guard var record = record(of: app), !record.unkept.isEmpty else { return }
        var left: [UnkeptVersion] = []
        /// The one before in the list, when it has become the draft.
        var last: String?
        for unkept in record.unkept {
            do throws(EffectStoreFault) {
                let draft = try keeping.current(app: app, stage: RuleLibrary.draft)
                // Somebody may have promoted another one meanwhile.
                let isDraft = !unkept.isOvertaken && (draft == unkept.draft || last != nil && draft == last)
                try store(unkept.version, of: app, unkept.deed, isDraft: isDraft)
                if isDraft { last = unkept.version.hash }
            } catch {
                left.append(unkept)
            }
        }
        guard left.count < record.unkept.count else { return }
        let (all, before) = (record.unkept.map(\.fault), record.folderFaults.count)
        record.unkept = left
        record.folderFaults.removeAll { fault in all.contains(fault) && !left.contains { $0.fault == fault } }
        set(record, of: app)
        if record.folderFaults.count != before { announce(.state, of: app) }
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
    /// A later one is kept: this one is the draft no more.
    var isOvertaken = false
}
