// The library looks into an app's folder: for the first time, and after each save. What it finds comes into force, or is refused
// and told.
import EffectStore
import Glibc
import PushMessage
import RuleEngine
import RuleStore

extension RuleLibrary {
    /// Of versions that came from the folder, the one that was in force last.
    static let draft = VersionDesk.draft
    /// Milliseconds after which others pass a look.
    private static let longLook: Int64 = 1_000

    func lookForTheFirstTime(_ app: String) {
        var record = AppRecord(hasStage: settings.stage != nil)
        do throws(StoreFault) {
            // Somebody waits for it, however often others save meanwhile.
            while try !readForTheFirstTime(app, into: &record) {
                if isClosed { return }
                record = AppRecord(hasStage: settings.stage != nil)
            }
        } catch {
            if error.code == .appUnknown || error.code == .appName { return set(nil, of: app) }
            record.refuse([AppFault(error, app: app)])
        }
        do throws(EffectStoreFault) {
            if !record.isUnread { try readStore(app, into: &record) }
        } catch {
            record.couldNotBeRead(error)
        }
        if record.current == nil { record.problem = record.problem ?? HostProblem(record.faults) }
        let before = self.record(of: app)
        set(record, of: app)
        // It may have been looked at in vain before.
        if record.info(app) == before?.info(app) { return }
        announce(record.isWanted ? .reload : .fault, of: app)
        if record.draft?.isGood == false { announce(.draftFault, of: app) }
    }

    private func readStore(_ app: String, into record: inout AppRecord) throws(EffectStoreFault) {
        if let stage = settings.stage { try serve(stage, of: app, in: &record) }
        record.canary = try keptCanary(of: app)
        if record.current == nil, settings.stage == nil { try fallBack(app, in: &record) }
    }

    /// - Returns: false: somebody has saved meanwhile.
    private func readForTheFirstTime(_ app: String, into record: inout AppRecord) throws(StoreFault) -> Bool {
        let stand = workshop.quietStand(of: app)
        let (files, cases) = try workshop.read(app)
        record.seen = FolderDigest.of(files + cases)
        return take(files, of: app, as: stand, into: &record, isFirst: true)
    }

    func lookIntoFolder(_ app: String) {
        guard var record = record(of: app) else { return }
        let before = record
        let stand = workshop.quietStand(of: app)
        do throws(StoreFault) {
            let (files, cases) = try workshop.read(app)
            let digest = FolderDigest.of(files + cases)
            guard digest != record.seen else { return }
            record.seen = digest
            record.isUnread = false
            if !take(files, of: app, as: stand, into: &record, isFirst: false) { return look(at: app) }
        } catch {
            if workshop.stand(of: app) != stand { return look(at: app) }
            record.seen = nil
            if error.code == .appUnknown {
                forget(app)
                deliver(.failed(.unknownApp(app), isThere: false), to: app)
                return announce(.gone, of: app)
            }
            record.inFolder = nil
            record.draft?.ruleset = nil
            record.refuse([AppFault(error, app: app)])
        }
        if record.current == nil, settings.stage == nil { record.problem = HostProblem(record.faults) }
        if let current = record.current, current.hash != before.current?.hash {
            let outcome = outcome(app, record)
            if case .failed(let problem, _) = outcome {
                // It has loaded a moment ago: the machine's fault, and tried again at the next save.
                record.current = before.current
                record.isWanted = false
                record.faults = problem.faults
                record.seen = nil
            } else {
                set(record, of: app)
                deliver(outcome, to: app)
            }
        }
        set(record, of: app)
        if record.info(app) != before.info(app) { announce(RuleLibrary.word(of: record, after: before), of: app) }
    }

    /// What is saved on a host of a stage comes into force nowhere.
    private static func word(of record: AppRecord, after before: AppRecord) -> HostEvent.Kind {
        if let draft = record.draft { return draft.isGood ? .state : .draftFault }
        return record.isWanted ? record.isInForce(like: before) ? .state : .reload : .fault
    }

