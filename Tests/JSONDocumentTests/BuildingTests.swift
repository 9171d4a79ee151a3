// Tapes made by hand: what was put in comes out, links are followed, calls out of order give nothing.
import JSONDocument
import Testing

@Suite struct BuildingTests {
    @Test("What is built, written and read back is the same, for values of any shape", arguments: 1...60)
    func roundTrips(_ seed: UInt64) throws {
        var randomness = Randomness(seed: seed)
        let builder = JSONBuilder()
        let document = JSONDocument()
        for _ in 0..<20 {
            builder.reset()
            randomness.value(into: builder)
            let built = try #require(builder.finish())
            let text = try written(built)
            try document.read(text, limit: 10_000_000)
            let read = try #require(document.root)
            #expect(try written(read) == text)
            let copies = JSONBuilder()
            copies.copy(read)
            #expect(try written(try #require(copies.finish())) == text)
        }
    }

    @Test("A link shows the value of another tape under a key of this one")
    func linksValues() throws {
        let document = JSONDocument()
        try document.read(#"{"inner":{"x":[1,2]},"text":"t","x":1,"x":2}"#)
        let root = try #require(document.root)
        let builder = JSONBuilder()
        builder.open(.object)
        builder.key("first")
        builder.link(try #require(root["inner"]))
        builder.key("second", id: 7)
        builder.link(try #require(root["text"]))
        builder.key("all")
        builder.link(root)
        builder.close()
        let built = try #require(builder.finish())
        #expect(built["first"]?["x"]?[1]?.integer == 2)
        #expect(built["first"]?.key == "first")
        #expect(built["first"]?.isSame(as: try #require(root["inner"])) == true)
        #expect(built.member(7)?.text == "t")
        #expect(
            String(decoding: try written(built), as: UTF8.self)
                == #"{"first":{"x":[1,2]},"second":"t","all":{"inner":{"x":[1,2]},"text":"t","x":2}}"#)

        let again = JSONBuilder()
        again.open(.array)
        again.link(try #require(built["first"]))
        again.copy(built)
        again.close()
        #expect(
            String(decoding: try written(try #require(again.finish())), as: UTF8.self)
                == #"[{"x":[1,2]},{"first":{"x":[1,2]},"second":"t","all":{"inner":{"x":[1,2]},"text":"t","x":2}}]"#)
    }

    @Test("A copy keeps nothing of its source: numbers keep their digits, shadowed members are left out")
    func copiesValues() throws {
        let document = JSONDocument()
        try document.read(#"{"n":1.50,"big":18446744073709551616,"s":"\u0041","d":1,"d":{"e":[]}}"#)
        let builder = JSONBuilder()
        builder.copy(try #require(document.root))
        try document.read(#"["zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"]"#)
        let copy = try #require(builder.finish())
        #expect(
            String(decoding: try written(copy), as: UTF8.self)
                == #"{"n":1.50,"big":18446744073709551616,"s":"A","d":{"e":[]}}"#)
        #expect(copy["big"]?.overflows == true)
        #expect(copy.isBuilt)
    }

    @Test("Numbers given by their digits get kind and value; what is no number breaks the tape")
    func takesLiterals() throws {
        let builder = JSONBuilder()
        builder.number(literal: "12.50")
        #expect(builder.finish()?.double == 12.5)
        #expect(builder.finish()?.literal == "12.50")
        for bad in ["", "1x", "0x1", "01", "-", "NaN", " 1", "1 ", "1,2"] as [JSONText] {
            builder.reset()
            builder.number(literal: bad)
            #expect(builder.finish() == nil, "\(bad.string)")
        }
    }

    @Test("Calls out of order give no value until the next reset")
    func refusesDisorder() {
        let disorders: [(String, (JSONBuilder) -> Void)] = [
            ("nothing", { _ in }),
            ("an open array", { $0.open(.array) }),
            (
                "a bracket too many",
                {
                    $0.null(); $0.close()
                }
            ),
            (
                "a value without a key",
                {
                    $0.open(.object); $0.null(); $0.close()
                }
            ),
            (
                "a key without a value",
                {
                    $0.open(.object); $0.key("a"); $0.close()
                }
            ),
            (
                "a key in an array",
                {
                    $0.open(.array); $0.key("a"); $0.null(); $0.close()
                }
            ),
            (
                "two keys",
                {
                    $0.open(.object); $0.key("a"); $0.key("b"); $0.null(); $0.close()
                }
            ),
            (
                "two roots",
                {
                    $0.null(); $0.null()
                }
            ),
            (
                "a key at the root",
                {
                    $0.key("a"); $0.null()
                }
            ),
        ]
        let builder = JSONBuilder()
        for (name, disorder) in disorders {
            builder.reset()
            disorder(builder)
            #expect(builder.finish() == nil, "\(name)")
        }
        builder.reset()
        builder.integer(4)
        #expect(builder.finish()?.integer == 4)
    }

    @Test("A function stands in a tape by its reference and is written as null")
    func holdsFunctions() throws {
        let builder = JSONBuilder()
        builder.function(12)
        let value = try #require(builder.finish())
        #expect(value.kind == .function)
        #expect(value.function == 12)
        #expect(try written(value) == Array("null".utf8))
    }
}
