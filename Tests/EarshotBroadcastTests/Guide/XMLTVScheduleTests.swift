import EarshotBroadcast
import EarshotMusic
import Foundation
import TestSupport
import Testing

/// Ends that are missing, shared slots and overlaps, by schedules of one channel.
@Suite("XMLTV schedules")
struct XMLTVScheduleTests {
    /// An entry: title, beginning and end in minutes, and what else stands in it.
    private struct Entry {
        var title: String
        var start: Double
        var stop: Double?
        var clump: String?
        var inner = ""

        var text: String {
            let stop = stop.map { " stop=\"\(XMLTVTime.text(GuideSamples.minute($0)))\"" } ?? ""
            let clump = clump.map { " clumpidx=\"\($0)\"" } ?? ""
            let start = XMLTVTime.text(GuideSamples.minute(start))
            return
                "<programme start=\"\(start)\"\(stop)\(clump) channel=\"a\"><title>\(title)</title>\(inner)</programme>"
        }
    }

    private static func schedule(
        _ entries: [Entry],
        _ reader: XMLTVReader = XMLTVReader()
    ) throws -> (rows: [String], lines: [Int]) {
        let body =
            "<channel id=\"a\"><display-name>A</display-name></channel>\n" + entries.map(\.text).joined(separator: "\n")
        let guide = try XMLTVReaderTests.read(body, reader)
        let rows = guide.airings.map { airing in
            let times = [airing.start, airing.end].map { time in
                let minutes = time.timeIntervalSince(GuideSamples.evening) / 60
                return minutes == minutes.rounded() ? "\(Int(minutes))" : "\(minutes)"
            }
            return "\(airing.program.title.text) \(times[0])-\(times[1])"
        }
        // The first entry stands on the fifth line.
        return (rows, guide.notes.map { $0.line - 4 })
    }

    @Test("A programme without an end lasts until the next, the last one its length or an hour")
    func ends() throws {
        let entries = [Entry(title: "A", start: 0), Entry(title: "B", start: 25), Entry(title: "C", start: 40)]
        #expect(try Self.schedule(entries).rows == ["A 0-25", "B 25-40", "C 40-100"])
        #expect(try Self.schedule(entries.reversed()).rows == ["A 0-25", "B 25-40", "C 40-100"])
        var measured = entries
        measured[2].inner = "<length units=\"seconds\">1200</length>"
        #expect(try Self.schedule(measured).rows.last == "C 40-60")
        #expect(try Self.schedule(entries, XMLTVReader(defaultDuration: 600)).rows.last == "C 40-50")
        // Beyond a day the guide has a gap.
        let gap = [Entry(title: "A", start: 0), Entry(title: "B", start: 1_441, stop: 1_450)]
        #expect(try Self.schedule(gap).rows == ["A 0-60", "B 1441-1450"])
        let near = [Entry(title: "A", start: 0), Entry(title: "B", start: 1_440, stop: 1_450)]
        #expect(try Self.schedule(near).rows == ["A 0-1440", "B 1440-1450"])
        #expect(try Self.schedule(gap).lines.isEmpty)
    }

    @Test("A later entry cuts the end of the earlier one, and a note says so")
    func overlaps() throws {
        let (rows, lines) = try Self.schedule([
            Entry(title: "A", start: 0, stop: 60), Entry(title: "B", start: 50, stop: 55),
            Entry(title: "C", start: 55, stop: 70), Entry(title: "D", start: 90, stop: 100),
        ])
        #expect(rows == ["A 0-50", "B 50-55", "C 55-70", "D 90-100"])
        #expect(lines == [1])
    }

    @Test("Parts of a clump take even shares of their slot")
    func clumps() throws {
        let parts = [
            Entry(title: "News", start: 0, stop: 30, clump: "0/2"),
            Entry(title: "Weather", start: 0, stop: 30, clump: "1/2"),
            Entry(title: "Film", start: 30, stop: 60),
        ]
        #expect(try Self.schedule(parts).rows == ["News 0-15", "Weather 15-30", "Film 30-60"])
        #expect(try Self.schedule(parts).lines.isEmpty)
        #expect(
            try Self.schedule([parts[1], parts[0], parts[2]]).rows == ["News 0-15", "Weather 15-30", "Film 30-60"]
        )
        let open = [
            Entry(title: "X", start: 0, clump: "0/3"), Entry(title: "Y", start: 0, clump: "1/3"),
            Entry(title: "Z", start: 0, clump: "2/3"), Entry(title: "Film", start: 30, stop: 60),
        ]
        #expect(try Self.schedule(open).rows == ["X 0-10", "Y 10-20", "Z 20-30", "Film 30-60"])
        // A part alone has the slot; what stands beside a clump has none.
        #expect(try Self.schedule([parts[1], parts[2]]).rows == ["Weather 0-30", "Film 30-60"])
        let beside = try Self.schedule(parts + [Entry(title: "Other", start: 0, stop: 30)])
        #expect(beside.rows == ["News 0-15", "Weather 15-30", "Film 30-60"] && beside.lines == [4])
    }

    @Test("What is there twice counts once, and of two that begin together the later one in the file")
    func duplicates() throws {
        let twice = [Entry(title: "A", start: 0, stop: 30), Entry(title: "A", start: 0, stop: 30)]
        #expect(try Self.schedule(twice).rows == ["A 0-30"])
        #expect(try Self.schedule(twice).lines == [2])
        let changed = [Entry(title: "A", start: 0, stop: 30), Entry(title: "B", start: 0, stop: 20)]
        #expect(try Self.schedule(changed).rows == ["B 0-20"])
        #expect(try Self.schedule(changed).lines == [1])
    }

    @Test("Schedules have no overlaps, whatever a guide says")
    func anything() {
        property("schedules of guides", rounds: 300) { random in
            let entries = (0..<Int.random(in: 1...12, using: &random)).map { number in
                let start = Double(Int.random(in: 0...20, using: &random))
                let stop = Bool.random(using: &random) ? Double(Int.random(in: 0...25, using: &random)) : nil
                let clump = ["0/2", "1/2", "2/3", "1/1", "x"].randomElement(using: &random)
                return Entry(
                    title: "T\(number % 5)",
                    start: start,
                    stop: stop,
                    clump: Int.random(in: 0..<3, using: &random) == 0 ? clump : nil
                )
            }
            let slots = try XMLTVReaderTests.read(entries.map(\.text).joined()).slots
            return !slots.isEmpty && zip(slots, slots.dropFirst()).allSatisfy { $0.end <= $1.start }
        }
    }
}
