import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotLibrary

@Suite("Answers of a Music Player Daemon")
struct MPDDecoderTests {
    private typealias Pair = MPDDecoder.Pair

    /// A conversation with MPD 0.23, as its bytes came: greeting, a song, a status, an empty answer, a list, refusals.
    private static let conversation = """
        OK MPD 0.23.5
        file: tagged.mp3
        Last-Modified: 2026-11-27T22:16:58Z
        Artist: 音楽家
        Title: 夜の音 “Earshot”
        Track: 3
        duration: 2.037
        OK
        state: pause
        elapsed: 12.345
        OK
        OK
        Id: 11
        list_OK
        list_OK
        OK
        ACK [5@1] {} unknown command "bogus"
        ACK [50@0] {addid} No such song

        """

    private static let answers: [MPDDecoder.Answer] = [
        .greeting(version: "0.23.5"),
        .done([
            [
                Pair(name: "file", value: "tagged.mp3"), Pair(name: "Last-Modified", value: "2026-11-27T22:16:58Z"),
                Pair(name: "Artist", value: "音楽家"), Pair(name: "Title", value: "夜の音 “Earshot”"),
                Pair(name: "Track", value: "3"), Pair(name: "duration", value: "2.037"),
            ]
        ]),
        .done([[Pair(name: "state", value: "pause"), Pair(name: "elapsed", value: "12.345")]]),
        .done([[]]),
        .done([[Pair(name: "Id", value: "11")], []]),
        .refused(.init(code: 5, index: 1, command: "", message: "unknown command \"bogus\"")),
        .refused(.init(code: 50, index: 0, command: "addid", message: "No such song")),
    ]

    private static func decoded(_ bytes: some Sequence<UInt8>) -> [MPDDecoder.Answer] {
        var decoder = MPDDecoder()
        return decoder.append(bytes)
    }

    @Test("a conversation is decoded")
    func conversation() {
        #expect(Self.decoded(Self.conversation.utf8) == Self.answers)
    }

    @Test(
        "a value keeps what stands in it",
        arguments: ["", " two blanks", "a: b", "\u{301}mark", "back\r", "\u{2028}x"]
    )
    func values(value: String) {
        let bytes = "OK MPD 0.23.5\nTitle: \(value)\nOK\n"
        #expect(Self.decoded(bytes.utf8).last == .done([[Pair(name: "Title", value: value)]]))
    }

