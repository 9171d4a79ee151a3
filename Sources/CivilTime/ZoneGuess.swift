// The zone that somebody has meant by a name that no zone has: for the hints of rules, of app.lua and of devices.
import PushMessage

extension Zone {
    /// Abbreviations that mean one place to nearly everybody. Others (CST, IST, BST) mean several: nothing is guessed.
    private static let abbreviations = [
        "KST": "Asia/Seoul", "JST": "Asia/Tokyo", "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles",
        "EDT": "America/New_York", "CDT": "America/Chicago", "MDT": "America/Denver", "AEST": "Australia/Sydney",
        "NZST": "Pacific/Auckland", "CEST": "Europe/Berlin",
    ]

    /// nil when it cannot be told. Reads the folder of zones.
    public static func meant(by name: String) -> String? {
        guard name.utf8.count <= 64 else { return nil }
        let names = Zone.names
        let folded = name.lowercased()
        if let same = names.first(where: { $0.lowercased() == folded }) { return same }
        let city = folded.split(separator: " ").joined(separator: "_")
        if let there = names.first(where: { Zone.city(of: $0) == city }) { return there }
        let isAbbreviation = (2...5).contains(name.utf8.count) && name.utf8.allSatisfy { (65...90).contains($0) }
        if isAbbreviation { return abbreviations[name] }
        if let near = DidYouMean.nearest(to: name, among: names) { return near }
        guard !name.contains("/"), let near = DidYouMean.nearest(to: city, among: names.map(Zone.city)) else { return nil }
        return names.first { Zone.city(of: $0) == near }
    }

    private static func city(of name: String) -> String { name.split(separator: "/").last.map { $0.lowercased() } ?? "" }
}
