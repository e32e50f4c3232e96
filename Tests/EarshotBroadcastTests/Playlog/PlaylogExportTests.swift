import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Plays for other systems")
struct PlaylogExportTests {
    private static func written(
        _ records: [PlayRecord],
        _ format: PlaylogFormat,
        _ zone: TimeZone = .gmt
    ) throws -> String {
        let data = Mutex(Data())
        var writer = PlaylogWriter(format, timeZone: zone) { piece in data.withLock { $0.append(piece) } }
        for record in records { try writer.write(record) }
        try writer.finish()
        return String(decoding: data.withLock { $0 }, as: UTF8.self)
    }

    private static let row =
        "one,2026-05-01T18:30:00.250Z,2026-05-01T18:33:00.250Z,171.75,lantern,Lantern,The Tin Foxes,Morning Rail,"
        + "GBAYE0601498,\"Rail \"\"One\"\", Ltd.\",1.25,181.1,3600.5,3780.5,38.25,0.999,-0.0012,0.01,song,final,"
        + "'=station 4\r\n"

    @Test("A table has its header and a row for each play")
    func table() throws {
        let header =
            "channel,start_utc,end_utc,played_duration,reference_id,title,artist,album,isrc,label,reference_start,"
            + "reference_end,query_start,query_end,score,confidence,time_skew,frequency_skew,kind,state,caller_ref\r\n"
        #expect(try Self.written([PlaylogSamples.full], .csv) == header + Self.row)
        #expect(try Self.written([], .csv) == header)
    }

    /// A record as a table holds it.
    private static func reduced(_ record: PlayRecord) -> PlayRecord {
        var reduced = PlayRecord(
            channel: PlayChannel(id: record.channel.id),
            start: record.start,
            end: record.end,
            referenceID: record.referenceID,
            title: record.title,
            artist: record.artist,
            kind: record.kind,
            state: record.state
        )
        reduced.playedDuration = record.playedDuration
        (reduced.album, reduced.isrc, reduced.label) = (record.album, record.isrc, record.label)
        (reduced.referenceStart, reduced.referenceEnd) = (record.referenceStart, record.referenceEnd)
        (reduced.queryStart, reduced.queryEnd) = (record.queryStart, record.queryEnd)
        (reduced.score, reduced.confidence) = (record.score, record.confidence)
        (reduced.speedSkew, reduced.pitchSkew) = (record.speedSkew, record.pitchSkew)
        reduced.callerRef = record.callerRef
        return reduced
    }