    /// - Parameter stand: of the folder, before it was read.
    /// - Returns: false: somebody has saved since then, and what was read may be half of it; or somebody goes back, and comes first. Nothing
    ///   has been kept.
    private func take(
        _ files: [SourceFile], of app: String, as stand: FileSnapshot, into record: inout AppRecord, isFirst: Bool
    ) -> Bool {
        let version = AppVersion(hash: AppCrossing.hash(of: files), files: files)
        record.inFolder = nil
        record.draft?.ruleset = version.hash
        var isKnown = false
        do throws(EffectStoreFault) {
            // Its cases passed when it came into force; a start is not held up by them.
            if isFirst { isKnown = try keeping.current(app: app, stage: RuleLibrary.draft) == version.hash }
            if settings.stage == nil, version.hash != record.current?.hash,
                try keeping.current(app: app, stage: VersionDesk.refused(version.hash)) != nil,
                try keeping.current(app: app, stage: RuleLibrary.draft) != version.hash
            {
                record.inFolder = version.hash
                record.refuse([.rolledBack(version.hash)])
                return true
            }
        } catch {
            // Whether it is wanted is not known: what is in force stays, or nothing is.
            if isFirst {
                record.couldNotBeRead(error)
            } else {
                record.refuse([AppFault(HostProblem(error))])
                (record.isUnread, record.seen) = (true, nil)
            }
            return true
        }
        let mayWait = isFirst && hasKept(app)
        let begin = HostClock.ticks()
        var isLate = false
        let mayGoOn = mayGoOn(app, as: stand, isFirst: isFirst)
        let trial =
            isKnown
            ? workshop.compile(app, files)
            : workshop.tryOut(app, files) {
                isLate = isLate || mayWait && HostClock.ticks() - begin >= settings.casesAtStart
                return !isLate && mayGoOn()
            }
        guard !isClosed, workshop.stand(of: app) == stand, isFirst || !isWanted(app) else { return false }
        if isLate {
            record.wait()
            look(at: app)
            return true
        }
        guard trial.isAccepted else {
            record.refuse(trial.faults)
            return true
        }
        record.inFolder = version.hash
        record.folderFaults = trial.faults
        record.draft?.isGood = true
        keep(version, of: app, in: &record)
        guard settings.stage == nil else { return true }
        (record.title, record.limits) = (trial.title, trial.limits)
        record.isWanted = true
        record.problem = nil
        if record.current?.hash != version.hash { record.current = version }
        return true
    }

    /// Cases of a save that is not the last one any more are not run to their end, and those of one beside which somebody goes back begin
    /// anew. The folder is asked a few times a second. Those that take long are passed by others, and have together what two have.
    private func mayGoOn(_ app: String, as stand: FileSnapshot, isFirst: Bool) -> () -> Bool {
        let begin = HostClock.ticks()
        var (last, caseBegin) = (begin, begin)
        var isRight = true
        return { [self] in
            let now = HostClock.ticks()
            if isRight, now - begin >= RuleLibrary.longLook {
                let pause = min(1_000, (now - caseBegin) * Int64(max(0, takesLong(app) / 2 - 1)))
                if pause > 0 { usleep(UInt32(pause) * 1_000) }
            }
            caseBegin = HostClock.ticks()
            if !isFirst, isWanted(app) { return false }
            guard isRight, now - last >= 100 else { return isRight }
            last = now
            isRight = !isClosed && workshop.stand(of: app) == stand
            return isRight
        }
    }

    // MARK: what is kept

    /// The last good one of a host before this one.
    private func fallBack(_ app: String, in record: inout AppRecord) throws(EffectStoreFault) {
        guard let version = try kept(RuleLibrary.draft, of: app) else { return }
        let trial = workshop.compile(app, version.files)
        guard trial.isAccepted else { return }
        record.current = version
        (record.title, record.limits) = (trial.title, trial.limits)
        record.isWanted = record.isWaiting
    }

    /// There is a version that can be in force while the cases of the folder run.
    private func hasKept(_ app: String) -> Bool {
        do throws(EffectStoreFault) { return try keeping.current(app: app, stage: servedStage) != nil } catch { return false }
    }

    /// What was promoted.
    func serve(_ stage: String, of app: String, in record: inout AppRecord) throws(EffectStoreFault) {
        guard let version = try kept(stage, of: app) else {
            record.problem = .notPromoted(app, to: stage)
            return
        }
        let trial = workshop.compile(app, version.files)
        guard trial.isAccepted else {
            record.faults = trial.faults
            record.isWanted = false
            return
        }
        record.current = version
        (record.title, record.limits) = (trial.title, trial.limits)
        if record.draft != nil { record.faults = [] }
        record.isWanted = true
        record.problem = nil
    }

    func keptCanary(of app: String) throws(EffectStoreFault) -> (version: AppVersion, percent: Int)? {
        guard let canary = try keeping.canary(app: app, stage: settings.stage ?? RuleLibrary.draft) else { return nil }
        let files = try keeping.files(app: app, hash: canary.ruleset)
        return files.isEmpty ? nil : (AppVersion(hash: canary.ruleset, files: files), canary.percent)
    }

    /// nil: there is none.
    func kept(_ stage: String, of app: String) throws(EffectStoreFault) -> AppVersion? {
        guard let hash = try keeping.current(app: app, stage: stage) else { return nil }
        let files = try keeping.files(app: app, hash: hash)
        return files.isEmpty ? nil : AppVersion(hash: hash, files: files)
    }
}

extension AppFault {
    static func rolledBack(_ hash: String) -> AppFault {
        AppFault(
            code: Code.rolledBack.rawValue, file: "app.lua", message: "the folder holds the version \(hash), which was rolled back",
            hint: "save what is right, or promote the version again")
    }
}
