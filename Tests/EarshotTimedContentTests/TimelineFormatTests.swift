import EarshotCatalogs
import EarshotCore
import EarshotTimedContent
import Foundation
import TestSupport
import Testing

@Suite("Files of timed content")
struct TimelineFormatTests {
    private func read(_ text: String, _ format: TimedContentFormat? = nil, name: String? = nil) throws -> Timeline {
        try Timeline(data: Data(text.utf8), format: format, name: name)
    }

    /// Start, end and title of every entry.
    private func rows(_ timeline: Timeline) -> [String] {
        timeline.entries.map { entry in
            [entry.id, TimeText.string(entry.start), entry.end.map(TimeText.string) ?? "", entry.title]
                .joined(separator: "|")
        }
    }

    @Test("WebVTT: cues of text and of metadata; comments, styles and regions are passed over")
    func vtt() throws {
        let text = """
            WEBVTT - a title
            Kind: metadata

            NOTE a comment
            with --  two lines

            STYLE
            ::cue { color: red }

            REGION
            id:fred

            intro
            00:01.000 --> 00:04.500 align:start line:0
            <v Ada>Tom &amp; <b>Jerry</b>
            go on

            01:00:02.000-->01:00:03.000
            {"lat": 1.5, "name": "Berlin", "tags": ["a", null_is_not_json]}

            q
            01:00:05.000 --> 01:00:09.000
            {"title": "Sum", "requiresAnswer": true, "answerRange": [3606, 3608],
             "parts": [{"start": 3606, "title": "2"}], "payload": {"left": 2}}

            01:00:10.000 --> 01:00:11.000
            {"lat": 1.5, "name": "Berlin"}
            """
        let timeline = try read(text)
        #expect(
            rows(timeline) == [
                "intro|0:01|0:04.5|Tom & Jerry\ngo on",
                "1|1:00:02|1:00:03|{\"lat\": 1.5, \"name\": \"Berlin\", \"tags\": [\"a\", null_is_not_json]}",
                "q|1:00:05|1:00:09|Sum", "2|1:00:10|1:00:11|Berlin",
            ]
        )
        #expect(timeline.entries[0].payload == ["settings": "align:start line:0"])
        #expect(timeline.entries[2].answerRange == at(3606)..<at(3608))
        #expect(timeline.entries[2].parts.map(\.title) == ["2"])
        #expect(timeline.entries[2].payload == ["left": 2])
        #expect(timeline.entries[3].payload == ["lat": .real(1.5), "name": "Berlin"])
    }

    @Test("LRC: several times a line, an offset, words, lines that clear the screen, and what the tags say")
    func lrc() throws {
        let text = """
            [ar:Some One]
            [ti: A Song ]
            [length:03:20]
            [offset:+500]
            # a comment
            [00:10.00][01:10.50]Chorus [x2]
            [00:20.5]<00:20.5> Hello <00:21.00> big <00:21.75>world <00:23.00>

            [00:40]Last
            [00:45.250]
            """
        let timeline = try read(text)
        #expect(
            rows(timeline) == [
                "1|0:09.5||Chorus [x2]", "2|0:20|0:22.5|Hello big world", "3|0:39.5|0:44.75|Last",
                "4|1:10||Chorus [x2]",
            ]
        )
        #expect(timeline.entries[1].parts.map(\.title) == ["Hello", "big", "world"])
        #expect(timeline.entries[1].parts.map(\.start) == [at(20), at(20.5), at(21.25)])
        #expect(timeline.metadata == ["ar": "Some One", "ti": "A Song", "length": "03:20"])
        #expect(rows(try read("[offset:2000]\n[00:01.00]x\n[00:01.50]y")) == ["1|0:00||x", "2|0:00||y"])
        #expect(rows(try read("[offset:-250]\n[00:01.00]x")) == ["1|0:01.25||x"])
    }

    @Test("Podcast chapters keep pictures, addresses and places")
    func chapters() throws {
        let text = """
            { "version": "1.2.0", "title": "Episode",
              "chapters": [
                { "startTime": 0, "title": "Intro" },
                { "startTime": 168.5, "endTime": 200, "title": "Two", "img": "https://example.org/a.png", "toc": false,
                  "url": "https://example.org", "location": { "name": "Here", "geo": "geo:1,2" }, "extra": null } ] }
            """
        let timeline = try read(text)
        #expect(rows(timeline) == ["1|0:00||Intro", "2|2:48.5|3:20|Two"])
        #expect(timeline.metadata == ["title": "Episode"])
        #expect(
            timeline.entries[1].payload == [
                "img": "https://example.org/a.png", "toc": false, "url": "https://example.org",
                "location": ["name": "Here", "geo": "geo:1,2"],
            ]
        )
    }

    @Test(
        "Tables with commas, semicolons or tabs and any usual header",
        arguments: [
            "start,end,title,id,colour\r\n0:14,,\"a \"\"b\"\", c\",x,red\r\n75.5,1:20,\"two\r\nlines\",,\r\n",
            "Time;Stop;Text;ID;colour\n14;;\"a \"\"b\"\", c\";x;red\n\n75,5;80;\"two\r\nlines\";;\n",
            "offset\tend\tname\tid\tcolour\r14s\t\t\"a \"\"b\"\", c\"\tx\tred\r1m15.5s\t80\t\"two\r\nlines\"",
            "\u{FEFF}BEGIN,end,title,id,colour\n14.0,,\"a \"\"b\"\", c\",x,red\n75.5,80,\"two\r\nlines\",\n,,,,\n",
        ]
    )
    func csv(text: String) throws {
        let timeline = try read(text)
        #expect(rows(timeline) == ["x|0:14||a \"b\", c", "1|1:15.5|1:20|two\r\nlines"])
        #expect(timeline.entries[0].payload == ["colour": "red"])
        #expect(timeline.entries[1].payload.isEmpty)
    }

    @Test("FFmpeg's metadata text, as FFmpeg writes it")
    func ffmetadata() throws {
        let text = """
            ;FFMETADATA1
            title=A \\= B
            # a comment
            [STREAM]
            title=no
            [CHAPTER]
            TIMEBASE=1/1000
            START=1500
            END=2500
            title=One\\; two\\
            three
            [CHAPTER]
            START=3000000000
            END=4000000000
            genre=x
            """
        let timeline = try read(text)
        #expect(timeline.metadata == ["title": "A = B"])
        #expect(rows(timeline) == ["1|0:01.5|0:02.5|One; two\nthree", "2|0:03|0:04|"])
        #expect(timeline.entries[1].payload == ["genre": "x"])
    }

    @Test("The form is told by content, and by suffix where the content does not say")
    func detection() {
        func form(_ text: String, _ name: String? = nil) -> TimedContentFormat? {
            .detect(Data(text.utf8), name: name)
        }
        #expect(form("\u{FEFF}WEBVTT\n", "x.txt") == .vtt)
        #expect(form("{\"entries\": []}") == .json)
        #expect(form("[\n{\"offset\": 1}]") == .json)
        #expect(form("[ {\"offset\": 1, \"payload\": {\"chapters\": 1}}]") == .json)
        #expect(form("{\n\"version\": \"1.2.0\",\n\"chapters\": []}", "c.json") == .chapters)
        #expect(form("\n[ar:x]\n[00:01.00]x") == .lrc)
        #expect(form("time;text\n") == .csv)
        #expect(form(";FFMETADATA1\n") == .ffmetadata)
        #expect(form("anything", "song.LRC") == .lrc)
        #expect(form("", "a/b.c/x.tsv") == .csv)
        #expect(form("anything") == nil)
        #expect(form("anything", "lrc") == nil)
        #expect(code { _ = try read("anything") } == .timelineInvalid)
    }

    @Test("UTF-8 and UTF-16 with a mark, and every kind of line end")
    func encodings() throws {
        for end in ["\n", "\r", "\r\n"] {
            let text = ["[ti:Lied]", "[00:01.00]Grüße 日本 🎵", ""].joined(separator: end)
            let expected = ["1|0:01||Grüße 日本 🎵"]
            #expect(rows(try read(text)) == expected)
            #expect(rows(try read("\u{FEFF}" + text)) == expected)
            let units = Array(("\u{FEFF}" + text).utf16)
            let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            let big = units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            #expect(rows(try Timeline(data: Data(little))) == expected)
            #expect(rows(try Timeline(data: Data(big))) == expected)
            #expect(code { _ = try Timeline(data: Data(little.dropLast())) } == .timelineInvalid)
        }
    }

    @Test(
        "A mistake is told with its line",
        .requirements("R-CC-084"),
        arguments: [
            (.vtt, 4, "WEBVTT\n\nx\n00:01.000 --> 00:61.000\ny"), (.vtt, 3, "WEBVTT\n\n00:02.000 --> 00:01.000\ny"),
            (.vtt, 3, "WEBVTT\n\nno times\ny"), (.vtt, 1, "00:01.000 --> 00:02.000\ny"),
            (.vtt, 4, "WEBVTT\n\n00:01.000 --> 00:02.000\n{\"title\": \"x\",\n\"lane\": \"y\"}"),
            (.lrc, 2, "[00:01.00]x\n[1:75:00]y"), (.lrc, 2, "[00:01.00]x\nno time"), (.lrc, 1, "[offset:soon]"),
            (.lrc, 1, "[00:01.00"), (.lrc, 2, "[00:01.00]x\n[00:02.00]<00:99.00>y"),
            (.csv, 1, "a,b\n1,2"), (.csv, 3, "start,title\n1,x\nabc,y"), (.csv, 2, "start,title\n-1,x"),
            (.csv, 2, "start,title\n1,\"x\n\n"), (.csv, 3, "start,title\n1,x\n2,y,z"), (.csv, 2, "start,end\n2,1"),
            (.csv, 4, "start,title\n1,\"x\ny\"\n,z"), (.csv, 3, "start,id\n1,a\n0.5,a"), (.csv, 1, "start,time\n"),
            (.ffmetadata, 3, ";FFMETADATA1\n[CHAPTER]\nSTART=x"), (.ffmetadata, 2, ";FFMETADATA1\n[CHAPTER]\nEND=1"),
            (.ffmetadata, 2, ";FFMETADATA1\nword"), (.ffmetadata, 3, ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/0"),
        ] as [(TimedContentFormat, Int, String)]
    )
    func mistakes(format: TimedContentFormat, line: Int, text: String) throws {
        do {
            _ = try read(text, format, name: "the file")
            Issue.record("read: \(text)")
        } catch let error as EarshotError {
            #expect(error.code == .timelineInvalid)
            #expect(error.message.hasPrefix("the file, line \(line): "), "\(error.message)")
        }
    }

    @Test(
        "A mistake in a JSON document is told with its place",
        .requirements("R-CC-084"),
        arguments: [
            (.json, "The value at entries[0].start must be a time: ", "{\"entries\": [{\"start\": \"soon\"}]}"),
            (.json, "entries[1]: ", "{\"entries\": [{\"start\": 1}, {\"start\": -1}]}"),
            (.json, "This is not JSON: ", "{\n\"entries\" 5}"), (.json, "This is not JSON: ", ""),
            (.json, "The value at [0].colour is not known", "[{\"start\": 1,\n\"colour\": 2}]"),
            (.json, "The value at [1] must not be null", "[{\"start\": 1}, null]"),
            (.json, "The value at version ", "{\"version\": 2}"),
            (.json, "The value at format ", "{\"version\": 1, \"format\": \"x\", \"entries\": []}"),
            (.json, "The document ", "{}"), (.json, "The document ", "5"),
            (.json, "[1]: The id", "[{\"id\": \"a\", \"start\": 1}, {\"id\": \"a\", \"start\": 0}]"),
            (.json, "This is not JSON: ", String(repeating: "[", count: 100_000)),
            (.chapters, "The value at chapters[0] needs a", "{\"chapters\": [{\"title\": \"x\"}]}"),
            (.chapters, "The value at chapters must be an array", "{\"chapters\": 1}"),
            (.chapters, "chapters[0]: ", "{\"chapters\": [{\"startTime\": 5, \"endTime\": 5}]}"),
        ] as [(TimedContentFormat, String, String)]
    )
    func misplaced(format: TimedContentFormat, beginning: String, text: String) throws {
        do {
            _ = try read(text, format)
            Issue.record("read: \(text.prefix(100))")
        } catch let error as EarshotError {
            #expect(error.code == .timelineInvalid)
            #expect(error.message.hasPrefix(beginning), "\(error.message)")
        }
    }

    @Test("Text that is not UTF-8 is refused with its line")
    func notText() {
        do {
            _ = try Timeline(data: Data("[00:01.00]x\n[00:02.00]".utf8) + Data([0xC3, 0x28]))
            Issue.record("read")
        } catch {
            #expect(error.message.hasPrefix("Line 2: "))
        }
    }
}
