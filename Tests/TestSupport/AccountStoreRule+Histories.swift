import EarshotCore
import EarshotRecognition
import Foundation
import Testing

extension AccountStoreRule {
    static let histories: [AccountStoreRule] = [
        .init(name: "numbers of a user's history are not given again, and the oldest make room") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            try await store.put(user("b"))
            for number in 1...5 {
                let entry = try await store.addHistory(of: "a", date: now, kind: "stream", match: match, limit: 3)
                #expect(entry.id == number)
            }
            #expect(try await store.history(of: "a", offset: 0, limit: 10).map(\.id) == [5, 4, 3])
            #expect(try await store.history(of: "a", offset: 1, limit: 1).map(\.id) == [4])
            try await store.removeHistory(of: "a", entry: 5)
            let time = now.addingTimeInterval(0.1234567)
            #expect(try await store.addHistory(of: "a", date: time, kind: "file", match: match, limit: 3).id == 6)
            let last = try #require(try await store.history(of: "a", offset: 0, limit: 1).first)
            // A date comes back to the bit: it is compared for equality.
            #expect(last.match == match && last.kind == "file" && last.date == time)
            try await store.removeHistory(of: "a", entry: nil)
            #expect(try await store.historyCount(of: "a") == 0)
            #expect(try await store.addHistory(of: "b", date: now, kind: "file", match: match, limit: 3).id == 1)
            await refused {
                try await store.addHistory(of: "nobody", date: now, kind: "file", match: match, limit: 3)
            }
        },
        .init(name: "a character U+0000 is kept in the texts of a history, and is not searched for") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            let found = [match("Lan\u{0}tern \u{0} Light", by: "\u{0}"), match("!\u{0}?", by: "The\u{0}Foxes")]
            for match in found {
                try await store.addHistory(of: "a", date: now, kind: "stream", match: match, limit: 10)
            }
            #expect(try await store.history(of: "a", offset: 0, limit: 10).map(\.match) == found.reversed())
            for (words, id) in [("light", 1), ("tern \u{0} li", 1), ("foxes", 2), ("\u{0}foxes\u{0}", 2)] {
                #expect(try await store.history(of: "a", matching: words, offset: 0, limit: 10).map(\.id) == [id])
            }
            #expect(try await store.historyCount(of: "a", matching: "\u{0}") == 2)
        },
        .init(name: "entries are found by parts of words, whatever the case and the accents") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            try await store.put(user("b"))
            for found in [
                match("Café del Mar", by: "Energy 52"), match("Lantern", by: "The Tin Foxes", on: "Morning Rail"),
                match("朝の線路", by: "錫の狐"), match("100% _Pure_", by: "x' OR 1=1 --"), MusicMatch(),
            ] {
                try await store.addHistory(of: "a", date: now, kind: "stream", match: found, limit: 10)
            }
            func ids(_ words: String?) async throws -> [Int] {
                let ids = try await store.history(of: "a", matching: words, offset: 0, limit: 10).map(\.id)
                #expect(try await store.historyCount(of: "a", matching: words) == ids.count)
                return ids
            }
            #expect(try await ids(nil) == [5, 4, 3, 2, 1])
            #expect(try await ids("CAFE mar") == [1])
            #expect(try await ids("foxes rail lanter") == [2])
            #expect(try await ids("foxes cafe").isEmpty)
            #expect(try await ids("線路") == [3])
            #expect(try await ids("pure") == [4])
            #expect(try await ids("or 1=1") == [4])
            #expect(try await store.history(of: "a", matching: "a", offset: 1, limit: 1).count == 1)
            #expect(try await store.history(of: "b", matching: "cafe", offset: 0, limit: 10).isEmpty)
        },
        .init(name: "a place is kept with an entry, replaced and removed, of its own user only") {
            (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            try await store.put(user("b"))
            for _ in 0..<2 { try await store.addHistory(of: "a", date: now, kind: "stream", match: match, limit: 10) }
            let vienna = try #require(HistoryPlace(latitude: 48.2, longitude: 16.37, accuracy: 30))
            let null = try #require(HistoryPlace(latitude: 0, longitude: 0))
            #expect(try await store.setHistoryPlace(null, of: "a", entry: 1))
            #expect(try await store.setHistoryPlace(vienna, of: "a", entry: 2))
            #expect(try await store.setHistoryPlace(vienna, of: "a", entry: 3) == false)
            #expect(try await store.setHistoryPlace(vienna, of: "b", entry: 1) == false)
            #expect(try await store.history(of: "a", offset: 0, limit: 10).map(\.place) == [vienna, null])
            #expect(try await store.setHistoryPlace(nil, of: "a", entry: 2))
            #expect(try await store.history(of: "a", offset: 0, limit: 10).map(\.place) == [nil, null])
        },
        .init(name: "a hundred entries at once get a hundred numbers") { (store: any AccountStore) async throws in
            try await store.put(client("1"))
            try await store.put(user("a"))
            let ids = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await store.addHistory(of: "a", date: now, kind: "file", match: MusicMatch(), limit: 1_000)
                            .id
                    }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(ids == Set(1...100))
        },
    ]
}
