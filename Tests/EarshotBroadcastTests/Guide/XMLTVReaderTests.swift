import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("XMLTV reader")
struct XMLTVReaderTests {
    static func read(
        _ body: String,
        _ reader: XMLTVReader = XMLTVReader(),
        head: String = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tv SYSTEM \"xmltv.dtd\">"
    ) throws -> XMLTVGuide {
        try reader.guide(in: Data("\(head)\n<tv>\n\(body)\n</tv>\n".utf8))
    }

    private static func refusal(_ text: String, _ reader: XMLTVReader = XMLTVReader()) -> EarshotError? {
        #expect(throws: EarshotError.self) { try reader.guide(in: Data(text.utf8)) }
    }

    // MARK: - Times

    @Test(
        "Times are read with any leading part and any zone that guides use",
        arguments: [
            ("20260501180000 +0000", 0), ("20260501200000 +0200", 0), ("20260501200000 +02:00", 0),
            ("20260501133000 -0430", 0), ("20260501180000", 0), ("202605011800", 0), ("2026050118", 0),
            ("20260501", -18 * 3_600), ("202605", -18 * 3_600), ("2026", -(120 * 86_400) - 18 * 3_600),
            ("20260501180000 UTC", 0), ("20260501180000 gmt", 0), ("20260501180000Z", 0), ("20260501190000 BST", 0),
            ("20260501190000 CET", 0), ("20260501200000 CEST", 0), ("20260501130000 EST", 0),
            ("20260501140000 EDT", 0), ("20260501100000 PST", 0), ("20260501110000 PDT", 0),
            ("20260501200000+0200", 0), ("202605012000 +0200", 0), ("20260430240000 +0000", -18 * 3_600),
            ("20260502030000 +09", 0),
        ]
    )
    func times(text: String, seconds: Int) {
        #expect(XMLTVTime.date(text) == GuideSamples.evening.addingTimeInterval(Double(seconds)))
    }

    @Test(
        "What is no time is none",
        arguments: [
            "", "now", "202", "20261", "20261301", "20260230", "20260501250000", "20260501236000", "20260501240001",
            "20260501180000 XYZ", "20260501180000 +1", "20260501180000 +9900", "20260501180000 +01x0",
            "2026050118000000", "0001 +0100", "99991231235959 -0100", "-20260501", "２０２６0501",
        ]
    )
    func noTimes(text: String) {
        #expect(XMLTVTime.date(text) == nil)
    }

    @Test("A time that is written is read as the same instant")
    func timeRoundTrip() {
        property("times of guides") { random in
            let date = Date(
                timeIntervalSince1970: Double(Int64.random(in: -62_135_596_800...253_402_300_799, using: &random))
            )
            return XMLTVTime.date(XMLTVTime.text(date)) == date
        }
        #expect(XMLTVTime.text(GuideSamples.evening) == "20260501180000 +0000")
        #expect(XMLTVTime.text(Date(timeIntervalSince1970: -0.5)) == "19691231235959 +0000")
        #expect(XMLTVTime.text(Date(timeIntervalSince1970: 951_782_400)) == "20000229000000 +0000")
        #expect(XMLTVTime.text(.distantPast.addingTimeInterval(-1e15)).hasPrefix("0001"))
    }

    // MARK: - Contents

