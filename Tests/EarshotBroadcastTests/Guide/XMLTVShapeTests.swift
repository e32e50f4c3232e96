import EarshotBroadcast
import EarshotMusic
import Foundation
import TestSupport
import Testing

/// Guides in the shapes that programs write them in. The contents are invented.
@Suite("XMLTV as programs write it")
struct XMLTVShapeTests {
    @Test("A guide made of a data service: numbers and call signs as names, programme numbers, parts, ratings")
    func dataService() throws {
        let guide = try XMLTVReaderTests.read(
            """
              <channel id="I101.json.example.org">
                <display-name>101 HBR1</display-name>
                <display-name>HBR1</display-name>
                <display-name>101</display-name>
                <icon src="https://example.org/l/101.png" width="360" height="270" />
              </channel>
              <programme start="20260501180000 +0000" stop="20260501183000 +0000" channel="I101.json.example.org">
                <title lang="en">Gull Street</title>
                <sub-title lang="en">The Lamp</sub-title>
                <desc lang="en">A lamp goes out.</desc>
                <credits><director>Ola Brandt</director><actor role="Nan">Mia Ferro</actor></credits>
                <date>20190304</date>
                <category lang="en">series</category>
                <length units="minutes">30</length>
                <url>https://example.org/gull</url>
                <episode-num system="dd_progid">EP01234567.0003</episode-num>
                <episode-num system="xmltv_ns">0.2.</episode-num>
                <episode-num system="onscreen">S01E03</episode-num>
                <video><quality>HDTV</quality></video><audio><stereo>stereo</stereo></audio>
                <previously-shown start="20190304" />
                <subtitles type="teletext" />
                <rating system="VCHIP"><value>TV-PG</value></rating>
              </programme>
              <programme start="20260502180000 +0000" stop="20260502183000 +0000" channel="I101.json.example.org">
                <title lang="en">Gull Street</title>
                <episode-num system="dd_progid">EP01234567.0003</episode-num>
              </programme>
            """,
            head: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tv SYSTEM \"xmltv.dtd\">\n\n"
        )
        #expect(guide.channels.first?.name.text == "101 HBR1")
        #expect(guide.channels.first?.number == "101" && guide.channels.first?.callSign == "HBR1")
        #expect(guide.programs.count == 1 && guide.airings.map(\.isRepeat) == [true, false])
        #expect(guide.programs.first?.title.translations == ["eng": "Gull Street"])
        #expect(guide.notes.isEmpty)
    }