    @Test(
        "a line that is none of MPD's is a fault, and nothing is read behind it",
        arguments: [
            "hello", "no:blank", ": nameless", "ACK 5 bogus", "ACK [99999999999999999999@0] {x} y", "binary: 9", "",
        ]
    )
    func faults(line: String) {
        #expect(
            Self.decoded("OK MPD 0.23.5\n\(line)\nOK\n".utf8) == [.greeting(version: "0.23.5"), .fault(.unreadable)]
        )
    }

    @Test("what does not greet as MPD is none")
    func greeting() {
        #expect(Self.decoded("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) == [.fault(.noGreeting)])
        #expect(Self.decoded("OK\n".utf8) == [.fault(.noGreeting)])
    }

    @Test("a line, an answer and the number of lines have limits")
    func limits() {
        let limits = MPDDecoder.Limits(line: 10, answer: 100, lines: 20)
        func decoded(_ text: String) -> MPDDecoder.Answer? {
            var decoder = MPDDecoder(limits)
            return decoder.append("OK MPD 1\n\(text)".utf8).dropFirst().first
        }
        #expect(decoded("a: 3456789\nOK\n") == .done([[Pair(name: "a", value: "3456789")]]))
        #expect(decoded("a: 34567890") == .fault(.lineTooLong))
        // Twenty lines with the last one, and twenty-one.
        #expect(decoded(String(repeating: "a:\n", count: 19) + "OK\n") != .fault(.answerTooLarge))
        #expect(decoded(String(repeating: "a:\n", count: 20) + "OK\n") == .fault(.answerTooLarge))
        #expect(decoded(String(repeating: "a: 45678\n", count: 10) + "b: 45\nOK\n") != .fault(.answerTooLarge))
        #expect(decoded(String(repeating: "a: 45678\n", count: 11) + "OK\n") == .fault(.answerTooLarge))
        // The next answer has the same room again.
        var decoder = MPDDecoder(limits)
        _ = decoder.append("OK MPD 1\n".utf8)
        for _ in 0..<10 { #expect(decoder.append("a: 45678\na: 45678\nOK\n".utf8).count == 1) }
    }

    @Test("however the bytes are cut, the answers are the same")
    func cuts() {
        let whole = Array(Self.conversation.utf8)
        property("cuts of MPD's answers") { (generator: inout SeededGenerator) throws in
            var bytes = whole
            // Half of them damaged: faults come at the same place too.
            if Bool.random(using: &generator) {
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
                }
            }
            var decoder = MPDDecoder()
            var (answers, rest) = ([MPDDecoder.Answer](), bytes[...])
            while !rest.isEmpty {
                let count = Int.random(in: 0...min(40, rest.count), using: &generator)
                answers += decoder.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            return answers == Self.decoded(bytes)
        }
    }

    @Test("songs, their times and numbers are read; directories and playlists are left out")
    func songs() {
        func pairs(_ text: String) -> [Pair] {
            text.split(separator: "\n").map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return Pair(name: String(parts[0]), value: String(parts[1].dropFirst()))
            }
        }
        let songs = MPDSong.songs(
            pairs(
                """
                directory: A
                file: A/one song.ogg
                Title: One
                Artist: First
                Artist: Second
                Track: 3/12
                Disc: 2
                Date: 1999-05-01
                duration: 80.125
                playlist: B.m3u
                Title: no song
                file: A/two_words.ogg
                Time: 75
                file: C.cue/track0002
                Range: 10.0-20.0
                """
            )
        )
        #expect(songs.map(\.file) == ["A/one song.ogg", "A/two_words.ogg", "C.cue/track0002"])
        let here = songs.map { MusicItem($0, in: "/music") }
        #expect(here[0].title == "One" && here[0].artist == "First" && here[0].year == 1999)
        #expect(here[0].trackNumber == 3 && here[0].discNumber == 2)
        #expect(here[0].duration == MediaTime(value: 80_125, timescale: 1_000))
        #expect(here[1].title == nil && here[1].duration == MediaTime(value: 75, timescale: 1))
        #expect(here.map { $0.assetURL?.path } == ["/music/A/one song.ogg", "/music/A/two_words.ogg", nil])
        #expect(MusicItem(songs[1], in: nil).title == "two words" && MusicItem(songs[1], in: nil).id == here[1].id)
    }

    @Test(
        "times are written and read to the thousandth",
        arguments: [(0, "0.000"), (12_345, "12.345"), (75_007, "75.007")]
    )
    func times(thousandths: Int64, text: String) {
        let time = MediaTime(value: thousandths, timescale: 1_000)
        #expect(time.mpd == text)
        #expect(MediaTime(mpd: text) == time)
        for text in ["nan", "inf", "-1", "1e12", "", "12:34"] { #expect(MediaTime(mpd: text) == nil) }
        #expect(MediaTime(value: -5, timescale: 1).mpd == "0.000")
    }

    @Test("commands are quoted, and those that no daemon takes are refused")
    func commands() throws {
        #expect(try MPDCommand("addid", [#"a "b" \c"#]).line == #"addid "a \"b\" \\c""# + "\n")
        let list = MPDCommand.bytes([try MPDCommand("status"), try MPDCommand("currentsong")])
        #expect(
            String(decoding: list, as: UTF8.self) == "command_list_ok_begin\nstatus\ncurrentsong\ncommand_list_end\n"
        )
        for argument in ["a\nclear", "a\0", String(repeating: "x", count: 4_000)] {
            let error = #expect(throws: EarshotError.self) { try MPDCommand("addid", [argument]) }
            #expect(error?.code == .requestInvalid)
        }
    }

    @Test("the status of a daemon")
    func status() throws {
        let address = try MPDAddress("mpd://localhost")
        let pairs = [
            ("state", "pause"), ("elapsed", "12.345"), ("duration", "80.000"), ("error", "Failed to decode x"),
        ]
        .map { Pair(name: $0, value: $1) }
        let status = MusicPlayerStatus(pairs, item: nil, of: address)
        #expect(status.state == .paused && status.failure?.code == .assetUnreadable)
        #expect(status.position == MediaTime(value: 12_345, timescale: 1_000))
        let five = MediaTime(value: 5, timescale: 1)
        #expect(status.position(movedBy: five) == MediaTime(value: 17_345, timescale: 1_000))
        #expect(status.position(movedBy: .zero - five * 10) == .zero)
        #expect(status.position(movedBy: five * 100) == MediaTime(value: 80, timescale: 1))
        #expect(MusicPlayerStatus([], item: nil, of: address).state == .stopped)
    }
}
