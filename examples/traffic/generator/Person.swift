// Somebody who has the chat app on a phone: where they are, what they allow, in which rooms they are. Drawn once; all that
// happens to them in a day goes on from there.
import CivilTime

struct Person {
    let id: String
    let zone: Zone
    let language: Language
    let isAndroid: Bool
    let osVersion: String
    let permission: String
    let wantsPush: Bool
    let wantsOffers: Bool
    /// The phone reports the number on its icon.
    let tellsBadge: Bool
    let rooms: [String]
    var badge = 0

    init(number: Int, _ chance: inout Chance, places: [(weight: Int, value: Place)]) {
        let digits = String(10_000 + number).dropFirst()
        id = "u-\(digits)"
        let place = chance.weighted(places)
        zone = place.zone
        language = place.language
        isAndroid = chance.happens(300)
        osVersion =
            isAndroid ? chance.one(of: ["12", "13", "14", "15"]) : chance.weighted([(1, "13.7"), (2, "15.8"), (5, "17.4"), (8, "18.1")])
        permission = chance.weighted([(86, "authorized"), (6, "provisional"), (6, "denied"), (2, "not_determined")])
        wantsPush = chance.happens(970)
        wantsOffers = chance.happens(880)
        tellsBadge = chance.happens(150)
        // Rooms are shared: their numbers come from a few.
        rooms = (0..<chance.between(2...6)).map { _ in "room-\(8_800 + chance.below(60))" }
    }
}

/// Where people are.
struct Place {
    let zone: Zone
    let language: Language

    /// As many of a hundred people as the weight says. nil: the system does not know a zone of these.
    static func all() -> [(weight: Int, value: Place)]? {
        let places: [(Int, String, Language)] = [
            (40, "Asia/Seoul", .korean), (20, "Europe/Berlin", .german), (15, "America/New_York", .english),
            (10, "America/Los_Angeles", .english), (10, "America/Sao_Paulo", .portuguese), (5, "Pacific/Auckland", .english),
        ]
        var found: [(weight: Int, value: Place)] = []
        for (weight, name, language) in places {
            guard let zone = Zone(name) else { return nil }
            found.append((weight, Place(zone: zone, language: language)))
        }
        return found
    }
}

enum Language {
    case english, german, korean, portuguese

    var locale: String {
        switch self {
        case .english: "en-US"
        case .german: "de-DE"
        case .korean: "ko-KR"
        case .portuguese: "pt-BR"
        }
    }

    var sayings: [String] {
        switch self {
        case .english: ["Lunch at noon?", "The train leaves at 7:40 🚆", "Did you see this?", "On my way", "Call me when you can", "😂"]
        case .german: ["Mittag um zwölf?", "Der Zug fährt um 7:40 🚆", "Schon gesehen?", "Bin unterwegs", "Ruf an, wenn es passt"]
        case .korean: ["점심 같이 먹을래?", "기차는 7시 40분에 떠나 🚆", "이거 봤어?", "가는 중이야", "시간 될 때 전화해 줘"]
        case .portuguese: ["Almoço ao meio-dia?", "O trem sai às 7:40 🚆", "Você viu isso?", "Estou a caminho", "Me liga quando puder"]
        }
    }

    var offer: (title: String, body: String) {
        switch self {
        case .english: ("This week only", "Stickers at half the price")
        case .german: ("Nur diese Woche", "Sticker zum halben Preis")
        case .korean: ("이번 주만", "스티커 반값")
        case .portuguese: ("Só esta semana", "Figurinhas pela metade do preço")
        }
    }
}
