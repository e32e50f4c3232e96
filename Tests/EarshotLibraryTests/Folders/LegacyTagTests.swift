import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("Tags in encodings from before Unicode")
struct LegacyTagTests {
    private static let japanese: [UInt8] = [
        0x83, 0x47, 0x83, 0x41, 0x83, 0x8A, 0x83, 0x58, 0x82, 0xCC, 0x83, 0x65, 0x81, 0x5B, 0x83, 0x7D,
    ]
    private static let theme = "エアリスのテーマ"

    private func tags(_ data: Data, _ suffix: String = "mp3", _ encoding: LegacyEncoding? = nil) async throws -> Tags {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.\(suffix)")
            try data.write(to: url)
            return try await Asset.load(url, legacyEncoding: encoding).tags
        }
    }

    private func song(_ frames: [[UInt8]]) -> Data {
        Data(SmallFiles.tag(frames) + SmallFiles.frames(12, number: 1))
    }

    /// The 128 bytes at the end of an MP3.
    private func oldTag(_ title: [UInt8]) -> [UInt8] {
        Array("TAG".utf8) + title + [UInt8](repeating: 0, count: 125 - title.count)
    }

    @Test(
        "Shift-JIS in frames that say Latin-1, at the end of the file, and in RIFF is read",
        .requirements("R-MR-131")
    )
    func shiftJIS() async throws {
        #expect(try await tags(song([SmallFiles.text("TIT2", 0, Self.japanese)])).title == Self.theme)
        let old = Data(SmallFiles.frames(12, number: 1) + oldTag(Self.japanese))
        #expect(try await tags(old).title == Self.theme)
        let wave = SmallFiles.wave([("INAM", Self.japanese), ("IART", Array("Uematsu".utf8))])
        let read = try await tags(wave, "wav")
        #expect((read.title, read.artist) == (Self.theme, "Uematsu"))
    }

    @Test("UTF-16 is read in either order, with a mark and without", .requirements("R-MR-131"))
    func utf16() async throws {
        for text in [Self.theme, "Mötley Crüe", "Plain words", "曲 No. 1"] {
            let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            for bytes in [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big, little + [0, 0]] {
                #expect(try await tags(song([SmallFiles.text("TIT2", 1, bytes)])).title == text)
            }
        }
        let spaced = "エアリス のテーマ"
        let bytes = spaced.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(try await tags(song([SmallFiles.text("TIT2", 0, bytes)])).title == spaced)
    }

    @Test("Korean and Chinese are told apart", .requirements("R-MR-131"))
    func eastAsian() async throws {
        let korean: [UInt8] = [0xB3, 0xCA, 0xB8, 0xA6, 0x20, 0xBB, 0xE7, 0xB6, 0xFB, 0xC7, 0xD8]
        let chinese: [UInt8] = [0xD4, 0xC2, 0xC1, 0xC1, 0xB4, 0xFA, 0xB1, 0xED, 0xCE, 0xD2, 0xB5, 0xC4, 0xD0, 0xC4]
        #expect(try await tags(song([SmallFiles.text("TIT2", 0, korean)])).title == "너를 사랑해")
        #expect(try await tags(song([SmallFiles.text("TIT2", 0, chinese)])).title == "月亮代表我的心")
        #expect(try await tags(SmallFiles.wave([("INAM", chinese)]), "wav").title == "月亮代表我的心")
    }

    @Test(
        "What is Latin-1 stays so",
        .requirements("R-MR-131"),
        arguments: [
            "Motörhead", "Sigur Rós", "Für Élise", "Ágætis byrjun", "Café del Mar", "Noël", "naïveté", "créée", "Ænima",
            "ÄÖÜ", "CANCIÓN DEL AÑO", "¿Qué?", "Señorita & Señor", "Björk", "Hüsker Dü", "ÀÉÎÕÜ", "Ça ira", "½",
        ]
    )
    func latin(_ text: String) async throws {
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        #expect(try await tags(song([SmallFiles.text("TIT2", 0, bytes)])).title == text)
        #expect(try await tags(SmallFiles.wave([("INAM", bytes)]), "wav").title == text)
        #expect(try await tags(song([SmallFiles.text("TIT2", 3, Array(text.utf8))])).title == text)
        // A frame that says what it is is never doubted.
        #expect(
            try await tags(song([SmallFiles.text("TIT2", 1, SmallFiles.utf16(text))]), "mp3", .gb18030).title == text
        )
    }

    @Test("The signs that Windows put between 0x80 and 0x9F are read")
    func windows() async throws {
        let bytes = Array("Don".utf8) + [0x92] + Array("t Be Afraid ".utf8) + [0x96, 0x20, 0x85]
        #expect(try await tags(song([SmallFiles.text("TIT2", 0, bytes)])).title == "Don’t Be Afraid – …")
    }

    @Test("A stated encoding is taken, and what is not in it falls back to Latin-1", .requirements("R-MR-131"))
    func stated() async throws {
        let half: [UInt8] = [0xB1, 0xB2, 0xB3]
        #expect(try await tags(song([SmallFiles.text("TIT2", 0, half)]), "mp3", .shiftJIS).title == "ｱｲｳ")
        #expect(try await tags(song([SmallFiles.text("TIT2", 0, half)])).title == "±²³")
        #expect(try await tags(song([SmallFiles.text("TIT2", 0, [0x41, 0xFF])]), "mp3", .shiftJIS).title == "Aÿ")
    }

    @Test("Damaged tags of any kind are read to some end")
    func damaged() {
        property("legacy tags", rounds: 200) { random in
            var bytes = [UInt8](
                song([
                    SmallFiles.text("TIT2", 0, Self.japanese), SmallFiles.text("TPE1", 1, SmallFiles.utf16("A b c")),
                ])
            )
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                bytes[Int.random(in: 0...120, using: &random)] = UInt8(Int.random(in: 0...255, using: &random))
            }
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mp3")
            defer { try? FileManager.default.removeItem(at: url) }
            try Data(bytes).write(to: url)
            _ = try? Asset.loadBlocking(url)
            return true
        }
    }
}
