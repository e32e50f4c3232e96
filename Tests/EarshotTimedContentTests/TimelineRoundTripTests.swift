import EarshotCatalogs
import EarshotCore
import EarshotTimedContent
import Foundation
import TestSupport
import Testing

@Suite("Files of timed content, written and damaged")
struct TimelineRoundTripTests {
    @Test("What a form holds is read again as it was written", arguments: TimedContentFormat.allCases)
    func roundTrip(format: TimedContentFormat) {
        property("round trip of \(format)", rounds: 300) { generator in
            var drawing = RandomTimeline(generator: generator, format: format)
            let timeline = try drawing.timeline()
            let data = try timeline.data(as: format)
            let again = try Timeline(data: data, format: format)
            return try again == timeline && again.data(as: format) == data
        }
    }

    @Test("A timeline comes through any coder and through a property")
    func coder() {
        property("coded timeline", rounds: 200) { generator in
            var drawing = RandomTimeline(generator: generator, format: .json)
            let timeline = try drawing.timeline()
            let again = try JSONDecoder().decode(Timeline.self, from: JSONEncoder().encode(timeline))
            let entries = try JSONDecoder().decode([TimedEntry].self, from: JSONEncoder().encode(timeline.entries))
            return try again == timeline && entries == timeline.entries
                && Timeline(propertyValue: timeline.propertyValue) == timeline
        }
    }

    @Test("What a form cannot hold is left out, and the rest can be read", arguments: TimedContentFormat.allCases)
    func anyContent(format: TimedContentFormat) {
        property("anything as \(format)", rounds: 200) { generator in
            var drawing = RandomTimeline(generator: generator, format: .json)
            let timeline = try drawing.timeline()
            let again = try Timeline(data: timeline.data(as: format), format: format)
            return format == .lrc || again.entries.count == timeline.entries.count
        }
    }

    @Test("Damaged files are read or refused", arguments: TimedContentFormat.allCases)
    func damage(format: TimedContentFormat) throws {
        var drawing = RandomTimeline(generator: SeededGenerator(seed: 11), format: format)
        var timeline = try drawing.timeline()
        while timeline.entries.count < 3 { timeline = try drawing.timeline() }
        let bytes = [UInt8](try timeline.data(as: format).prefix(600))
        func isFine(_ bytes: [UInt8]) -> Bool {
            for form in [format, nil] {
                guard [nil, .timelineInvalid].contains(code { _ = try Timeline(data: Data(bytes), format: form) })
                else {
                    return false
                }
            }
            return true
        }
        for end in bytes.indices { #expect(isFine(Array(bytes[..<end])), "prefix \(end)") }
        for place in bytes.indices {
            var changed = bytes
            for byte: UInt8 in [0, 0x0A, 0x22, 0x5B, 0xFF] {
                changed[place] = byte
                #expect(isFine(changed), "\(byte) at \(place)")
            }
        }
        property("damaged \(format)", rounds: 200) { generator in isFine(generator.mutated(bytes)) }
    }
}
