// A day of a chat app, made up: the same one from the same seed. How often what happens is said in README.md beside this
// folder; the numbers stand here once, next to what they are for.
import CivilTime
import PushMessage

struct TrafficDay {
    /// Milliseconds of a day.
    private static let day = 86_400_000
    /// How much is written at each hour on the clock of a person, of 30.
    private static let curve = [3, 2, 1, 1, 1, 2, 6, 12, 18, 20, 20, 20, 24, 22, 20, 20, 22, 24, 28, 30, 30, 24, 16, 8]

    private let start: Instant
    private let events: Int
    private var chance: Chance
    private(set) var people: [Person] = []
    /// What is going to happen because of what has happened: copies, answers in a burst, offers to many. By time.
    private var coming: [Happening] = []
    private var written = 0
    private var messages = 0
    /// Of the moments at which an offer goes out to many, those that are still to come.
    private var campaigns: [Int] = []

    /// - Parameter start: midnight in UTC.
    init?(start: Instant, events: Int, people count: Int, seed: UInt64) {
        self.start = start
        self.events = events
        chance = Chance(seed: seed)
        guard let places = Place.all() else { return nil }
        people = (0..<max(1, count)).map { Person(number: $0 + 1, &chance, places: places) }
        campaigns = [9, 17, 21].map { $0 * 3_600_000 + chance.below(1_800_000) }
    }

    /// The next thing that happens, in the order of time; nil when the day is over.
    mutating func next() -> (at: Instant, person: Person, Happening)? {
        guard written < events else { return nil }
        // What is to come takes its share of the lines, so that the day ends with the last of them.
        let now = min(TrafficDay.day - 1, TrafficDay.day / events * written + chance.below(max(1, TrafficDay.day / events)))
        if let due = campaigns.first, due <= now {
            campaigns.removeFirst()
            announceOffer(at: due)
        }
        if coming.first.map({ $0.time > now }) ?? true { add(happening(at: now)) }
        let happening = coming.removeFirst()
        written += 1
        if case .message(let push) = happening.kind, push.form != .silent { people[happening.person].badge += 1 }
        if happening.phone.isTapped { people[happening.person].badge = 0 }
        return (Instant(milliseconds: start.milliseconds + Int64(happening.time)), people[happening.person], happening)
    }

    private mutating func add(_ happening: Happening) {
        let place = coming.firstIndex { $0.time > happening.time } ?? coming.count
        coming.insert(happening, at: place)
    }

    // MARK: what happens

    private mutating func happening(at time: Int) -> Happening {
        let person = somebody(at: time)
        if chance.happens(20) {
            return Happening(time: time, person: person, kind: .resume, phone: phone(of: person, .foreground, room: nil, isTapped: false))
        }
        if chance.happens(4) {
            let phone = phone(of: person, .foreground, room: nil, isTapped: false)
            return Happening(time: time, person: person, kind: .settings(offers: chance.happens(500)), phone: phone)
        }
        let room = chance.one(of: people[person].rooms)
        let happening = Happening(
            time: time, person: person, kind: .message(push(to: person, chance.happens(180) ? .group : .chat, room)),
            phone: phone(of: person, at: time, room: room))
        if chance.happens(60) { burst(after: happening, in: room) }
        repeatPerhaps(happening)
        return happening
    }

    /// Somebody who writes much gets much, and more by day than by night.
    private mutating func somebody(at time: Int) -> Int {
        var person = 0
        for _ in 0..<20 {
            // The lower of two draws: the first of all get the most.
            person = min(chance.below(people.count), chance.below(people.count))
            if chance.below(30) < TrafficDay.curve[hour(of: person, at: time)] { return person }
        }
        return person
    }

    private func hour(of person: Int, at time: Int) -> Int {
        people[person].zone.civil(at: Instant(milliseconds: start.milliseconds + Int64(time))).hour
    }

    /// A conversation: several messages of one room within a minute or two.
    private mutating func burst(after first: Happening, in room: String) {
        var time = first.time
        for _ in 0..<chance.between(3...9) {
            time += chance.between(2_000...20_000)
            guard time < TrafficDay.day else { return }
            let push = push(to: first.person, .chat, room)
            // The phone mostly stays as it is.
            let phone = chance.happens(800) ? first.phone : phone(of: first.person, at: time, room: room)
            add(Happening(time: time, person: first.person, kind: .message(push), phone: phone))
        }
    }

    /// The network delivers a message twice.
    private mutating func repeatPerhaps(_ happening: Happening) {
        guard chance.happens(30) else { return }
        var copy = happening
        copy.time += chance.between(500...40_000)
        if copy.time < TrafficDay.day { add(copy) }
    }

    /// One offer to a third of all people, within ten minutes.
    private mutating func announceOffer(at time: Int) {
        for person in people.indices where chance.happens(333) {
            let moment = time + chance.below(600_000)
            guard moment < TrafficDay.day else { continue }
            add(
                Happening(
                    time: moment, person: person, kind: .message(push(to: person, .offers, nil)),
                    phone: phone(of: person, at: moment, room: nil)))
        }
    }

    // MARK: messages and phones

    private mutating func push(to person: Int, _ channel: Push.Channel, _ room: String?) -> Push {
        messages += 1
        let language = people[person].language
        let form: Push.Form =
            people[person].isAndroid
            ? chance.weighted([(70, .fcm), (28, .dataOnly), (2, .silent)])
            : chance.weighted([(58, .fcm), (26, .userInfo), (14, .apple), (2, .silent)])
        let sender = chance.one(of: ["Mina", "Jun", "Ada", "Noor", "Ines", "Tom"])
        return Push(
            id: "m-\(String(1_000_000 + messages).dropFirst())", form: form, channel: channel,
            title: channel == .offers ? language.offer.title : channel == .group ? "\(sender) · \(room ?? "")" : sender,
            body: channel == .offers ? language.offer.body : chance.one(of: language.sayings), room: room)
    }

    private mutating func phone(of person: Int, at time: Int, room: String?) -> Phone {
        let isNight = TrafficDay.curve[hour(of: person, at: time)] < 6
        let state: Phone.State =
            isNight
            ? chance.weighted([(4, .foreground), (1, .inactive), (60, .background), (25, .terminated), (10, .forceQuit)])
            : chance.weighted([(28, .foreground), (4, .inactive), (45, .background), (18, .terminated), (5, .forceQuit)])
        let isInFront = state == .foreground || state == .inactive
        return phone(of: person, state, room: room, isTapped: chance.happens(isInFront ? 60 : 180))
    }

    private mutating func phone(of person: Int, _ state: Phone.State, room: String?, isTapped: Bool) -> Phone {
        var tab: String?
        var open: String?
        if state == .foreground || state == .inactive {
            tab = chance.weighted([(60, "chat"), (28, "home"), (12, "myPage")])
            // In the chat tab: the list, the room that is written to, or another one.
            if tab == "chat" { open = chance.weighted([(40, nil), (35, room), (25, chance.one(of: people[person].rooms))]) }
        }
        return Phone(state: state, tab: tab, room: open, isTapped: isTapped, badge: people[person].tellsBadge ? people[person].badge : nil)
    }
}
