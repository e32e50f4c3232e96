import Foundation

/// Small MP3 files with tags, and what can be asked of them.
enum Songs {
    private struct Song {
        let title, artist, album: String
        let track: Int
    }

    /// Questions, and how many candidates each must have at least.
    static let questions: [(String, Int)] = [
        ("play album more friends", 2), ("play album more friends music from final fantasy", 1),
        ("play track nineteen thirty one go out dancing part one", 1), ("play track the black parade", 1),
        ("play track エアリスのテーマ", 1), ("play album magical mystery tour", 1), ("play track hello goodbye", 1),
        ("play track アンコール 再臨:片翼の天使", 1),
    ]

    private static let fixtures: [Song] = [
        Song(title: "エアリスのテ-マ", artist: "植松伸夫", album: "More Friends: Music from Final Fantasy", track: 2),
        Song(title: "アンコール 再臨:片翼の天使", artist: "植松伸夫", album: "More Friends: Music from Final Fantasy", track: 12),
        Song(
            title: "Brand New Day",
            artist: "Jools Holland",
            album: "More Friends: Small World Big Band Vol. 2",
            track: 1
        ),
        Song(title: "1931: Go Out Dancing, Part I", artist: "Jacob Mann", album: "Numbers", track: 1),
        Song(title: "The Black Parade (Music Video Version)", artist: "Somebody", album: "The Black Parade", track: 5),
        Song(title: "Hello Goodbye", artist: "The Beatles", album: "Magical Mystery Tour", track: 7),
        Song(title: "Strawberry Fields Forever", artist: "The Beatles", album: "Magical Mystery Tour", track: 8),
    ]

    private static let syllables = [
        "ka", "lo", "mi", "ren", "sta", "to", "vel", "ur", "na", "des", "fi", "gor", "pa", "bri", "shi", "lan", "ou",
        "ze",
        "mar", "quin",
    ]

    /// A word of three syllables, one of 8,000.
    private static func word(_ number: Int) -> String {
        let parts = [number % 20, number / 20 % 20, number / 400 % 20].map { syllables[$0] }
        return parts.joined().capitalized
    }

    /// The song of a number: albums of ten, artists of five albums, one in twenty in Japanese.
    private static func song(_ number: Int) -> Song {
        guard number >= fixtures.count else { return fixtures[number] }
        let (album, artist) = (number / 10, number / 50)
        let mixed = number &* 2_654_435_761 & 0xFFFF_FFFF
        var title = "\(word(mixed)) \(word(mixed / 8_000)) \(number % 3 == 0 ? "the " : "")\(word(number))"
        if number % 20 == 0 { title = "夜の\(number)番目のうた \(word(mixed))" }
        return Song(
            title: title,
            artist: "\(word(artist)) and the \(word(artist &* 7_919 % 8_000))s",
            album: "\(word(album)) \(word(album &* 6_101 % 8_000)) \(album)",
            track: number % 10 + 1
        )
    }

    private static func file(_ number: Int) -> Data {
        let song = song(number)
        func size(_ count: Int, _ bits: Int) -> [UInt8] {
            (0..<4).map { UInt8(count >> (bits * (3 - $0)) & (1 << bits - 1)) }
        }
        var body: [UInt8] = []
        for (id, text) in [
            ("TIT2", song.title), ("TPE1", song.artist), ("TALB", song.album), ("TRCK", "\(song.track)"),
        ] {
            var bytes: [UInt8] = [0xFF, 0xFE]
            for unit in text.utf16 { bytes += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
            body += Array(id.utf8) + size(bytes.count + 1, 8) + [0, 0, 1] + bytes
        }
        var bytes = Array("ID3".utf8) + [3, 0, 0] + size(body.count, 7) + body
        // Six silent frames of 417 bytes with the number in what no decoder reads.
        for frame in 0..<6 {
            var piece: [UInt8] = [0xFF, 0xFB, 0x90, 0xC4] + [UInt8](repeating: 0, count: 413)
            for place in 0..<8 { piece[400 + place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
            piece[410] = UInt8(frame)
            bytes += piece
        }
        return Data(bytes)
    }

    /// Makes the songs that are not there yet: a folder for each album, as people have them.
    static func make(_ count: Int, in folder: URL) throws {
        for number in 0..<count {
            let album = folder.appendingPathComponent("artist \(number / 50)/album \(number / 10)")
            let url = album.appendingPathComponent("\(number % 10 + 1).mp3")
            if FileManager.default.fileExists(atPath: url.path) { continue }
            if number % 10 == 0 {
                try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
            }
            try file(number).write(to: url)
        }
    }
}
