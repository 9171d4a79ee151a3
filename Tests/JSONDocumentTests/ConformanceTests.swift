// What is JSON and what is not, by the cases of Tests/Cases/json.
import JSONDocument
import Testing

@Suite struct ConformanceTests {
    @Test("What is JSON is read, with its kind, value and marks", arguments: ConformanceCase.accepted)
    func accepts(_ one: ConformanceCase) throws {
        let document = JSONDocument()
        try document.read(one.bytes)
        let root = try #require(document.root)
        #expect("\(root.kind)" == one.kind)
        if let count = one.count { #expect(root.count == count) }
        if let string = one.string {
            #expect(root.text?.string == string)
            #expect(root.text?.count == string.utf8.count)
        }
        if let literal = one.literal { #expect(root.literal?.string == literal) }
        if let integer = one.integer { #expect(root.integer == integer) }
        if let decimal = one.decimal {
            let expected = try #require(Double(decimal))
            #expect(root.double?.bitPattern == expected.bitPattern)
            #expect(root.integer == nil)
        }
        #expect(root.overflows == one.overflows)
        #expect(document.hasReplacedSurrogates == one.isReplaced)
        #expect(document.hasShadowedMembers == (one.shadowed != nil))
        #expect(Array(root.childrenWithShadowed).count == root.count + (one.shadowed ?? 0))
        #expect(Array(root.childrenWithShadowed).filter(\.isShadowed).count == one.shadowed ?? 0)
    }

    @Test("What is read once is read the same from what the writer makes of it", arguments: ConformanceCase.accepted)
    func roundTrips(_ one: ConformanceCase) throws {
        let document = JSONDocument()
        try document.read(one.bytes)
        let first = try written(try #require(document.root))
        try document.read(first)
        #expect(try written(try #require(document.root)) == first)
    }

    @Test("What is not JSON is refused at the first byte that cannot continue", arguments: ConformanceCase.refused)
    func refuses(_ one: ConformanceCase) throws {
        let document = JSONDocument()
        let fault = try #require(throws: JSONFault.self) { try document.read(one.bytes) }
        #expect(fault.code.rawValue == one.code)
        #expect(fault.offset == one.offset)
        #expect(document.root == nil)
    }

    @Test("A fault's line and column count what a person sees", arguments: ConformanceCase.places)
    func places(_ one: ConformanceCase) throws {
        let document = JSONDocument()
        let fault = try #require(throws: JSONFault.self) { try document.read(one.bytes) }
        #expect(fault.code.rawValue == one.code)
        #expect(fault.offset == one.offset)
        #expect(fault.line == one.line)
        #expect(fault.column == one.column)
    }

    @Test("The cases cover every code that a text can cause")
    func coversCodes() {
        let seen = Set(ConformanceCase.refused.compactMap(\.code))
        let elsewhere: Set<JSONFault.Code> = [.tooLarge, .depth, .outOfMemory]
        for code in JSONFault.Code.allCases where !elsewhere.contains(code) {
            #expect(seen.contains(code.rawValue), "\(code.rawValue) has no case")
        }
    }
}

func written(_ value: JSONValue) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.value(value)
    return writer.bytes
}
