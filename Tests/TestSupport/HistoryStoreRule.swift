import EarshotCore
package import EarshotRecognition
import Foundation
import Testing

/// A rule that every store of a history keeps: the suite of each store runs all of them.
package struct HistoryStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any HistoryStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    /// Holds an empty store with room for 1,000 entries against the rule.
    package func check(_ store: any HistoryStore) async throws { try await body(store) }

    /// All rules.
    package static let all = entries + numbers + changes

    private static func add(to store: any HistoryStore) async throws -> Int {
        try await store.add(HistorySamples.match("x"), by: .streamPCM, at: HistorySamples.evening).id
    }

    private static func refused(_ body: () async throws -> Void) async {
        let error = await #expect(throws: EarshotError.self) { try await body() }
        #expect(error?.code == .metadataInvalid)
    }

    // MARK: - Entries

    private static let entries: [HistoryStoreRule] = [
        .init(name: "What was never used is empty") { (store: any HistoryStore) async throws in
            #expect(try await store.entries().isEmpty)
            #expect(try await store.count() == 0)
            #expect(try await store.entry(1) == nil)
            #expect(try await store.remove(1) == false)
            #expect(try await store.setHeard(3, of: 1) == false)
            try await store.clear()
        },
        .init(name: "An entry comes out as it was put in, with music, cover, place and time") {
            (store: any HistoryStore) async throws in
            let place = try #require(HistoryPlace(latitude: -33.8568, longitude: 151.2153, accuracy: 12.5))
            let cover = HistoryEntry.CoverArt(mimeType: "image/jpeg", data: Data([0xFF, 0xD8, 0, 1]))
            let added = try await store.add(
                HistorySamples.full,
                by: .fingerprint,
                at: HistorySamples.evening,
                place: place,
                coverArt: cover,
                heard: 31.5
            )
            let entry = try #require(try await store.entry(added.id))
            #expect(entry == added && entry.match == HistorySamples.full)
            #expect(entry.place == place && entry.coverArt == cover && entry.heard == 31.5)
            #expect(entry.date == HistorySamples.evening && entry.operation == .fingerprint)
            #expect(entry.began == HistorySamples.evening.addingTimeInterval(-62.25))
            #expect(try await store.entries() == [entry])
        },
        .init(name: "Without a place an entry has none") { (store: any HistoryStore) async throws in
            try await store.add(HistorySamples.match("a"), by: .streamMicrophone, at: HistorySamples.evening)
            let nowhere = HistoryPlace(latitude: .nan, longitude: 500)
            try await store.add(
                HistorySamples.match("b"),
                by: .streamPCM,
                at: HistorySamples.evening,
                place: nowhere
            )
            let entries = try await store.entries()
            #expect(entries.map(\.place) == [nil, nil] && entries.map(\.began) == [nil, nil])
            #expect(entries.map(\.operation) == [.streamPCM, .streamMicrophone])
        },
        .init(name: "What is read is a copy") { (store: any HistoryStore) async throws in
            for title in ["a", "b", "c"] {
                try await store.add(HistorySamples.match(title), by: .streamPCM, at: HistorySamples.evening)
            }
            var entries = try await store.entries()
            entries[0].heard = 99
            entries.removeLast()
            entries.swapAt(0, 1)
            let again = try await store.entries()
            #expect(again.map(\.match.track.title) == ["c", "b", "a"] && again.allSatisfy { $0.heard == nil })
        },
        .init(name: "Pages hold no more than was asked for, and together everything once") {
            (store: any HistoryStore) async throws in
            for number in 1...23 {
                try await store.add(HistorySamples.match("\(number)"), by: .streamPCM, at: HistorySamples.evening)
            }
            var read: [Int] = []
            while true {
                let page = try await store.entries(offset: read.count, limit: 5)
                #expect(page.count <= 5)
                guard !page.isEmpty else { break }
                read += page.map(\.id)
            }
            #expect(read == Array((1...23).reversed()))
            // By the number of the last one, what is added meanwhile is neither repeated nor in the way.
            var page = try await store.entries(offset: 0, limit: 10)
            try await store.add(HistorySamples.match("new"), by: .streamPCM, at: HistorySamples.evening)
            var ids = page.map(\.id)
            while let last = page.last?.id, !page.isEmpty {
                page = try await store.entries(before: last, limit: 10)
                ids += page.map(\.id)
            }
            #expect(ids == Array((1...23).reversed()))
            #expect(try await store.entries(offset: 0, limit: 0).isEmpty)
            #expect(try await store.entries(offset: -3, limit: -1).isEmpty)
        },
    ]

    // MARK: - Numbers

    private static let numbers: [HistoryStoreRule] = [
        .init(name: "Numbers follow each other from 1 on, and none is given twice") {
            (store: any HistoryStore) async throws in
            var ids: [Int] = []
            for _ in 0..<3 { ids.append(try await add(to: store)) }
            #expect(ids == [1, 2, 3])
            try await store.remove(3)
            #expect(try await add(to: store) == 4)
            try await store.clear()
            #expect(try await add(to: store) == 5)
            // What is refused takes no number.
            await #expect(throws: EarshotError.self) {
                try await store.add(HistorySamples.match("x"), by: .streamPCM, at: Date(timeIntervalSince1970: .nan))
            }
            #expect(try await add(to: store) == 6)
        },
        .init(name: "A hundred tasks at once give a hundred numbers") { (store: any HistoryStore) async throws in
            let ids = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await store.add(
                            HistorySamples.match("\(number)"),
                            by: .streamPCM,
                            at: HistorySamples.evening
                        )
                        .id
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(ids.sorted() == Array(1...100))
            let entries = try await store.entries()
            #expect(entries.map(\.id) == Array((1...100).reversed()))
            #expect(Set(entries.compactMap(\.match.track.title)).count == 100)
        },
        .init(name: "The thousand and first entry takes the place of the oldest") {
            (store: any HistoryStore) async throws in
            for number in 1...1_000 {
                try await store.add(HistorySamples.match("\(number)"), by: .streamPCM, at: HistorySamples.evening)
            }
            #expect(try await store.count() == 1_000)
            // Oldest by number: clocks are put back.
            try await store.add(HistorySamples.match("y"), by: .streamPCM, at: Date(timeIntervalSince1970: 0))
            #expect(try await store.count() == 1_000)
            #expect(try await store.entry(1) == nil)
            #expect(try await store.entry(2) != nil)
            #expect(try await store.entry(1_001)?.match.track.title == "y")
            // Where some are missing, none is removed too many.
            try await store.remove(500)
            try await store.add(HistorySamples.match("z"), by: .streamPCM, at: HistorySamples.evening)
            #expect(try await store.count() == 1_000)
            #expect(try await store.entry(2) != nil)
        },
    ]

    // MARK: - Changes

    private static let changes: [HistoryStoreRule] = [
        .init(name: "Cover and time of hearing may come later") { (store: any HistoryStore) async throws in
            let id = try await store.add(HistorySamples.full, by: .streamPCM, at: HistorySamples.evening).id
            let other = try await store.add(HistorySamples.full, by: .streamPCM, at: HistorySamples.evening).id
            let cover = HistoryEntry.CoverArt(mimeType: "image/png", data: Data([1, 2]))
            #expect(try await store.setCoverArt(cover, of: id))
            #expect(try await store.setHeard(120, of: id))
            let changed = try await store.entry(id)
            #expect(changed?.coverArt == cover && changed?.heard == 120)
            let unchanged = try await store.entry(other)
            #expect(unchanged != nil && unchanged?.coverArt == nil && unchanged?.heard == nil)
            #expect(try await store.setCoverArt(nil, of: id))
            #expect(try await store.entry(id)?.coverArt == nil)
        },
        .init(name: "What is removed is gone, alone or with all") { (store: any HistoryStore) async throws in
            for title in ["a", "b", "c"] {
                try await store.add(HistorySamples.match(title), by: .streamPCM, at: HistorySamples.evening)
            }
            #expect(try await store.remove(2))
            #expect(try await store.remove(2) == false)
            #expect(try await store.entries().map(\.id) == [3, 1])
            try await store.clear()
            #expect(try await store.count() == 0)
        },
        .init(name: "Dates, times and covers beyond the limits are refused") { (store: any HistoryStore) async throws in
            let match = HistorySamples.match("a")
            let large = HistoryEntry.CoverArt(
                mimeType: "image/png",
                data: Data(count: HistoryEntry.maximumCoverArtSize + 1)
            )
            await refused { try await store.add(match, by: .streamPCM, at: Date(timeIntervalSince1970: 1e300)) }
            await refused {
                _ = try await store.add(
                    match,
                    by: .streamPCM,
                    at: HistorySamples.evening,
                    place: nil,
                    coverArt: large,
                    heard: nil
                )
            }
            await refused { try await store.setHeard(-1, of: 1) }
            await refused { try await store.setHeard(.infinity, of: 1) }
            await refused { try await store.setCoverArt(large, of: 1) }
            #expect(try await store.count() == 0)
        },
    ]
}