    @Test("Any plays survive being written and read, as a table and as lines of JSON, from memory and from a file")
    func roundTrips() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        property("exports", rounds: 200) { generator in
            let records = (0..<Int.random(in: 1...5, using: &generator)).compactMap { _ in
                PlaylogSamples.random(using: &generator).checked().record
            }
            for format in [PlaylogFormat.csv, .jsonLines] {
                let text = try Self.written(records, format)
                let expected = format == .csv ? records.map(Self.reduced) : records
                let read = try PlayImport.records(in: Data(text.utf8), format)
                guard read.records == expected, read.faults.isEmpty else { return false }
                try Data(text.utf8).write(to: file)
                var fromFile: [PlayRecord] = []
                let faults = try PlayImport.read(file.path, format) { fromFile.append($0) }
                guard fromFile == expected, faults.isEmpty else { return false }
                if format == .csv {
                    guard try Self.written(read.records, .csv) == text else { return false }
                }
            }
            return true
        }
    }

    @Test("No text of a table begins a formula, and each is read as it was")
    func formulas() throws {
        for text in ["=1+1", "+1", "-1", "@A", "\t=", "\r=", "＝1", "'=1", "''-x", "'", "'quoted'"] {
            var play = PlaylogSamples.full
            (play.title, play.artist, play.album, play.label, play.callerRef) = (text, text, text, text, text)
            play.channel = PlayChannel(id: EntityID(text))
            let table = try Self.written([play], .csv)
            let cells = CSV.rows(table)[1]
            for cell in [cells[0], cells[5], cells[6], cells[7], cells[9], cells[20]] {
                #expect(CSV.inert(cell) == cell)
            }
            let read = try #require(try PlayImport.records(in: Data(table.utf8), .csv).records.first)
            #expect(read.title == text && read.channel.id.rawValue == text && read.callerRef == text)
        }
    }

    @Test("Lines that cannot be used are told with their number and passed over")
    func faults() throws {
        let table = "start_utc,channel,title,extra\n2026-05-01T18:30:00Z,one,a,x\nyesterday,one,b\n,,\n"
        let text = table + "2026-05-01T18:30:00Z,,c\n2026-05-01T18:30:00Z,two,\"d\nd\""
        let read = try PlayImport.records(in: Data(text.utf8), .csv)
        #expect(read.records.map(\.title) == ["a", "d\nd"])
        #expect(read.records.allSatisfy { $0.state == .final && $0.kind == .unknown })
        #expect(read.faults.map(\.line) == [3, 4, 5])
        let lines = try PlayImport.records(in: Data("{}\n\nx\n".utf8), .jsonLines)
        #expect(lines.records.isEmpty && lines.faults.map(\.line) == [1, 3])
        for (text, format) in [("title\nx", PlaylogFormat.csv), ("channel,start_utc,channel\n", .csv), ("", .m3u)] {
            let error = #expect(throws: EarshotError.self) { try PlayImport.records(in: Data(text.utf8), format) }
            #expect(error?.code == .metadataInvalid)
        }
    }

    @Test("A list for players has what is over and has a reference, and lines stay lines")
    func playlist() throws {
        var odd = PlaylogSamples.play("#1\nx", for: 61.6)
        odd.title = "two\r\nlines"
        let records = [PlaylogSamples.full, odd, PlaylogSamples.play("b", .provisional), PlaylogSamples.play(nil)]
        #expect(
            try Self.written(records, .m3u)
                == "#EXTM3U\n#EXTINF:172,The Tin Foxes - Lantern\nlantern\n#EXTINF:62,two  lines\n./#1 x\n"
        )
    }

    @Test("The list has a heading for every channel and day of its zone")
    func list() async throws {
        let store = MemoryPlaylogStore()
        let midnight = 5 * 3_600 + 1_800.0
        try await store.put([
            PlaylogSamples.full, PlaylogSamples.play("late", at: midnight), PlaylogSamples.play("x", on: "two", at: 60),
        ])
        let data = Mutex(Data())
        let writer = PlaylogWriter(.list) { piece in data.withLock { $0.append(piece) } }
        #expect(try await store.export(PlayQuery(), with: writer) == 3)
        let text = """
            # Channel one 2026-05-01 UTC
            18:30:00 The Tin Foxes - Lantern

            # Channel one 2026-05-02 UTC
            00:00:00 late

            # Channel two 2026-05-01 UTC
            18:31:00 x

            """
        #expect(String(decoding: data.withLock { $0 }, as: UTF8.self) == text)
        let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        #expect(
            try Self.written([PlaylogSamples.full], .list, zone)
                == "# Channel one 2026-05-02 Asia/Tokyo\n03:30:00 The Tin Foxes - Lantern\n"
        )
    }

    @Test("A guide of what was broadcast has every channel once and the true times")
    func guide() {
        let records = [
            PlaylogSamples.play("b", on: "two"), PlaylogSamples.play("c", at: 300), PlaylogSamples.full,
            PlaylogSamples.play("open", at: 900, .provisional), PlaylogSamples.play("none", at: 900, for: 0),
        ]
        let guide = AsRun.guide(records)
        #expect(
            guide.channels.map(\.id) == ["one", "two"]
                && guide.channels.map(\.name.text) == ["Channel one", "Channel two"]
        )
        #expect(guide.airings.map(\.program.id) == ["work-7", "c", "b"])
        let first = guide.airings[0]
        #expect(first.start == PlaylogSamples.full.start && first.end == PlaylogSamples.full.end)
        #expect(first.program.title.text == "Lantern" && first.program.subtitle?.text == "The Tin Foxes")
        #expect(first.program.categories == ["song"] && first.program.duration == 201_500)
    }
}
