import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Testing

extension PlaylogStoreRule {
    static let heard: [PlaylogStoreRule] = [
        .init(name: "When channels were heard comes out by channel and span, and a stretch grows in its place") {
            (store: any PlaylogStore) async throws in
            func stretch(_ channel: String, _ begin: Double, _ end: Double) -> DetectedInterval {
                let span = begin..<max(begin, end)
                let evening = PlaylogSamples.evening
                return DetectedInterval(
                    channel: PlaylogSamples.channel(channel),
                    start: evening.addingTimeInterval(span.lowerBound),
                    end: evening.addingTimeInterval(span.upperBound)
                )
            }
            #expect(try await store.heard(PlayQuery()).isEmpty)
            let first = [stretch("two", 0, 10), stretch("one", 100, 110), stretch("one", 0, 10)]
            try await store.note(first)
            // It goes on; what has no channel is passed over.
            try await store.note([stretch("one", 100, 150), stretch("", 0, 10)])
            let all = [stretch("one", 0, 10), stretch("one", 100, 150), stretch("two", 0, 10)]
            #expect(try await store.heard(PlayQuery()) == all)
            #expect(try await store.heard(PlayQuery(channels: ["one"], span: span(120, 200))) == [all[1]])
            #expect(try await store.heard(PlayQuery(span: span(10, 100))).isEmpty)
            // Nobody who follows plays is told.
            #expect(try await store.counts().lastSequence == 0)
            _ = try await store.remove(before: PlaylogSamples.evening.addingTimeInterval(50))
            #expect(try await store.heard(PlayQuery()) == [all[1]])
        },
        .init(name: "A span that is not on whole milliseconds counts as the nearest one that is") {
            (store: any PlaylogStore) async throws in
            try await store.put([play(at: 0, for: 10)])
            let gap = StreamGap(
                channel: PlaylogSamples.channel(),
                start: PlaylogSamples.evening,
                end: PlaylogSamples.evening.addingTimeInterval(10)
            )
            try await store.put([gap])
            let interval = DetectedInterval(
                channel: PlaylogSamples.channel(),
                start: PlaylogSamples.evening,
                end: PlaylogSamples.evening.addingTimeInterval(10)
            )
            try await store.note([interval])
            for (lower, upper, isFound) in [
                (9.9996, 20, false), (9.9994, 20, true), (-10, 0.0004, false), (-10, 0.0006, true), (0.0004, 10, true),
            ] {
                let query = PlayQuery(span: span(lower, upper))
                let words = Comment(rawValue: "\(lower) to \(upper)")
                #expect(try await Self.all(query, of: store).isEmpty != isFound, words)
                let gaps = try await store.gaps(query, after: nil, limit: 9)
                #expect(gaps.items.isEmpty != isFound, words)
                #expect(try await store.heard(query).isEmpty != isFound, words)
            }
            let totals = try await store.totals(PlayQuery(span: span(0.0004, 9.9996)), by: .channel)
            #expect(totals.map(\.plays) == [1] && totals.map(\.seconds) == [10])
        },
    ]
}
