// The library brings what was promoted or rolled back into force, where it is the stage that the host serves.
import EffectStore
import PushMessage
import RuleEngine
import RuleStore

extension RuleLibrary {
    /// On which what is in force here stands.
    var servedStage: String { settings.stage ?? RuleLibrary.draft }

    /// - Parameters:
    ///   - stage: nil: the one that is served.
    ///   - change: of what the stage names.
    func stage(
        of app: String, _ stage: String?, _ done: @escaping @Sendable (Result<AppInfo, HostProblem>) -> Void,
        _ change: @escaping @Sendable (RuleLibrary, String) throws(HostProblem) -> StageChange
    ) {
        perform(on: app) { library in
            let stage = stage ?? library.servedStage
            guard library.known(app) != nil else { return done(.failure(.unknownApp(app))) }
            let endedCanary: Canary?
            do throws(HostProblem) {
                endedCanary = try change(library, stage).endedCanary
                if stage == library.servedStage { try library.takeUpStage(of: app) }
            } catch {
                return done(.failure(error))
            }
            guard var info = library.record(of: app)?.info(app) else { return done(.failure(.unknownApp(app))) }
            info.endedCanary = endedCanary
            done(.success(info))
        }
    }

    /// A save that has not been looked at becomes a version, so that it can be promoted. One that does not load stays what it is: a fault, to be
    /// told by the look that comes next.
    /// - Returns: why it is none although it loads: then it is not wanted all the same, and only saving it anew makes it a version.
    private func takeUpPending(_ app: String, in record: inout AppRecord) -> EffectStoreFault? {
        let (files, cases): ([SourceFile], [SourceFile])
        do throws(StoreFault) {
            (files, cases) = try workshop.read(app)
        } catch {
            // Nor can it come into force: the look that comes next tells it.
            return nil
        }
        let digest = FolderDigest.of(files + cases)
        let hash = AppCrossing.hash(of: files)
        guard digest != record.seen, hash != record.inFolder, workshop.compile(app, files).isAccepted else { return nil }
        (record.seen, record.inFolder) = (digest, hash)
        do throws(EffectStoreFault) {
            try keeping.keep(files, app: app, hash: hash, Deed(who: settings.name, at: clock(), why: RuleLibrary.saved))
        } catch {
            return error
        }
        return nil
    }

    private func takeUpStage(of app: String) throws(HostProblem) {
        guard var record = record(of: app) else { return }
        let before = record
        let stage = servedStage
        do throws(EffectStoreFault) {
            try serve(stage, of: app, in: &record)
            record.canary = try keptCanary(of: app)
        } catch {
            throw HostProblem(error)
        }
        if settings.stage == nil {
            // Whoever tries one on some recipients leaves to all others what they have and get.
            let fault = record.current?.hash == before.current?.hash ? nil : takeUpPending(app, in: &record)
            refuseFolder(of: app, in: &record)
            if let fault { record.faults.append(AppFault(fault)) }
        }
        let outcome = outcome(app, record)
        if case .failed(let problem, _) = outcome { throw problem }
        set(record, of: app)
        deliver(outcome, to: app)
        if !record.isInForce(like: before) { return announce(.reload, of: app) }
        if record.info(app) != before.info(app) { announce(.state, of: app) }
    }

    /// What the folder holds is not wanted any more, also after a restart, and also when its cases have not been run to their end: whoever has
    /// brought another version into force has done that later. What is saved next is wanted.
    private func refuseFolder(of app: String, in record: inout AppRecord) {
        guard let held = record.inFolder else {
            // What is wrong with the folder is its own fault, and could not have been in force.
            record.isWanted = false
            return
        }
        guard held != record.current?.hash else { return record.faults.removeAll { $0.code == AppFault.Code.rolledBack.rawValue } }
        record.isWanted = false
        record.faults = [.rolledBack(held)]
        let deed = Deed(who: settings.name, at: clock(), why: "another version is in force")
        do throws(EffectStoreFault) {
            guard try keeping.current(app: app, stage: VersionDesk.refused(held)) == nil else { return }
            _ = try keeping.move([.promote(held, to: VersionDesk.refused(held), action: "refuse")], app: app, deed)
        } catch {
            record.faults.append(AppFault(error))
        }
    }
}
