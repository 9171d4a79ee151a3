// Lines of streams: whole, in order, in bounded memory, whatever their lengths.
import Foundation
import Testing

@testable import rulehost

struct LineReaderTests {
    /// A reader whose bytes come through a pipe, a few at a time.
    private func reader(of text: [UInt8], limit: Int, piece: Int) -> (reader: LineReader, pipe: Pipe) {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        let feeding = Thread {
            for start in stride(from: 0, to: text.count, by: piece) {
                writer.write(Data(text[start..<min(start + piece, text.count)]))
            }
            writer.closeFile()
        }
        feeding.start()
        return (LineReader(.standardInput, descriptor: pipe.fileHandleForReading.fileDescriptor, limit: limit), pipe)
    }

    private func lines(of text: [UInt8], limit: Int, piece: Int = 7919) throws -> [[UInt8]] {
        var (reader, pipe) = reader(of: text, limit: limit, piece: piece)
        return try withExtendedLifetime(pipe) {
            var lines: [[UInt8]] = []
            while try reader.next({ lines.append(Array($0)) }) { #expect(reader.number == lines.count) }
            return lines
        }
    }

    /// The lengths that the reader names, of whole lines and of those that it has cut.
    private func lengths(of text: [UInt8], limit: Int, piece: Int) throws -> [Int] {
        var (reader, pipe) = reader(of: text, limit: limit, piece: piece)
        return try withExtendedLifetime(pipe) {
            var lengths: [Int] = []
            while try reader.next({ _ in }) { lengths.append(reader.length) }
            return lengths
        }
    }

    @Test("Lines of all lengths come out whole, and those over the limit cut to one byte more", arguments: [1, 64, 7919, 70_000])
    func lengths(piece: Int) throws {
        let limit = 65_536
        let lengths = [0, 1, 5, limit - 1, limit, limit + 1, limit + 2, 3, 200_000, 0, 65_535, 131_072, 7]
        var text: [UInt8] = []
        for (number, length) in lengths.enumerated() {
            text += [UInt8](repeating: UInt8(97 + number), count: length) + [0x0A]
        }
        #expect(try self.lengths(of: text, limit: limit, piece: piece) == lengths)
        let lines = try lines(of: text, limit: limit, piece: piece)
        #expect(lines.count == lengths.count)
        for (number, length) in lengths.enumerated() where number < lines.count {
            #expect(lines[number].count == min(length, limit + 1))
            #expect(lines[number].allSatisfy { $0 == UInt8(97 + number) })
        }
    }

    @Test("The last line needs no end, an empty stream has no line, and a line may end as on Windows")
    func ends() throws {
        #expect(try lines(of: Array("a\nb".utf8), limit: 100) == [Array("a".utf8), Array("b".utf8)])
        #expect(try lines(of: [], limit: 100).isEmpty)
        #expect(try lines(of: Array("\n".utf8), limit: 100) == [[]])
        #expect(try lines(of: Array("a\r\n\r\nb\r\n".utf8), limit: 100) == [Array("a".utf8), [], Array("b".utf8)])
    }

    @Test(
        "One document a line is told from one document on several lines",
        arguments: [
            ("{\"a\":1}\n{\"b\":2}\n", true), ("{\"a\":1}\n", false), ("{\"a\":1}", false), ("{\n\"a\":1\n}\n", false),
            ("{\"a\":1}\n\n\n", false), ("\n{\"a\":1}\n{\"b\":2}", true), ("nonsense\n{\"b\":2}\n", true),
            ("{\"a\":[\n{\"b\":2}\n]}\n", false), ("", false), ("{\"a\":1}\n{\"b\":", true),
            ("{\"a\":1} \r\n{\"b\":2}\r\n", true), ("{\"a\":1}\n}\n", false), ("{\"a\":1}\nxyz", false),
        ])
    func sniffing(_ text: String, _ isLines: Bool) throws {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(text.utf8))
        pipe.fileHandleForWriting.closeFile()
        var reader = LineReader(.standardInput, descriptor: pipe.fileHandleForReading.fileDescriptor, limit: 1000)
        #expect(try reader.looksLikeLines() == isLines)
        // Nothing has been taken away.
        #expect(try reader.rest() == Array(text.utf8))
    }

    @Test(
        "Where lines are expected, only a document laid out on several lines is none",
        arguments: [
            ("{\"a\":1}\n", true), ("{\n  \"a\": 1\n}\n", false), ("{\n\"a\":1\n}\n", false), ("{\"a\":\n{\"b\":2}\n", true),
            ("nonsense\n", true), ("", false),
        ])
    func expecting(_ text: String, _ isLines: Bool) throws {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(text.utf8))
        pipe.fileHandleForWriting.closeFile()
        var reader = LineReader(.standardInput, descriptor: pipe.fileHandleForReading.fileDescriptor, limit: 1000)
        #expect(try reader.looksLikeLines(expected: true) == isLines)
        #expect(try reader.rest() == Array(text.utf8))
    }
}
