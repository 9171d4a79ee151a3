// The few numbers that a report is about, large, each with the words that make it one.

public struct FigureCard: Sendable {
    let figure: String
    let words: String
    let tone: Tone

    public init(_ figure: String, _ words: String, _ tone: Tone = .plain) {
        self.figure = figure
        self.words = words
        self.tone = tone
    }
}

extension HTMLText {
    public mutating func cards(_ cards: [FigureCard]) {
        element("ul", ["class": "cards"]) { list in
            for card in cards {
                list.element("li") { item in
                    item.element("strong", ["class": card.tone.ink], text: card.figure)
                    item.text(" ")
                    item.element("span", text: card.words)
                }
            }
        }
        line()
    }
}
