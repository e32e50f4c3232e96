import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("XMLTV writer")
struct XMLTVWriterTests {
    private static let alphabet: [String] = [
        "a", "Z", "7", " x", "&", "<", ">", "\"", "'", "]]>", "&amp;", "é", "ß", "日本", "🎬", "–", "#", "%",
    ]

    /// A text of one line, as a guide has it: no space at its ends, none doubled, and not empty.
    private static func line(_ random: inout SeededGenerator) -> String {
        "t"
            + (0..<Int.random(in: 0...8, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }
            .joined()
    }

    private static func maybe<Value>(_ random: inout SeededGenerator, _ value: (inout SeededGenerator) -> Value)
        -> Value?
    {
        Bool.random(using: &random) ? value(&random) : nil
    }

    private static func list<Value>(_ random: inout SeededGenerator, _ value: (inout SeededGenerator) -> Value)
        -> [Value]
    {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random) }
    }

    private static func name(_ random: inout SeededGenerator) -> Name {
        var name = Name(line(&random))
        for code in ["deu", "jpn", "nds"] where Bool.random(using: &random) {
            name.translations[code] = Bool.random(using: &random) ? name.text : line(&random)
        }
        for alternate in list(&random, line) where alternate != name.text && !name.alternates.contains(alternate) {
            name.alternates.append(alternate)
        }
        return name
    }

    private static func channel(_ random: inout SeededGenerator, _ number: Int) -> BroadcastChannel {
        let id = "\(line(&random)).\(number)"
        var channel = BroadcastChannel(
            id: EntityID(id),
            name: name(&random),
            callSign: maybe(&random) { _ in "WH\(number)-DT" },
            number: maybe(&random) { random in "\(Int.random(in: 1...99, using: &random)).\(number)" }
        )
        channel.icon = maybe(&random, line)
        channel.address = maybe(&random, line)
        channel.externalIdentifiers = [ExternalIdentifier(source: "xmltv", kind: "channel", value: id)]
        return channel
    }

    private static func program(_ random: inout SeededGenerator, _ number: Int) -> Program {
        var program = Program(
            id: EntityID("\(line(&random))-\(number)"),
            title: name(&random),
            subtitle: maybe(&random, name)
        )
        program.synopsis = maybe(&random) { random in Name(line(&random) + "\n\n\(line(&random))\r\t.") }
        program.categories = Array(Set(list(&random, line)))
        func count(_ random: inout SeededGenerator) -> Int? { maybe(&random) { Int.random(in: 1...400, using: &$0) } }
        var episode = Program.Episode(season: count(&random), episode: count(&random), part: count(&random))
        episode.onScreen = maybe(&random, line)
        (episode.seasonCount, episode.episodeCount) = (count(&random), count(&random))
        episode.partCount = count(&random)
        program.episode = episode == Program.Episode() ? nil : episode
        program.date =
            maybe(&random) { random in
                PartialDate(year: Int.random(in: 1...9999, using: &random), month: maybe(&random) { _ in 2 })
            } ?? nil
        program.duration = maybe(&random) { Int.random(in: 1...604_800_000, using: &$0) }
        program.credits = VideoCredit.Role.allCases.flatMap { role in
            list(&random) { random in
                VideoCredit(
                    role,
                    line(&random),
                    as: role == .actor ? maybe(&random, line) : nil,
                    isGuest: role == .actor && Bool.random(using: &random)
                )
            }
        }
        program.images = Array(Set(list(&random, line)))
        program.language = maybe(&random) { _ in "nds" } ?? maybe(&random) { _ in "deu" }
        program.countries = ["NOR", "Sápmi & more"].filter { _ in Bool.random(using: &random) }
        program.ratings = list(&random) {
            Program.Rating(system: Bool.random(using: &$0) ? line(&$0) : "", value: line(&$0))
        }
        // Those of episodes stand before the pages.
        program.externalIdentifiers = ["program", "series", "page"].map { kind in
            ExternalIdentifier(source: "s" + line(&random), kind: kind, value: line(&random))
        }
        .filter { _ in Bool.random(using: &random) }
        return program
    }

    @Test("What is written and read again is the same")
    func roundTrip() {
        property("guides written and read", rounds: 200) { random in
            let channels = (0..<Int.random(in: 1...3, using: &random)).map { Self.channel(&random, $0) }
            let programs = (0..<3).map { Self.program(&random, $0) }
            var airings: [Airing] = []
            for channel in channels {
                var time = GuideSamples.evening
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let start = time.addingTimeInterval(Double(Int.random(in: 0...3_600, using: &random)))
                    time = start.addingTimeInterval(Double(Int.random(in: 1...90_000, using: &random)))
                    airings.append(
                        Airing(
                            start: start,
                            end: time,
                            channel: channel,
                            program: programs.randomElement(using: &random) ?? programs[0],
                            isLive: Bool.random(using: &random),
                            isRepeat: Bool.random(using: &random)
                        )
                    )
                }
            }
            let writer = XMLTVWriter(
                generatorName: "g" + Self.line(&random),
                sourceName: Self.maybe(&random, Self.line)
            )
            let data = writer.data(channels: channels, airings: airings)
            let guide = try XMLTVReader().guide(in: data)
            return guide.channels == channels && guide.airings == airings && guide.notes.isEmpty
                && guide.generatorName == writer.generatorName && guide.sourceName == writer.sourceName
        }
    }

    @Test("Writing to a file gives the same bytes as in memory")
    func files() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString).xml")
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let channel = GuideSamples.channel("one", number: "5.1")
        let airings = (0..<500).map { number in
            GuideSamples.airing(channel, GuideSamples.full, Double(number), Double(number + 1))
        }
        let file = try FileHandle(forWritingTo: url)
        try XMLTVWriter().write(channels: [channel], airings: airings.lazy.map { $0 }, to: file)
        try file.close()
        let data = try Data(contentsOf: url)
        #expect(data == XMLTVWriter().data(airings: airings) && data.count > 65_536 * 4)
        let closed = try FileHandle(forReadingFrom: url)
        let error = #expect(throws: EarshotError.self) {
            try XMLTVWriter().write(channels: [channel], airings: airings, to: closed)
        }
        #expect(error?.code == .writeFailed)
    }

    @Test("What XML cannot hold is left out, and nothing a text holds becomes markup")
    func hostile() throws {
        let text = "\u{0}\u{1}\u{8}<!-- --><![CDATA[x]]>&lt;\u{FFFE}\u{FFFF}</title>\u{B}\u{1F}"
        var program = GuideSamples.program("p\u{0}\"<>&'", text)
        program.images = ["https://example.org/?a=1&b=\"2\"\n<"]
        let channel = BroadcastChannel(id: "c\"\n<&\u{2}", name: Name(text))
        let data = XMLTVWriter().data(airings: [GuideSamples.airing(channel, program, 0, 1)])
        let guide = try XMLTVReader().guide(in: data)
        #expect(guide.programs.first?.title.text == "<!-- --><![CDATA[x]]>&lt;</title>")
        #expect(guide.channels.first?.id == "c\" <&")
        #expect(guide.slots.count == 1 && guide.notes.isEmpty)
    }
}
