import EarshotBroadcast
import EarshotMusic
import Foundation
import TestSupport
import Testing

/// What a service says of programmes, as JSON.
@Suite("Guide model")
struct GuideModelTests {
    private static func decoded<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(json.utf8))
    }

    private static func name(_ text: String) -> String {
        #"{"text":"\#(text)","translations":{},"alternates":[]}"#
    }

    private static let channel =
        #"{"id":"123456789","tag":"00112233445566778899AABBCCDDEEFF","name":\#(name("Harbour One")),"#
        + #""callSign":"WHBR-DT","number":"5.1"}"#

    @Test("A work has identifier, tag, title and whether it is partial", .requirements("R-ACR-085"))
    func work() throws {
        let json = #"{"id":"w-1","tag":"ABCD","title":\#(Self.name("The Salt Road")),"kind":"film","isPartial":true}"#
        let work = try Self.decoded(VideoWork.self, json)
        #expect(work.id == "w-1" && work.tag == "ABCD" && work.title.text == "The Salt Road" && work.isPartial)
        #expect(work.kind == .film && work.genres.isEmpty && work.externalIdentifiers.isEmpty)
        let bare = try Self.decoded(VideoWork.self, #"{"id":"w-2","title":\#(Self.name("Gulls"))}"#)
        #expect(bare == VideoWork(id: "w-2", title: Name("Gulls")))
    }

    @Test("An airing has start, end, channel and program", .requirements("R-ACR-086"))
    func airing() throws {
        let json = """
            {"start":"2026-05-01T18:00:00Z","end":"2026-05-01T19:30:00Z","channel":\(Self.channel),\
            "program":{"id":"p-1","title":\(Self.name("Evening Film"))}}
            """
        let airing = try Self.decoded(Airing.self, json)
        #expect(airing.start == GuideSamples.evening && airing.end == GuideSamples.minute(90))
        #expect(airing.channel.id == "123456789" && airing.program.id == "p-1")
        #expect(!airing.isLive && !airing.isRepeat)
        #expect(throws: DecodingError.self) {
            try Self.decoded(Airing.self, json.replacingOccurrences(of: #""end""#, with: #""finish""#))
        }
    }

    @Test("A channel has identifier, tag, name, call sign and a number that is text", .requirements("R-ACR-087"))
    func channels() throws {
        let channel = try Self.decoded(BroadcastChannel.self, Self.channel)
        #expect(channel.id == "123456789" && channel.tag == "00112233445566778899AABBCCDDEEFF")
        #expect(channel.name.text == "Harbour One" && channel.callSign == "WHBR-DT" && channel.number == "5.1")
        for number in ["5.1", "5.10", "005", "12-2"] {
            var other = channel
            other.number = number
            let again = try JSONDecoder().decode(BroadcastChannel.self, from: JSONEncoder().encode(other))
            #expect(again.number == number && again == other)
        }
        // A number of JSON would lose the last digit of 5.10.
        #expect(throws: DecodingError.self) {
            try Self.decoded(BroadcastChannel.self, Self.channel.replacingOccurrences(of: #""5.1""#, with: "5.1"))
        }
    }

    @Test(
        "A program has identifier, tag, title and subtitle, with a work or without one",
        .requirements("R-ACR-088")
    )
    func programs() throws {
        let titles = #""title":\#(Self.name("Evening Film")),"subtitle":\#(Self.name("The Salt Road"))"#
        let without = try Self.decoded(Program.self, #"{"id":"p-1","tag":"T",\#(titles)}"#)
        #expect(without.id == "p-1" && without.tag == "T" && without.work == nil)
        #expect(without.title.text == "Evening Film" && without.subtitle?.text == "The Salt Road")
        let work = #"{"id":"w-1","tag":"W","title":\#(Self.name("The Salt Road")),"isPartial":true}"#
        let with = try Self.decoded(Program.self, #"{"id":"p-1",\#(titles),"work":\#(work)}"#)
        #expect(with.work?.id == "w-1" && with.work?.tag == "W" && with.work?.isPartial == true && with.tag == "")
        let empty = try Self.decoded(Program.self, #"{"id":"p-1",\#(titles),"work":null}"#)
        #expect(empty.work == nil)
    }

    @Test("What is known of a program is the same after encoding")
    func everything() throws {
        let program = try JSONDecoder().decode(Program.self, from: JSONEncoder().encode(GuideSamples.full))
        #expect(program == GuideSamples.full)
        let work = try JSONDecoder().decode(VideoWork.self, from: JSONEncoder().encode(GuideSamples.work))
        #expect(work == GuideSamples.work)
    }
}
