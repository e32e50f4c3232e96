import EarshotCatalogs
import EarshotCore
import EarshotTimedContent
import Foundation
import TestSupport
import Testing

/// Seconds as a time.
func at(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 1_000_000) }

@Suite("Timelines")
struct TimelineTests {
    /// The entries of a lesson, the last one with an end or without.
    static func lesson(end: Double? = nil) throws -> Timeline {
        try Timeline([
            TimedEntry(id: "d", title: "31", start: at(31), end: end.map(at)),
            TimedEntry(id: "a", title: "14", start: at(14)), TimedEntry(id: "b", title: "21", start: at(21)),
            TimedEntry(id: "c", title: "25", start: at(25)),
        ])
    }

    /// A question whose equation appears in two steps and that takes answers from 31 s on.
    static let question = """
        [
          { "title": "Start counting", "offset": 14 },
          {
            "id": "sum", "title": "How many apples?", "offset": 21, "end": 40, "requiresAnswer": true,
            "answerRange": [31, 38.5],
            "parts": [
              { "id": "left", "title": "2", "offset": 21 },
              { "id": "right", "title": "+ 3", "offset": 25, "payload": { "colour": "red" } }
            ],
            "payload": { "equation": { "left": 2, "right": 3, "operator": "+" } }
          }
        ]
        """

    @Test(
        "An entry has a title, an offset, an equation, an answer range and a flag for answers",
        .requirements("R-CC-076")
    )
    func example() throws {
        let data = Data(Self.question.utf8)
        let timeline = try JSONDecoder().decode(Timeline.self, from: data)
        let sum = try #require(timeline.entries.last)
        #expect(timeline.entries.map(\.id) == ["1", "sum"])
        #expect(sum.title == "How many apples?")
        #expect(sum.start == at(21))
        #expect(sum.answerRange == at(31)..<at(38.5))
        #expect(sum.requiresAnswer)
        #expect(sum.payload["equation"] == ["left": 2, "right": 3, "operator": "+"])
        #expect(!timeline.entries[0].requiresAnswer && timeline.entries[0].payload.isEmpty)
        #expect(try JSONDecoder().decode([TimedEntry].self, from: data) == timeline.entries)
        #expect(try Timeline(data: data) == timeline)
        #expect(try JSONDecoder().decode(Timeline.self, from: JSONEncoder().encode(timeline)) == timeline)
    }

    @Test("Parts of an equation appear one after the other", .requirements("R-CC-077"))
    func parts() throws {
        let sum = try #require(try Timeline(data: Data(Self.question.utf8)).entries.last)
        #expect(sum.shownParts(at: at(20.999)).isEmpty)
        #expect(sum.shownParts(at: at(21)).map(\.id) == ["left"])
        #expect(sum.shownParts(at: at(24.999)).map(\.id) == ["left"])
        #expect(sum.shownParts(at: at(25)).map(\.id) == ["left", "right"])
    }

    @Test(
        "The active entry is the last that begins at or before the position",
        .requirements("R-CC-078", "R-CC-079"),
        arguments: [
            (-1, nil), (0, nil), (13.999, nil), (14, "a"), (20.9, "a"), (21, "b"), (30.999, "c"), (31, "d"), (500, "d"),
        ] as [(Double, String?)]
    )
    func active(position: Double, id: String?) throws {
        #expect(try Self.lesson().active(at: at(position)).first?.id == id)
        let ending = try Self.lesson(end: 60)
        #expect(ending.active(at: at(position)).first?.id == (position == 500 ? nil : id))
        #expect(ending.active(at: at(59.999)).first?.id == "d")
        #expect(ending.active(at: at(60)).isEmpty)
    }

    @Test("Lanes are active beside each other; of one lane the last that began counts, though it be over")
    func lanes() throws {
        let timeline = try Timeline([
            TimedEntry(id: "long", title: "", start: at(0), end: at(100)),
            TimedEntry(id: "short", title: "", start: at(10), end: at(20)),
            TimedEntry(id: "other", title: "", start: at(15), lane: 7),
        ])
        #expect(timeline.active(at: at(16)).map(\.id) == ["short", "other"])
        #expect(timeline.active(at: at(30)).map(\.id) == ["other"])
        #expect(timeline.active(at: at(16), lane: 7)?.id == "other")
        #expect(timeline.active(at: at(16), lane: 1) == nil)
        #expect(timeline.active(at: .indefinite).isEmpty)
        #expect(timeline.next(after: at(-5))?.id == "long")
        #expect(timeline.next(after: at(0))?.id == "short")
        #expect(timeline.next(after: at(15)) == nil)
    }

