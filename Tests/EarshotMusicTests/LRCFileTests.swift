import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Files of lyrics")
struct LRCFileTests {
    private func file(_ text: String) throws -> LRCFile { try LRCFile(Data(text.utf8)) }

    private func time(_ milliseconds: Int64) -> MediaTime { MediaTime(value: milliseconds, timescale: 1_000) }

    @Test("Tags, times in each form, several times of a line, a byte order mark, every end of line")
    func reading() throws {
        let text = [
            "\u{FEFF}[ar: The Tin Foxes ]", "[ti:Lantern]", "[al:Morning Rail]", "[la:en]", "[by:somebody]",
            "[au:A. Writer]",
            "[ve:1.0]", "[00:05.00][01:05.5]Carry the lantern", "[00:10:25] over <00:10.50>the <00:11.00> hill",
            "[00:12]", "[00:20.123]again",
        ]
        for end in ["\n", "\r\n", "\r"] {
            let file = try file(text.joined(separator: end) + end)
            #expect((file.artist, file.title, file.album) == ("The Tin Foxes", "Lantern", "Morning Rail"))
            #expect((file.language, file.maker, file.author) == ("eng", "somebody", "A. Writer"))
            #expect(
                file.lines == [
                    .init("Carry the lantern", start: time(5_000)), .init("over the hill", start: time(10_250)),
                    .init("", start: time(12_000)), .init("again", start: time(20_123)),
                    .init("Carry the lantern", start: time(65_500)),
                ]
            )
        }
    }

    @Test("An offset shows everything sooner, nothing before the beginning")
    func offset() throws {
        let file = try file("[00:00.10]a\n[00:02.00]b\n[offset:+500]")
        #expect(file.lines.map(\.start) == [time(0), time(1_500)])
        let error = #expect(throws: EarshotError.self) { try self.file("[ti:x]\n[offset:soon]\na") }
        #expect(error?.code == .metadataInvalid && error?.message.contains("Line 2") == true)
    }

    @Test("Plain text keeps its verses and its brackets")
    func plain() throws {
        let file = try file("\n\n[Chorus: all]\nOne <two\n\n\n \n[99:99.00] three\n\n")
        #expect(file.lines.map(\.text) == ["[Chorus: all]", "One <two", "", "[99:99.00] three"])
        #expect(file.lines.allSatisfy { $0.start == nil })
    }

    @Test("UTF-16 with a mark is read; what is no text, is empty or too much is refused")
    func encodings() throws {
        let utf16 = Data([0xFF, 0xFE]) + Data("[00:01.00]提灯\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(try LRCFile(utf16).lines == [.init("提灯", start: time(1_000))])
        for (bytes, reason) in [
            (Data([0x63, 0x61, 0x66, 0xE9]), "not UTF-8"), (Data("a\0b".utf8), "not UTF-8"), (Data(), "no words"),
            (Data("[ar:x]\n[00:01.00]".utf8), "no words"), (Data(count: 1 << 20 + 1), "1 MiB"),
            (Data(String(repeating: "[0:00]", count: 20_000).utf8), "10,000 lines"),
            (Data((String(repeating: "[0:00]", count: 9_000) + String(repeating: "x", count: 900_000)).utf8), "4 MiB"),
        ] {
            let error = #expect(throws: EarshotError.self) { try LRCFile(bytes) }
            #expect(error?.code == .metadataInvalid)
            #expect(error?.message.contains(reason) == true, "\(reason): \(error?.message ?? "")")
        }
    }

    @Test("A damaged file is read or refused, its times in order")
    func damaged() {
        let text = "[ar:A]\r\n[offset:-20]\n[00:05.00][01:05.5]Carry <00:06.00>the lantern\n\nover\n[00:10:25]hill"
        property("damaged lyrics") { generator in
            do throws(EarshotError) {
                let file = try LRCFile(Data(generator.mutated(Array(text.utf8))))
                let times = file.lines.compactMap(\.start)
                return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } && times.allSatisfy { $0 >= .zero }
            } catch {
                return error.code == .metadataInvalid
            }
        }
    }
}
