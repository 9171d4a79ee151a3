// Every key and word that the readers of rules, devices and events know, for whoever describes the language to authors.
// Nothing is written down here that a reader does not use itself: each list is the reader's own.
import CivilTime
import LuaSandbox
import PushMessage

package enum AuthorVocabulary {
    // MARK: app.lua

    package static var manifestKeys: [String] { ManifestReader.keys }
    package static var channelKeys: [String] { ManifestReader.channelKeys }
    package static var linkKeys: [String] { ManifestReader.linkKeys }
    package static var limitKeys: [String] { ManifestReader.limitKeys }
    package static var dedupeKeys: [String] { ManifestReader.dedupeKeys }
    package static var errorAnswers: [String] { Manifest.OnError.allCases.map(\.rawValue) }
    package static var guardModes: [String] { ManifestReader.guardModes }

    // MARK: rules

    package static var ruleKeys: [String] { RuleReader.keys }
    package static var quietKeys: [String] { TimingReader.quietKeys }
    package static var boundaryKeys: [String] { TimingReader.boundaryKeys }
    package static var weekdays: [String] { Weekdays.names }
    package static var capKeys: [String] { LimitReader.capKeys }
    package static var capUnits: [String] { LimitReader.units.map(\.rawValue) }
    package static var capWindows: [String] { LimitReader.windows }
    package static var shareKeys: [String] { LimitReader.shareKeys }
    package static var systems: [String] { MatcherReader.systems }
    package static var urgencies: [String] { MatcherReader.urgencies }
    package static var longestSeconds: Int { Int(TimeShape.longestDuration / 1000) }

    // MARK: decide

    package static var decideFields: [String] { ContributionFields.named.map { "\($0.name)" } }
    package static var displays: [String] { ContributionReader.displays }
    package static var displayOptions: [String] { ContributionReader.displayOptions }
    package static var interruptionLevels: [String] { ContributionReader.interruptionLevels }
    package static var fetchResults: [String] { ContributionReader.fetchResults }
    package static var badgeKeys: [String] { ContributionReader.badgeKeys }
    package static var routeKeys: [String] { ContributionReader.routeKeys }
    package static var routeModes: [String] { ContributionReader.routeModes }
    package static var attachmentKeys: [String] { ContributionReader.attachmentKeys }
    package static var topicKeys: [String] { ContributionReader.topicKeys }
    package static var topicOperationKeys: [String] { ContributionReader.topicOperationKeys }
    package static var topicOperations: [String] { ContributionReader.topicOperations }

    // MARK: what functions see

    package static var functions: [String] { ScriptWorld.functions.map(\.name) }
    package static var values: [String] { ScriptWorld.values.map(\.name) }
    package static var calendarUnits: [String] { CalendarUnit.allCases.map(\.rawValue) }
    package static var pluralForms: [String] { PluralForm.names }
    package static var messageFields: [String] { MessageField.all + MessageField.nested }
    package static var deviceFields: [String] { DeviceKey.names + DeviceKey.nested }

    /// The keys of an event's details; `areAll` is false where rules may find others too.
    package static func details(of event: EventName) -> (keys: [String], areAll: Bool) {
        let (known, areAll) = EventKeys.keys(of: event)
        return (known, areAll)
    }

    package static var accountOperations: [String] { EventDetails.AccountOperation.allCases.map(\.rawValue) }
    package static var tokenKinds: [String] { EventDetails.TokenKind.allCases.map(\.rawValue) }
    package static var changedKeys: [String] { EventDetails.changedKeys }
    package static var fetchedKeys: [String] { FetchedAttachment.keys }

    // MARK: limits

    package static var stateKeyBytes: Int { StateQuota.key }
    package static var recipientStateBytes: Int { StateQuota.recipient }
    package static var appStateBytes: Int { StateQuota.app }
    package static var recipientStateKeys: Int { StateQuota.keys(.recipient) }
    package static var appStateKeys: Int { StateQuota.keys(.app) }
    package static var capCount: Int { CapCount.mostInstants }
    package static var mostCapKeys: Int { CapCount.mostKeys }
    package static var topics: Int { TopicList.most }
    package static var keptRouteBytes: Int { SeenMessages.mostExtraBytes }
    package static var logBytes: Int { ScriptLog.limit }
    package static var inboxValues: Int { Inbox.most }
    package static var inboxBytes: Int { Inbox.mostBytes }
    package static var pendingRoutes: Int { PendingRoutes.most }
    package static var deferralAttempts: Int { DeferredMessage.mostAttempts }
}
