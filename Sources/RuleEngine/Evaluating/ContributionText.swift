// One field of a contribution as JSON, for the trace: in the shape in which its author would write it.
import CivilTime
import JSONDocument
import PushMessage

enum ContributionText {
    static func json(_ field: ContributionFields, of contribution: Contribution) -> [UInt8] {
        var writer = JSONWriter(reserving: 64)
        switch field {
        case .display: display(contribution, &writer)
        case .reason: writer.string(contribution.reason)
        case .holdUntil: holdUntil(contribution.holdUntil, &writer)
        case .pin: writer.bool(contribution.pin)
        case .title: writer.string(contribution.title)
        case .subtitle: writer.string(contribution.subtitle)
        case .body: writer.string(contribution.body)
        case .sound: writer.string(contribution.sound)
        case .category: writer.string(contribution.category)
        case .thread: writer.string(contribution.thread)
        case .interruptionLevel: writer.string(contribution.interruptionLevel)
        case .relevance: writer.decimal(contribution.relevance)
        case .attachments: attachments(contribution.attachments, &writer)
        case .badge: badge(contribution.badge, &writer)
        case .route:
            if let route = Route(contribution.route, rule: nil, reason: nil) {
                RouteText.write(route, into: &writer)
            } else {
                writer.bool(false)
            }
        case .topics: topics(contribution.topics, &writer)
        case .fetchResult: writer.string(contribution.fetchResult.name)
        case .inbox: if let value = contribution.inbox { writer.value(value) } else { writer.null() }
        default: labels(contribution.labels, &writer)
        }
        return writer.bytes
    }

    private static func display(_ contribution: Contribution, _ writer: inout JSONWriter) {
        guard contribution.action == .show else { return writer.string(contribution.action.name) }
        writer.beginArray()
        for option in DisplayOptions.inOrder where contribution.options.contains(option.bit) { writer.string(option.name) }
        writer.endArray()
    }

    private static func holdUntil(_ value: HoldUntil, _ writer: inout JSONWriter) {
        switch value {
        case .resume: writer.string("resume")
        case .duration(let milliseconds): writer.string("\(milliseconds)ms" as String)
        case .instant(let instant): writer.string(instant.text)
        case .wall(let text): writer.string(text)
        case .zoned(let instant, let zone): writer.string("\(zone.civil(at: instant).text) in \(zone.name)" as String)
        }
    }

    private static func badge(_ change: BadgeChange, _ writer: inout JSONWriter) {
        switch change {
        case .absolute(let value): writer.integer(value)
        case .relative(let value, evenIfSuppressed: false): writer.string(value < 0 ? "\(value)" : "+\(value)" as String)
        case .relative(let value, evenIfSuppressed: true):
            writer.beginObject()
            writer.key("add")
            writer.integer(value)
            writer.key("even_if_suppressed")
            writer.bool(true)
            writer.endObject()
        }
    }

    private static func attachments(_ attachments: ContributedAttachments, _ writer: inout JSONWriter) {
        writer.beginArray()
        attachments.forEach { url, type in
            writer.beginObject()
            writer.key("url")
            writer.string(url)
            if let type {
                writer.key("type")
                writer.string(type)
            }
            writer.endObject()
        }
        writer.endArray()
    }

    private static func topics(_ topics: ContributedTopics, _ writer: inout JSONWriter) {
        writer.beginArray()
        topics.forEach { kind, topic in
            writer.beginObject()
            writer.key("op")
            writer.string(kind == .subscribe ? "subscribe" : "unsubscribe" as StaticString)
            writer.key("topic")
            writer.string(topic)
            writer.endObject()
        }
        writer.endArray()
    }

    private static func labels(_ labels: ContributedLabels, _ writer: inout JSONWriter) {
        writer.beginObject()
        labels.forEach { name, value in
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
    }
}