    @Test("All that the model holds is read from a programme")
    func contents() throws {
        let guide = try Self.read(
            """
            <channel id="one.example">
              <display-name lang="en">Harbour One</display-name><display-name lang="de">Hafen Eins</display-name>
              <display-name>5.1</display-name><display-name>WHBR-DT</display-name><display-name>H1</display-name>
              <icon src="https://example.org/1.png" width="10"/><icon src="https://example.org/2.png"/>
              <url>https://example.org/</url>
            </channel>
            <programme start="20260501180000 +0000" stop="20260501193000 +0000" channel="one.example" showview="12">
              <title lang="no">Saltveien</title><title lang="en">The Salt Road</title><title>Salt</title>
              <sub-title lang="nob">Regn</sub-title>
              <desc lang="en">Two drivers &amp; one road.
            It rains.</desc>
              <credits>
                <director>Ines Okoye</director>
                <actor role="Salt" guest="yes">Per Lind<image type="person">https://example.org/p.jpg</image></actor>
                <presenter>  Ana
                  Ruiz </presenter><stuntman>Nobody</stuntman><writer/>
              </credits>
              <date>19990512</date><category lang="en">Drama</category><category>Drama</category><category>Film</category>
              <keyword lang="en">live</keyword><language>English</language><orig-language>no</orig-language>
              <length units="minutes">90</length><icon src="https://example.org/i.jpg"/>
              <url>https://example.org/salt</url><url system="films">https://films.example/1</url>
              <country>NO</country><country>Sápmi</country>
              <episode-num system="xmltv_ns"> 1/3 . 4 . 0/2 </episode-num><episode-num>S2 E5 (1)</episode-num>
              <episode-num system="dd_progid">EP00112233.0005</episode-num>
              <episode-num system="thetvdb.com">series/4711</episode-num>
              <video><aspect>16:9</aspect></video><previously-shown start="20200101"/><new/>
              <rating system="FSK"><value>12</value></rating><rating><value>PG</value></rating>
              <star-rating><value>3/5</value></star-rating><image type="poster">https://example.org/p.jpg</image>
            </programme>
            """
        )
        #expect(guide.notes.isEmpty)
        let channel = try #require(guide.channels.first)
        #expect(
            channel.name
                == Name("Harbour One", translations: ["eng": "Harbour One", "deu": "Hafen Eins"], alternates: ["H1"])
        )
        #expect(channel.number == "5.1" && channel.callSign == "WHBR-DT")
        #expect(channel.icon == "https://example.org/1.png" && channel.address == "https://example.org/")
        #expect(channel.externalIdentifiers == [.init(source: "xmltv", kind: "channel", value: "one.example")])
        let airing = try #require(guide.airings.first)
        #expect(airing.start == GuideSamples.evening && airing.end == GuideSamples.minute(90))
        #expect(airing.isLive && airing.isRepeat && airing.channel == channel)
        let program = airing.program
        #expect(
            program.title.text == "Saltveien"
                && program.title.translations == ["nor": "Saltveien", "eng": "The Salt Road"]
        )
        #expect(program.title.alternates == ["Salt"] && program.subtitle?.translations == ["nob": "Regn"])
        #expect(program.synopsis?.text == "Two drivers & one road.\nIt rains.")
        #expect(
            program.credits == [
                VideoCredit(.director, "Ines Okoye"), VideoCredit(.actor, "Per Lind", as: "Salt", isGuest: true),
                VideoCredit(.presenter, "Ana Ruiz"),
            ]
        )
        #expect(program.date == PartialDate(year: 1999, month: 5, day: 12) && program.categories == ["Drama", "Film"])
        #expect(program.language == nil && program.duration == 5_400_000 && program.countries == ["NOR", "Sápmi"])
        #expect(program.images == ["https://example.org/i.jpg", "https://example.org/p.jpg"])
        var episode = Program.Episode(season: 1, episode: 4, part: 0, onScreen: "S2 E5 (1)")
        (episode.seasonCount, episode.partCount) = (3, 2)
        #expect(program.episode == episode)
        #expect(program.ratings == [.init(system: "FSK", value: "12"), .init(system: "", value: "PG")])
        #expect(
            program.externalIdentifiers == [
                .init(source: "dd_progid", kind: "program", value: "EP00112233.0005"),
                .init(source: "thetvdb.com", kind: "series", value: "4711"),
                .init(source: "url", kind: "page", value: "https://example.org/salt"),
                .init(source: "films", kind: "page", value: "https://films.example/1"),
            ]
        )
    }

    @Test(
        "Numbers of episodes may lack any part",
        arguments: [
            ("1.2.", [1, nil, 2, nil, nil, nil]), (".5.", [nil, nil, 5, nil, nil, nil]),
            ("0.10/12.1/3", [0, nil, 10, 12, 1, 3]), ("..0/2", [nil, nil, nil, nil, 0, 2]),
            ("3", [3, nil, nil, nil, nil, nil]),
            ("/4.x.-1", [nil, 4, nil, nil, nil, nil]), ("1 . 2 . 3", [1, nil, 2, nil, 3, nil]),
            ("9999999.1.1", [nil, nil, 1, nil, 1, nil]),
        ] as [(String, [Int?])]
    )
    func episodes(text: String, numbers: [Int?]) throws {
        let guide = try Self.read(
            """
            <programme start="20260501" channel="a"><title>T</title>
            <episode-num system="xmltv_ns">\(text)</episode-num></programme>
            """
        )
        let episode = try #require(guide.programs.first?.episode)
        #expect(
            [
                episode.season, episode.seasonCount, episode.episode, episode.episodeCount, episode.part,
                episode.partCount,
            ]
                == numbers
        )
    }

    @Test("Repeats of an episode are one programme with several airings; other episodes are others")
    func identity() throws {
        func programme(_ hour: Int, _ inner: String) -> String {
            "<programme start=\"20260501\(hour)0000\" stop=\"20260501\(hour)5900\" channel=\"a\"><title>Gulls</title>\(inner)</programme>"
        }
        func count(_ first: String, _ second: String) throws -> Int {
            let guide = try Self.read(programme(10, first) + programme(12, second))
            #expect(guide.slots.count == 2 && guide.notes.count == 1)
            return guide.programs.count
        }
        func number(_ system: String, _ text: String) -> String {
            "<episode-num system=\"\(system)\">\(text)</episode-num>"
        }
        let (two, three) = (number("xmltv_ns", "0.1."), number("xmltv_ns", "0.2."))
        #expect(try count(two + "<desc>a</desc>", two + "<desc>b</desc>") == 1)
        #expect(try count(two, three) == 2)
        #expect(try count(two, two + "<sub-title>x</sub-title>") == 1)
        #expect(try count("<sub-title>x</sub-title>", "<sub-title>X</sub-title><desc>b</desc>") == 1)
        #expect(try count("<sub-title>x</sub-title>", "<sub-title>y</sub-title>") == 2)
        #expect(try count(number("dd_progid", "EP01.2"), number("dd_progid", "EP01.2") + three) == 1)
        #expect(try count(number("dd_progid", "EP01.2"), number("dd_progid", "EP01.3")) == 2)
        // That of a series says nothing of the episode.
        #expect(try count(number("dd_progid", "SH01.0000") + two, number("dd_progid", "SH01.0000") + three) == 2)
        #expect(try count("<desc>a</desc>", "<desc>a</desc>") == 1)
        #expect(try count("<desc>a</desc>", "<desc>b</desc>") == 2)
        #expect(try count("<date>1950</date>", "<date>1990</date>") == 2)
        #expect(try count(number("onscreen", "E1"), number("onscreen", "E2")) == 2)
        // What one lacks the other has.
        let filled = try Self.read(programme(10, two) + programme(12, two + "<desc>b</desc><category>c</category>"))
        #expect(filled.programs.first?.synopsis?.text == "b" && filled.programs.first?.categories == ["c"])
        #expect(
            filled.programs == (try Self.read(programme(10, two + "<desc>b</desc><category>c</category>"))).programs
        )
    }

    @Test("Entries that make no sense are passed over, and noted with their line")
    func notes() throws {
        let guide = try Self.read(
            """
            <channel><display-name>Nameless</display-name></channel>
            <channel id="a"><display-name>A</display-name></channel>
            <channel id="a"><display-name>Again</display-name></channel>
            <programme start="20260501100000" stop="20260501110000" channel="a"><title>Good</title></programme>
            <programme start="20260501120000"><title>Nowhere</title></programme>
            <programme start="soon" channel="a"><title>Never</title></programme>
            <programme start="20260501130000" channel="a"><desc>Untitled</desc></programme>
            <programme start="20260501140000" stop="20260501130000" channel="a"><title>Backwards</title></programme>
            <programme start="20260501150000" stop="20270501130000" channel="a"><title>Endless</title></programme>
            <programme start="20260501160000" stop="later" channel="b"><title>Elsewhere</title></programme>
            <unknown><programme start="20260501160000" channel="z"><title>Hidden</title></programme></unknown>
            """
        )
        #expect(guide.notes.map(\.line) == [4, 6, 8, 9, 10, 11, 12, 13, 13])
        #expect(guide.noteCount == 9 && guide.notes.allSatisfy { $0.reason.hasSuffix(".") })
        #expect(guide.notes.first?.description.hasPrefix("Line 4: ") == true)
        #expect(guide.channels.map(\.name.text) == ["A", "b"])
        #expect(guide.airings.map(\.program.title.text) == ["Good", "Backwards", "Endless", "Elsewhere"])
        var limits = XMLTVReader.Limits()
        limits.notes = 2
        let few = try Self.read(String(repeating: "<channel/>\n", count: 5), XMLTVReader(limits: limits))
        #expect(few.notes.count == 2 && few.noteCount == 5)
    }

    // MARK: - Damage and limits

    @Test(
        "What is no guide, or is damaged, is refused with the line",
        arguments: [
            ("", 1), ("   ", 1), ("no XML", 1), ("<html><body/></html>", 1), ("<tv>\n<channel id=\"a\">", 2),
            ("<tv>\n\n<channel id=a/></tv>", 3), ("<tv>\n<programme></channel></tv>", 2), ("<tv>\n&nothing;</tv>", 2),
            ("<tv></tv>\n<tv></tv>", 2), ("<?xm?>\n<tv/>", 1), ("<tv>\n<?rt?></tv>", 2), ("<tv>\n\u{1}</tv>", 2),
        ]
    )
    func damage(text: String, line: Int) {
        let error = Self.refusal(text)
        #expect(error?.code == .metadataInvalid)
        #expect(error?.message.contains("line \(line):") == true, "\(error?.message ?? "")")
    }

    @Test("Entities of a file's own are refused, those of other files never read")
    func entities() throws {
        let secret = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
        try Data("SECRET".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        var bomb = "<!DOCTYPE tv [<!ENTITY a0 \"aaaaaaaaaa\">"
        for level in 1...9 {
            bomb += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        for head in [
            bomb + "]>", "<!DOCTYPE tv [<!ENTITY a9 SYSTEM \"file://\(secret.path)\">]>",
            "<!DOCTYPE tv [<!ENTITY % p SYSTEM \"file://\(secret.path)\"> %p;]>",
        ] {
            let error = #expect(throws: EarshotError.self) {
                try Self.read("<channel id=\"a\"><display-name>&a9;</display-name></channel>", head: head)
            }
            #expect(error?.code == .metadataInvalid)
            #expect(error?.message.contains("entities") == true, "\(error?.message ?? "")")
        }
        for (head, inner) in [
            ("", "&nbsp;"), ("", "A & B"), ("", "&amp"), ("<?xml version=\"1.0\" encoding=\"UTF-7\"?>", "a"),
            ("<?xml version=\"1.0\" encoding=\"UTF-16\"?>", "a"),
            ("<?xml version=\"1.0\" encodingiso-8859-=\"UTF-8\"?>", "a"), ("<?xml encoding=\"UTF-8\"?>", "a"),
            ("<?xml version=\"1.0\" encoding=\"iso-8859-99\"?>", "a"), ("", "\u{0}"), ("<!ENTITY a \"b\">", "a"),
        ] {
            let error = #expect(throws: EarshotError.self) {
                try Self.read("<channel id=\"a\"><display-name>\(inner)</display-name></channel>", head: head)
            }
            #expect(error?.code == .metadataInvalid)
        }
        let kept = try Self.read(
            "<!-- a & &b; --><channel id=\"a\"><display-name><![CDATA[&c; & d]]></display-name></channel>"
        )
        #expect(kept.channels.first?.name.text == "&c; & d")
        // The document type itself may be anywhere: it is not looked up.
        let guide = try Self.read(
            "<channel id=\"a\"><display-name>A&amp;&#66;</display-name></channel>",
            head: "<!DOCTYPE tv SYSTEM \"http://127.0.0.1:9/xmltv.dtd\">"
        )
        #expect(guide.channels.first?.name.text == "A&B")
    }

    @Test("Depth, texts and counts have limits")
    func limits() throws {
        var limits = XMLTVReader.Limits()
        (limits.depth, limits.textSize, limits.elements, limits.channels, limits.programmes) = (5, 100, 20, 3, 3)
        let reader = XMLTVReader(limits: limits)
        func programme(_ hour: Int, _ inner: String) -> String {
            "<programme start=\"20260501\(hour)\" channel=\"a\"><title>T\(hour)</title>\(inner)</programme>\n"
        }
        let deep =
            "<tv>\n" + programme(10, "<a><b><c></c></b></a>") + programme(11, "<a><b><c><d/></c></b></a>") + "</tv>"
        let error = Self.refusal(deep, reader)
        #expect(error?.code == .metadataInvalid && error?.message.contains("line 3:") == true)
        #expect(throws: EarshotError.self) { try Self.read(String(repeating: "<x>", count: 100_000)) }
        let long = String(repeating: "é", count: 51)
        let guide = try Self.read(
            programme(10, "<desc>\(long)</desc>") + programme(11, "<icon src=\"\(long)\"/>")
                + programme(12, String(repeating: "<category>c</category>", count: 30)) + programme(13, ""),
            reader
        )
        #expect(guide.airings.map(\.program.title.text) == ["T13"])
        #expect(guide.notes.map(\.line) == [4, 5, 6, 7])
        for text in [
            "<channel id=\"c%\"/>\n", "<programme start=\"20260501\" channel=\"c%\"><title>t</title></programme>\n",
        ] {
            let many = (1...4).map { text.replacingOccurrences(of: "%", with: "\($0)") }
            #expect(Self.refusal("<tv>" + many.joined() + "</tv>", reader)?.message.contains("more than 3") == true)
            #expect(throws: Never.self) { try Self.read(many.prefix(3).joined(), reader) }
        }
    }

    @Test("Damaged guides are read or refused, never more")
    func mutations() throws {
        let airings = [GuideSamples.airing(GuideSamples.channel("one", number: "5.1"), GuideSamples.full, 0, 90)]
        let whole = [UInt8](XMLTVWriter(sourceName: "Test").data(airings: airings))
        property("damaged guides", rounds: 300) { random in
            do throws(EarshotError) {
                let guide = try XMLTVReader().guide(in: Data(random.mutated(whole)))
                return guide.airings.count == guide.slots.count && guide.slots.allSatisfy { $0.start < $0.end }
            } catch {
                return error.code == .metadataInvalid
            }
        }
    }

    @Test("A file is read from the disk in pieces, and what is no file is refused")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("guide.xml")
        let text = (0..<4_000).map { number in
            let start = XMLTVTime.text(GuideSamples.minute(Double(number)))
            return "<programme start=\"\(start)\" channel=\"a\"><title>Számú műsor \(number)</title></programme>"
        }
        try Data(("<tv>\n" + text.joined(separator: "\n") + "\n</tv>").utf8).write(to: url)
        let guide = try XMLTVReader().guide(contentsOf: url)
        #expect(guide.programs.count == 4_000 && guide.slots.count == 4_000)
        #expect(guide.programs.last?.title.text == "Számú műsor 3999")
        for (path, code) in [("none.xml", EarshotError.Code.assetNotFound), ("", .assetIsDirectory)] {
            let error = #expect(throws: EarshotError.self) {
                try XMLTVReader().guide(contentsOf: folder.appendingPathComponent(path))
            }
            #expect(error?.code == code)
        }
        let half = try Data(contentsOf: url).prefix(100_000)
        let error = #expect(throws: EarshotError.self) { try XMLTVReader().guide(in: half, named: "half.xml") }
        #expect(error?.message.hasPrefix("half.xml, line ") == true)
    }
}