    @Test("Entries that begin together keep their order")
    func stable() throws {
        let entries = (0..<50).map { TimedEntry(id: "\($0)", title: "", start: at(Double($0 % 3))) }
        let timeline = try Timeline(entries)
        #expect(
            timeline.entries.filter { $0.start == .zero }.map(\.id) == stride(from: 0, to: 50, by: 3).map { "\($0)" }
        )
        #expect(timeline.active(at: .zero).map(\.id) == ["48"])
    }

    @Test("An answer counts from the begin of its range on and no longer at its end", .requirements("R-CC-081"))
    func answers() throws {
        let sum = try #require(try Timeline(data: Data(Self.question.utf8)).entries.last)
        #expect(!sum.acceptsAnswer(at: at(30.999)))
        #expect(sum.acceptsAnswer(at: at(31)))
        #expect(sum.acceptsAnswer(at: at(38.499)))
        #expect(!sum.acceptsAnswer(at: at(38.5)))
        #expect(!TimedEntry(id: "x", title: "", start: .zero).acceptsAnswer(at: .zero))
    }

    /// The refusal of one entry.
    private func refusal(_ change: (inout TimedEntry) -> Void) -> EarshotError? {
        var entry = TimedEntry(id: "q7", title: "Seven", start: at(10), end: at(20))
        change(&entry)
        do {
            _ = try Timeline([entry])
            return nil
        } catch {
            return error
        }
    }

    @Test("What breaks a rule is refused, and the refusal names the entry", .requirements("R-CC-084"))
    func refusals() throws {
        let changes: [(inout TimedEntry) -> Void] = [
            { $0.start = at(-0.001) }, { $0.start = .indefinite }, { $0.start = at(360_000) }, { $0.end = at(9) },
            { $0.end = at(10) }, { $0.end = .positiveInfinity }, { $0.lane = -1 }, { $0.lane = 256 },
            { $0.parts = [TimedPart(id: "p", start: at(9.9))] }, { $0.parts = [TimedPart(id: "p", start: at(20))] },
            { $0.parts = [TimedPart(id: "p", start: at(11)), TimedPart(id: "p", start: at(12))] },
            { $0.parts = [TimedPart(id: "", start: at(11))] }, { $0.requiresAnswer = true },
            { $0.answerRange = at(9)..<at(12) }, { $0.answerRange = at(12)..<at(20.001) },
            { $0.answerRange = at(12)..<at(12) }, { $0.title = String(repeating: "x", count: 65_537) },
            { $0.payload = ["": 1] }, { $0.payload = ["x": .real(.nan)] },
            { $0.payload = ["x": ["y": .real(.infinity)]] },
            { $0.payload = ["x": (0..<24).reduce(1) { value, _ in .array([value]) }] },
            { $0.payload = ["x": .string(String(repeating: "x", count: 65_537))] },
            { $0.parts = (0...1000).map { TimedPart(id: "\($0)", start: at(11)) } },
        ]
        for (index, change) in changes.enumerated() {
            let error = try #require(refusal(change), "\(index)")
            #expect(error.code == .timelineInvalid)
            #expect(error.message.contains("q7"), "\(error.message)")
            #expect(error.message.contains(":"), "the remedy: \(error.message)")
        }
        #expect(refusal { $0.payload = ["x": (0..<23).reduce(1) { value, _ in .array([value]) }] } == nil)
        #expect(refusal { $0.parts = [TimedPart(id: "p", start: at(10))] } == nil)
        #expect(refusal { $0.answerRange = at(10)..<at(20) } == nil)
        #expect(refusal { $0.id = "" }?.message.contains("Seven") == true)
        #expect(refusal { $0.id = String(repeating: "x", count: 257) }?.code == .timelineInvalid)
        let twice = [TimedEntry(id: "q7", title: "", start: .zero), TimedEntry(id: "q7", title: "", start: at(1))]
        #expect(code { _ = try Timeline(twice) } == .timelineInvalid)
        let many = (0...Timeline.maximumEntryCount).map { TimedEntry(id: "\($0)", title: "", start: .zero) }
        #expect(code { _ = try Timeline(many) } == .timelineInvalid)
        #expect(try Timeline(many.dropLast()).entries.count == 100_000)
    }

    @Test("Beyond the end of the reference, and where nothing will be shown, there are warnings")
    func warnings() throws {
        let timeline = try Timeline([
            TimedEntry(id: "hidden", title: "", start: at(1)),
            TimedEntry(
                id: "late",
                title: "",
                start: at(1),
                parts: [TimedPart(id: "p", start: at(6))],
                answerRange: at(2)..<at(9)
            ), TimedEntry(id: "over", title: "", start: at(5), end: at(60)),
            TimedEntry(id: "far", title: "", start: at(50)),
        ])
        #expect(timeline.warnings().map(\.entryID) == ["hidden", "late", "late"])
        #expect(timeline.warnings(duration: at(50)).map(\.entryID) == ["hidden", "late", "late", "over", "far"])
        #expect(try Self.lesson().warnings(duration: at(60)).isEmpty)
    }

    @Test("A search by halves finds what a search one by one finds")
    func search() {
        property("active entries", rounds: 200) { generator in
            let entries = (0..<Int.random(in: 0...40, using: &generator)).map { index in
                let start = Double(Int.random(in: 0...30, using: &generator))
                let length = Double(Int.random(in: 1...9, using: &generator))
                let lane = Int.random(in: 0...2, using: &generator)
                return TimedEntry(
                    id: "\(index)",
                    title: "",
                    start: at(start),
                    end: Bool.random(using: &generator) ? at(start + length) : nil,
                    lane: lane
                )
            }
            let timeline = try Timeline(entries)
            let position = at(Double(Int.random(in: -2...80, using: &generator)) / 2)
            let expected = (0...2).compactMap { lane -> String? in
                let begun = timeline.entries.filter { $0.lane == lane && $0.start <= position }
                guard let last = begun.last, last.end.map({ position < $0 }) ?? true else { return nil }
                return last.id
            }
            return timeline.active(at: position).map(\.id) == expected
                && timeline.next(after: position) == timeline.entries.first { $0.start > position }
        }
    }
}