    @Test("A guide in ISO 8859-1, with local time and no ends")
    func latin() throws {
        let text = """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <!DOCTYPE tv SYSTEM "xmltv.dtd">
            <tv source-info-url="http://example.org/" source-info-name="T\u{E9}l\u{E9}" generator-info-name="XMLTV">
              <channel id="C1.example.fr"><display-name>La Une \u{E9}t\u{E9}</display-name></channel>
              <programme start="20260501200000 +0200" showview="123456" channel="C1.example.fr">
                <title>Le go\u{EB}land</title><category lang="fr">S\u{E9}rie</category>
                <desc lang="fr">Une \u{EE}le.</desc>
                <episode-num system="xmltv_ns">1.6.0/1</episode-num>
                <rating system="CSA"><value>Tout public</value></rating>
              </programme>
              <programme start="20260501205500 +0200" channel="C1.example.fr"><title>M\u{E9}t\u{E9}o</title></programme>
            </tv>
            """
        let guide = try XMLTVReader().guide(in: #require(text.data(using: .isoLatin1)))
        #expect(guide.sourceName == "Télé" && guide.channels.first?.name.text == "La Une été")
        #expect(guide.airings.map(\.program.title.text) == ["Le goëland", "Météo"])
        #expect(guide.airings.map(\.start) == [GuideSamples.minute(0), GuideSamples.minute(55)])
        #expect(guide.airings.first?.end == GuideSamples.minute(55))
        #expect(guide.programs.first?.episode?.episode == 6)
    }

    @Test("A guide of a web grabber: a byte order mark, several episode systems, names in two languages")
    func webGrabber() throws {
        let text = """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
            <tv generator-info-name="Grabber/V3 -- made by hand" generator-info-url="http://example.org">
              <channel id="Harbor.TV"><display-name lang="sv">Hamn-TV</display-name>
                <icon src="https://example.org/hamn.png" /><url>http://www.example.org</url></channel>
              <programme start="20260501200000 +0200" stop="20260501210000 +0200" channel="Harbor.TV">
                <title lang="sv">Fyren</title><title lang="xx">Lighthouse</title><sub-title lang="sv">Del 2</sub-title>
                <desc lang="sv">Om en fyr.(n)</desc>
                <credits><actor>Nils Ek (Fyrvaktaren)</actor><producer>X</producer></credits>
                <category lang="sv">Drama</category>
                <icon src="https://example.org/f.jpg" />
                <episode-num system="onscreen">S1 E2/8</episode-num>
                <episode-num system="xmltv_ns">0.1/8.0/1</episode-num>
                <episode-num system="imdb.com">title/tt0000001</episode-num>
                <star-rating><value>7/10</value></star-rating>
              </programme>
            </tv>
            """
        let guide = try XMLTVReader().guide(in: Data(text.utf8))
        let program = try #require(guide.programs.first)
        #expect(program.title == Name("Fyren", translations: ["swe": "Fyren"], alternates: ["Lighthouse"]))
        #expect(program.episode?.episodeCount == 8 && program.episode?.onScreen == "S1 E2/8")
        #expect(program.externalIdentifiers == [.init(source: "imdb.com", kind: "title", value: "tt0000001")])
        #expect(guide.airings.first?.start == GuideSamples.evening && guide.notes.isEmpty)
    }

    @Test("The export of a recorder: one line, channels by number, overlaps of a minute, no document type")
    func recorder() throws {
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><tv generator-info-name=\"Recorder-4.3\" source-info-name=\"x\">"
            + "<channel id=\"0123456789abcdef0123456789abcdef\"><display-name>Das Eine HD</display-name>"
            + "<display-name>1</display-name><icon src=\"imagecache/12\"/></channel>"
            + "<programme start=\"20260501200000 +0200\" stop=\"20260501201600 +0200\" "
            + "channel=\"0123456789abcdef0123456789abcdef\"><title lang=\"ger\">Nachrichten</title></programme>"
            + "<programme start=\"20260501201500 +0200\" stop=\"20260501214500 +0200\" "
            + "channel=\"0123456789abcdef0123456789abcdef\"><title lang=\"ger\">Tatort Watt</title>"
            + "<sub-title lang=\"ger\">Ebbe</sub-title><category lang=\"en\">Movie / Drama</category><new/></programme></tv>"
        let guide = try XMLTVReader().guide(in: Data(text.utf8))
        #expect(guide.channels.first?.number == "1" && guide.channels.first?.name.text == "Das Eine HD")
        #expect(guide.airings.map(\.end) == [GuideSamples.minute(15), GuideSamples.minute(105)])
        #expect(guide.programs.last?.title.translations == ["deu": "Tatort Watt"])
        #expect(guide.notes.map(\.line) == [1] && guide.notes.first?.reason.contains("cut by") == true)
    }

    @Test("A guide with its texts in CDATA, a windows encoding, and hours without zones")
    func packages() throws {
        let text = """
            <?xml version="1.0" encoding="windows-1252"?>
            <tv><channel id="1"><display-name><![CDATA[Kanal & Co \u{20AC}]]></display-name></channel>
            <programme channel="1" start="202605011800" stop="202605011900"><title><![CDATA[Kochen <live>]]></title>
            <desc lang="de"><![CDATA[Erste Zeile
            Zweite]]> &#38; mehr</desc></programme></tv>
            """
        let guide = try XMLTVReader().guide(in: #require(text.data(using: .windowsCP1252)))
        #expect(guide.channels.first?.name.text == "Kanal & Co €")
        #expect(guide.programs.first?.title.text == "Kochen <live>")
        #expect(guide.programs.first?.synopsis?.text == "Erste Zeile\nZweite & mehr")
        #expect(guide.slots.first?.start == GuideSamples.evening)
    }
}
