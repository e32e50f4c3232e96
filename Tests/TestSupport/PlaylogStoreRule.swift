package import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Testing

/// A rule that every store of plays keeps: the suite of each store runs all of them.
package struct PlaylogStoreRule: Sendable, CustomTestStringConvertible {
    let name: String
    let body: @Sendable (any PlaylogStore) async throws -> Void

    init(name: String, body: @escaping @Sendable (any PlaylogStore) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The rule in words.
    package var testDescription: String { name }

    /// Holds an empty store against the rule.
    package func check(_ store: any PlaylogStore) async throws { try await body(store) }

    /// All rules.
    package static let all = plays + pages + figures + changes + gaps + heard + comparison

    static func play(
        _ reference: String? = "lantern",
        on channel: String = "one",
        at seconds: Double = 0,
        for duration: Double = 180,
        _ state: PlayState = .final,
        kind: PlayKind = .song
    ) -> PlayRecord {
        PlaylogSamples.play(reference, on: channel, at: seconds, for: duration, state, kind: kind)
    }

    static func span(_ lower: Double, _ upper: Double) -> Range<Date> {
        PlaylogSamples.evening.addingTimeInterval(lower)..<PlaylogSamples.evening.addingTimeInterval(upper)
    }

    static func all(_ query: PlayQuery = PlayQuery(), of store: any PlaylogStore) async throws -> [PlayRecord] {
        var records: [PlayRecord] = []
        try await store.forEachRecord(query) { records.append($0) }
        return records
    }

    // MARK: - Plays

    private static let plays: [PlaylogStoreRule] = [
        .init(name: "What was never used is empty") { (store: any PlaylogStore) async throws in
            #expect(try await store.counts() == PlaylogCounts())
            #expect(try await store.record("x") == nil)
            #expect(try await store.records(PlayQuery(), after: nil, limit: 10) == PlayPage(items: [], next: nil))
            #expect(try await store.openRecords().isEmpty)
            #expect(try await store.totals(PlayQuery(), by: .channel).isEmpty)
            let page = try await store.changes(after: 0, limit: 10)
            #expect(page == PlayChangePage(changes: [], hasMore: false, isIncomplete: false))
            #expect(try await store.consumers().isEmpty)
        },
        .init(name: "A play comes out as it was put in") { (store: any PlaylogStore) async throws in
            let outcome = try await store.put(PlaylogSamples.full)
            #expect(outcome == PlayOutcome(id: PlaylogSamples.full.id.rawValue, result: .stored(sequence: 1)))
            #expect(try await store.record(PlaylogSamples.full.id) == PlaylogSamples.full)
            #expect(try await all(of: store) == [PlaylogSamples.full])
        },
        .init(name: "A play grows under its identifier until it is final, and nothing provisional replaces it then") {
            (store: any PlaylogStore) async throws in
            #expect(try await store.put(play(for: 10, .provisional)).sequence == 1)
            #expect(try await store.put(play(for: 20, .provisional)).sequence == 2)
            #expect(try await store.put(play(for: 20, .provisional)).result == .unchanged)
            #expect(try await store.openRecords().map(\.playedDuration) == [20])
            #expect(try await store.put(play(for: 180)).sequence == 3)
            #expect(try await store.put(play(for: 30, .provisional)).result == .keptFinal)
            #expect(try await store.put(play(for: 180)).result == .unchanged)
            #expect(try await store.openRecords().isEmpty)
            #expect(try await store.record(play().id)?.state == .final)
            #expect(try await store.record(play().id)?.playedDuration == 180)
            // What is final can be put right.
            #expect(try await store.put(play(for: 181)).sequence == 4)
            #expect(try await store.counts().plays == 1)
        },
        .init(name: "A record that cannot be kept does not hold up the others") {
            (store: any PlaylogStore) async throws in
            var mended = play("b", at: 10)
            (mended.confidence, mended.score, mended.playedDuration) = (7, .nan, -1)
            let records = [
                play("a"), play(on: ""), play("x", at: .nan), mended, play("c", for: 1e8), play("d", at: 20),
            ]
            let outcomes = try await store.put(records)
            #expect(outcomes.map(\.sequence) == [1, nil, nil, 2, nil, 3])
            #expect(outcomes[3].notices.map(\.member) == ["playedDuration", "score", "confidence"])
            #expect(try await all(of: store).map(\.referenceID) == ["a", "b", "d"])
            #expect(try await store.record(mended.id)?.confidence == 1)
        },
        .init(name: "Identifiers that differ in bytes only are two, of plays and of channels") {
            (store: any PlaylogStore) async throws in
            try await store.put([play("\u{E9}", on: "caf\u{E9}"), play("\u{E9}", on: "cafe\u{301}")])
            #expect(try await store.counts().plays == 2)
            #expect(try await all(PlayQuery(channels: ["caf\u{E9}"]), of: store).count == 1)
            #expect(try await store.totals(PlayQuery(), by: .channel).count == 2)
        },
        .init(name: "Open plays are closed at an instant or when they were heard last, each once") {
            (store: any PlaylogStore) async throws in
            let plays = [
                play("a", for: 60, .provisional), play("b", on: "two", for: 60, .provisional), play("c", at: 1),
            ]
            try await store.put(plays)
            let at = PlaylogSamples.evening.addingTimeInterval(40)
            let closed = try await store.closeOpen(of: "one", at: at, reason: .streamLost)
            #expect(closed.map(\.end) == [at] && closed.map(\.playedDuration) == [40])
            #expect(closed.map(\.state) == [.final] && closed.map(\.endReason) == [.streamLost])
            #expect(try await store.record(plays[0].id) == closed.first)
            let rest = try await store.closeOpen(of: nil, at: nil, reason: .monitorStopped)
            #expect(rest.map(\.id) == [plays[1].id] && rest.map(\.end) == [plays[1].end])
            #expect(try await store.closeOpen(of: nil, at: nil, reason: .ended).isEmpty)
            #expect(try await store.record(plays[2].id) == plays[2])
            let events = try await store.changes(after: 0, limit: 10).changes.map(\.event)
            #expect(events == [.playStarted, .playStarted, .playEnded, .playEnded, .playEnded])
        },
    ]

    // MARK: - Pages

    private static let pages: [PlaylogStoreRule] = [
        .init(name: "Queries narrow by channel, reference, kind, state and time") {
            (store: any PlaylogStore) async throws in
            let plays = [
                play("a", at: 0, for: 100), play("b", on: "two", at: 50, for: 100, .provisional),
                play("a", on: "two", at: 200, for: 100, kind: .jingle), play(nil, at: 300, for: 0, kind: .unknown),
            ]
            try await store.put(plays)
            func found(_ query: PlayQuery) async throws -> [Int] {
                try await all(query, of: store).compactMap { record in plays.firstIndex { $0.id == record.id } }
            }
            #expect(try await found(PlayQuery()) == [0, 1, 2, 3])
            #expect(try await found(PlayQuery(isNewestFirst: true)) == [3, 2, 1, 0])
            #expect(try await found(PlayQuery(channels: ["two"])) == [1, 2])
            #expect(try await found(PlayQuery(channels: ["one", "two", "none"])) == [0, 1, 2, 3])
            #expect(try await found(PlayQuery(references: ["a"])) == [0, 2])
            #expect(try await found(PlayQuery(kinds: [.jingle, .unknown])) == [2, 3])
            #expect(try await found(PlayQuery(state: .provisional)) == [1])
            #expect(try await found(PlayQuery(span: span(100, 200))) == [1])
            #expect(try await found(PlayQuery(span: span(99, 201))) == [0, 1, 2])
            #expect(try await found(PlayQuery(span: span(300, 301))) == [3])
            #expect(try await found(PlayQuery(span: span(290, 300))) == [2])
            #expect(try await found(PlayQuery(span: Date.distantPast..<Date.distantFuture)) == [0, 1, 2, 3])
            #expect(try await found(PlayQuery(channels: ["two"], references: ["a"], kinds: [.song])) == [])
        },
        .init(name: "Pages together hold everything once, whatever is written meanwhile") {
            (store: any PlaylogStore) async throws in
            // Several begin at the same instant.
            try await store.put((0..<23).map { play("r\($0)", on: "c\($0 % 4)", at: Double($0 / 3), for: 5) })
            for isNewestFirst in [false, true] {
                let query = PlayQuery(isNewestFirst: isNewestFirst)
                var read: [EntityID<PlayRecord>] = []
                var cursor: PlayCursor?
                repeat {
                    let page = try await store.records(query, after: cursor, limit: 5)
                    #expect(page.items.count <= 5)
                    read += page.items.map(\.id)
                    cursor = page.next.flatMap { PlayCursor($0.description) }
                    // Before what was read: not seen any more.
                    try await store.put(play("new", at: isNewestFirst ? 1_000 : -1_000, for: 5))
                } while cursor != nil
                #expect(Set(read).count == read.count && read.count == (isNewestFirst ? 24 : 23))
            }
            #expect(try await store.records(PlayQuery(), after: nil, limit: 0).items.isEmpty)
            #expect(try await store.records(PlayQuery(), after: nil, limit: -3).items.isEmpty)
        },
        .init(name: "A play that is moved is found at its new place alone") { (store: any PlaylogStore) async throws in
            var moved = play("a", for: 10, .provisional)
            try await store.put(moved)
            moved.start = moved.start.addingTimeInterval(-100)
            (moved.kind, moved.channel) = (.jingle, PlaylogSamples.channel("two"))
            try await store.put(moved)
            #expect(try await all(PlayQuery(channels: ["one"]), of: store).isEmpty)
            #expect(try await all(PlayQuery(span: span(-100, -50), kinds: [.jingle]), of: store) == [moved])
        },
    ]

    // MARK: - Figures

    private static let figures: [PlaylogStoreRule] = [
        .init(name: "Totals count what begins in the span and the seconds within it") {
            (store: any PlaylogStore) async throws in
            var paused = play("a", on: "two", at: -50, for: 100)
            paused.playedDuration = 80
            let plays = [
                paused, play("a", at: 10, for: 20), play("b", at: 90, for: 20, kind: .jingle),
                play(nil, at: 95, for: 1),
            ]
            try await store.put(plays + [play("z", at: 500)])
            let totals = try await store.totals(PlayQuery(span: span(0, 100)), by: .reference)
            #expect(totals.map(\.key) == ["", "a", "b"])
            #expect(totals.map(\.plays) == [1, 1, 1])
            #expect(totals.map(\.channels) == [1, 2, 1])
            let seconds = totals.map { ($0.seconds * 1_000).rounded() }
            #expect(seconds == [1_000, 60_000, 10_000])
            #expect(totals[1].first == plays[0].start && totals[1].last == plays[1].start)
            let channels = try await store.totals(PlayQuery(), by: .channel)
            #expect(channels.map(\.key) == ["one", "two"] && channels.map(\.plays) == [4, 1])
            #expect(try await store.totals(PlayQuery(), by: .kind).map(\.key) == ["song", "jingle"])
            #expect(try await store.totals(PlayQuery(channels: ["two"]), by: .kind).map(\.plays) == [1])
        },
        .init(name: "What ended before a date is removed, and what is open stays") {
            (store: any PlaylogStore) async throws in
            try await store.put([play("a"), play("b", at: 10, .provisional), play("c", at: 1_000)])
            try await store.put([StreamGap(channel: PlaylogSamples.channel(), start: .distantPast + 1e10, end: nil)])
            let date = PlaylogSamples.evening.addingTimeInterval(180)
            #expect(try await store.remove(before: date).plays == 0)
            let removal = try await store.remove(before: date.addingTimeInterval(50))
            #expect(removal.plays == 1 && removal.gaps == 0)
            #expect(try await all(of: store).map(\.referenceID) == ["b", "c"])
            let counts = try await store.counts()
            #expect(counts.plays == 2 && counts.open == 1 && counts.gaps == 1 && counts.lastSequence == 4)
        },
    ]
}
