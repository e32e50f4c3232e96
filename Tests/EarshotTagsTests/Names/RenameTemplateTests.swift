import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotTags

@Suite("Names by tags")
struct RenameTemplateTests {
    private let tags: [String: [String]] = [
        "TITLE": ["Song: 夜/Nacht?"], "ARTIST": ["AC/DC", "Other"], "ALBUM": ["Live..."], "TRACKNUMBER": ["3/12"],
        "DISCNUMBER": ["2"], "DATE": ["1999-05-01"], "GENRE": ["Rock"],
    ]

    @Test(
        "Fields become names",
        arguments: [
            (
                "{albumartist}/{album} ({year})/{disc-}{track:02} {title}",
                "AC-DC/Live... (1999)/2-03 Song- 夜-Nacht_.mp3"
            ),
            ("{title}", "Song- 夜-Nacht_.mp3"),
            ("{composer}/{title}", "Song- 夜-Nacht_.mp3"),
            ("{composer|artist} - {title}", "AC-DC - Song- 夜-Nacht_.mp3"),
            ("{album}/{track}", "Live/3.mp3"),
            ("{track:3} of {tracktotal}", "003 of 12.mp3"),
            ("{{{genre}}}", "{Rock}.mp3"),
            ("{[genre] }{title}", "[Rock] Song- 夜-Nacht_.mp3"),
            ("/{genre}//{track}/", nil),
            ("{genre}{ (composer)}", "Rock.mp3"),
        ] as [(String, String?)]
    )
    func fields(_ template: String, _ expected: String?) throws {
        let template = try RenameTemplate(template)
        let path = try? template.path(for: tags, suffix: "mp3")
        #expect(path == expected)
    }

    @Test("What is missing takes its brackets with it")
    func missing() throws {
        let template = try RenameTemplate("{albumartist}/{album} ({year})/{disc-}{track:02} {title}")
        #expect(try template.path(for: ["TITLE": ["T"], "ALBUM": ["A"]], suffix: "") == "A/T")
        let error = #expect(throws: EarshotError.self) { _ = try template.path(for: [:], suffix: "mp3") }
        #expect(error?.code == .metadataInvalid)
    }

    @Test(
        "A template that is wrong is refused with the place",
        arguments: [
            "", "no field", "{title", "title}", "{}", "{track:0}", "{track:x}", "{a:1:2}", "{title|}", "{ti/tle}",
        ]
    )
    func wrong(_ template: String) {
        let error = #expect(throws: EarshotError.self) { _ = try RenameTemplate(template) }
        #expect(error?.code == .configurationInvalid && error?.message.contains("character") == true)
    }

    @Test("Names are made good for every file system")
    func names() {
        #expect(FileName(text: "..hidden").text == "_.hidden")
        #expect(FileName(text: " a b. . ").text == "a b")
        #expect(FileName(text: "con").text == "con_")
        #expect(FileName(text: "Lpt1.x", suffix: ".mp3").text == "Lpt1_.x.mp3")
        #expect(FileName(text: "a\u{0}b\nc\u{7F}").text == "abc")
        #expect(FileName(text: "\"q\" <x>|*").text == "'q' _x___")
        #expect(FileName(text: "..").text == "")
        #expect(FileName(text: "a/\u{301}b\\\u{FE0F}").text == "a-\u{301}b-\u{FE0F}")
        #expect(FileName(text: ".\u{301}x").text == "_\u{301}x")
        #expect(FileName("a.b.mp3").numbered(2) == "a.b (2).mp3")
        #expect(FileName("noSuffix").numbered(3) == "noSuffix (3)")
        let long = String(repeating: "夜👩‍👩‍👧", count: 40)
        let name = FileName(text: long, suffix: ".flac")
        #expect(name.text.utf8.count <= 255 && name.text.utf8.count > 220)
        #expect(long.hasPrefix(name.stem))
        #expect(name.numbered(12).utf8.count <= 255 && name.numbered(12).hasSuffix(" (12).flac"))
    }

    @Test("Whatever the tags say, the path stays inside and has good names")
    func anything() {
        let pieces = [
            "/", "..", ".", "\\", "\0", "a", "夜", " ", "CON", "{", "}", "?", "👩‍👩‍👧", "é",
            // Marks and joiners, which make one letter of themselves and what stands before them.
            "\u{301}", "\u{200D}", "\u{FE0F}", ":", "\u{85}",
            String(repeating: "x", count: 200),
        ]
        property("names by tags") { generator in
            func text(_ generator: inout SeededGenerator) -> String {
                (0..<Int.random(in: 0...8, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? ""
                }
                .joined()
            }
            let tags = ["TITLE": [text(&generator)], "ALBUM": [text(&generator)], "ARTIST": [text(&generator)]]
            let template = try RenameTemplate("{artist}/{album}/{title} x")
            let path = try template.path(for: tags, suffix: "mp3")
            // As file systems see it: to Swift a slash with an accent is one letter.
            let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
            return (1...3).contains(names.count)
                && names.allSatisfy { name in
                    (1...255).contains(name.count) && name.first != UInt8(ascii: ".")
                        && ![UInt8(ascii: "."), UInt8(ascii: " ")].contains(name[name.count - 1])
                        && !name.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: ":") }
                }
        }
    }
}
