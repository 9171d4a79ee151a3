// Every code a warning can have. Stable names: other people's scripts compare them. docs/warnings.md has one entry
// for each, with an input that produces it.

public enum WarningCode: String, CaseIterable, Sendable {
    // The text
    case duplicateKey = "duplicate_key"
    case loneSurrogate = "lone_surrogate"
    // Keys and types
    case wrongType = "wrong_type"
    case misspeltKey = "misspelt_key"
    case misplacedKey = "misplaced_key"
    case unknownKey = "unknown_key"
    case unknownValue = "unknown_value"
    // Data
    case dataNotString = "data_not_string"
    case dataNull = "data_null"
    case objectText = "object_text"
    case doubleEscaped = "double_escaped"
    // What is shown
    case emptyAlert = "empty_alert"
    case backgroundWithBadge = "background_with_badge"
    case badgeText = "badge_text"
    case badgeInvalid = "badge_invalid"
    case soundVolume = "sound_volume"
    case soundName = "sound_name"
    case relevanceRange = "relevance_range"
    case invalidURL = "invalid_url"
    case insecureURL = "insecure_url"
    case invalidLink = "invalid_link"
    // Where it goes and when
    case topicPrefix = "topic_prefix"
    case topicInvalid = "topic_invalid"
    case conditionInvalid = "condition_invalid"
    case conditionTopics = "condition_topics"
    case targetMissing = "target_missing"
    case targetConflict = "target_conflict"
    case ttlInvalid = "ttl_invalid"
    case timeInvalid = "time_invalid"
    case scheduleInvalid = "schedule_invalid"
    // The whole
    case sizeOverLimit = "size_over_limit"
    case unknownFormat = "unknown_format"
    case fieldMapJSON = "field_map_json"
    // Given while rules run, not while a message is read
    case unknownField = "unknown_field"
    case unknownDeviceKey = "unknown_device_key"
    /// A key of an event's details that means nothing.
    case unknownEventKey = "unknown_event_key"
    case unknownTimezone = "unknown_timezone"
    case noRecipient = "no_recipient"
    /// A text that the app has in another language only, or not at all.
    case stringMissing = "string_missing"
    /// A plural form that the language needs; `other` is taken.
    case pluralFormMissing = "plural_form_missing"
    /// Neither phone nor app say a language that plural forms are known for.
    case unknownLocale = "unknown_locale"
    case linkNotAllowed = "link_not_allowed"
    /// A tap whose message is for an account that is not logged in.
    case accountMismatch = "account_mismatch"
    case deferralNotKept = "deferral_not_kept"
    /// A message that was due is held back once more, or would have been too often.
    case deferredAgain = "deferred_again"
    /// No more messages of the recipient can be held back.
    case deferredFull = "deferred_full"
    /// The oldest of the values that are kept for the app is gone.
    case inboxFull = "inbox_full"
    /// One person can be subscribed to no more topics.
    case topicsFull = "topics_full"
    case eventNotAnswered = "event_not_answered"
    /// A message that is said to be due does not wait.
    case notDeferred = "not_deferred"
    case rulesetPinned = "ruleset_pinned"
    case attachmentType = "attachment_type"
    case attachmentUnreachable = "attachment_unreachable"
    case attachmentTimeout = "attachment_timeout"
    case attachmentTooLarge = "attachment_too_large"
    /// A guard that the manifest made a warning would have acted.
    case guardWarning = "guard_warning"
}
