import EarshotCore
package import EarshotNodes
import Foundation
import Testing

/// A rule that every store of live channels keeps: the suite of each store runs all of them.
package struct LiveChannelStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any LiveChannelStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    init(name: String, _ body: @escaping @Sendable (any LiveChannelStore) async throws -> Void) {
        (self.name, self.body) = (name, body)
    }

    /// Holds an empty store against the rule.
    package func check(_ store: any LiveChannelStore) async throws { try await body(store) }

    /// A chunk from some second to another one.
    private static func chunk(_ start: Int64, _ end: Int64) -> LiveChannelChunk {
        LiveChannelChunk(
            start: start * 1_000,
            end: end * 1_000,
            signature: Data([0, 0xFF] + withUnsafeBytes(of: start.bigEndian) { Array($0) })
        )
    }

    private static func append(
        _ chunks: [LiveChannelChunk],
        to channel: String = "7",
        in store: any LiveChannelStore
    ) async throws -> [Bool] {
        try await store.append(chunks, to: channel, channelLimit: 256)
    }

    private static func all(_ store: any LiveChannelStore) async throws -> [LiveChannelPage.Entry] {
        try await store.chunks(after: 0, limit: 10_000).entries
    }

    /// All rules.
    package static let all: [LiveChannelStoreRule] = reading + taking + removing

    private static let reading: [LiveChannelStoreRule] = [
        .init(name: "a store that was never used has a name, and nothing else") {
            (store: any LiveChannelStore) async throws in
            let page = try await store.chunks(after: 0, limit: 10)
            #expect(!page.log.isEmpty && page.last == 0 && page.entries.isEmpty)
            #expect(try await store.chunks(after: 0, limit: 10).log == page.log)
            #expect(try await append([], in: store).isEmpty)
        },
        .init(name: "chunks come out as they were put in, with numbers in their order") {
            (store: any LiveChannelStore) async throws in
            #expect(try await append([chunk(0, 4), chunk(4, 8)], in: store) == [true, true])
            #expect(try await append([chunk(2, 6)], to: "kanal é 日本", in: store) == [true])
            #expect(try await append([chunk(8, 12)], in: store) == [true])
            let entries = try await all(store)
            #expect(entries.map(\.number) == [1, 2, 3, 4])
            #expect(entries.map(\.channel) == ["7", "7", "kanal é 日本", "7"])
            #expect(entries.map(\.chunk) == [chunk(0, 4), chunk(4, 8), chunk(2, 6), chunk(8, 12)])
        },
        .init(name: "pages follow each other, and end where there is no more") {
            (store: any LiveChannelStore) async throws in
            _ = try await append((0..<7).map { chunk($0 * 4, $0 * 4 + 4) }, in: store)
            var numbers: [Int] = []
            while true {
                let page = try await store.chunks(after: numbers.last ?? 0, limit: 3)
                #expect(page.last == 7)
                if page.entries.isEmpty { break }
                numbers += page.entries.map(\.number)
            }
            #expect(numbers == Array(1...7))
            #expect(try await store.chunks(after: 2, limit: 0).entries.isEmpty)
            #expect(try await store.chunks(after: 99, limit: 3).entries.isEmpty)
        },
        .init(name: "whoever reads while others write misses nothing") { (store: any LiveChannelStore) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for channel in 0..<4 {
                    group.addTask { () async throws in
                        for second in 0..<10 {
                            let chunks = [chunk(Int64(second) * 8, Int64(second) * 8 + 4)]
                            #expect(try await append(chunks, to: "\(channel)", in: store) == [true])
                        }
                    }
                }
                group.addTask { () async throws in
                    var numbers: [Int] = []
                    while numbers.count < 40 {
                        numbers += try await store.chunks(after: numbers.last ?? 0, limit: 5).entries.map(\.number)
                    }
                    #expect(numbers == Array(1...40))
                }
                try await group.waitForAll()
            }
        },
    ]

    private static let taking: [LiveChannelStoreRule] = [
        .init(name: "only what lies behind all that is known of a channel is kept") {
            (store: any LiveChannelStore) async throws in
            #expect(try await append([chunk(10, 14)], in: store) == [true])
            // The same again, an earlier one, one that ends at the same instant, and one without length.
            let late = [chunk(10, 14), chunk(2, 6), chunk(12, 14), chunk(20, 20)]
            #expect(try await append(late, in: store) == [false, false, false, false])
            #expect(try await store.chunks(after: 0, limit: 9).last == 1)
            // What begins before the end and goes on behind it is kept whole; so is what follows after a pause.
            #expect(try await append([chunk(12, 16), chunk(14, 16), chunk(90, 94)], in: store) == [true, false, true])
            #expect(try await all(store).map(\.chunk) == [chunk(10, 14), chunk(12, 16), chunk(90, 94)])
            #expect(try await append([chunk(2, 6)], to: "8", in: store) == [true])
        },
        .init(name: "of those who send the same chunk at the same moment one is heard") {
            (store: any LiveChannelStore) async throws in
            let kept = try await withThrowingTaskGroup(of: [Bool].self) { group in
                for _ in 0..<8 { group.addTask { try await append([chunk(0, 4), chunk(4, 8)], in: store) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(kept.count { $0 } == 2)
            #expect(try await all(store).map(\.chunk) == [chunk(0, 4), chunk(4, 8)])
        },
        .init(name: "a channel too many is refused, and those that are known go on") {
            (store: any LiveChannelStore) async throws in
            for channel in ["a", "b"] {
                #expect(try await store.append([chunk(0, 4)], to: channel, channelLimit: 2) == [true])
            }
            let error = await #expect(throws: EarshotError.self) {
                try await store.append([chunk(0, 4)], to: "c", channelLimit: 2)
            }
            #expect(error?.code == .requestInvalid)
            #expect(try await store.append([chunk(4, 8)], to: "a", channelLimit: 2) == [true])
            #expect(try await all(store).map(\.channel) == ["a", "b", "a"])
        },
    ]

    private static let removing: [LiveChannelStoreRule] = [
        .init(name: "what ended long ago is removed, with channels of which nothing is left; numbers go on") {
            (store: any LiveChannelStore) async throws in
            let now = Int64(Date().timeIntervalSince1970)
            _ = try await append([chunk(now - 9_000, now - 8_996), chunk(now - 8_000, now - 7_996)], in: store)
            _ = try await append([chunk(now - 7_900, now - 7_896), chunk(now - 10, now - 6)], to: "8", in: store)
            #expect(try await store.remove(olderThan: 86_400) == 0)
            #expect(try await store.remove(olderThan: 3_600) == 3)
            #expect(try await all(store).map(\.number) == [4])
            let page = try await store.chunks(after: 1, limit: 10)
            #expect(page.last == 4 && page.entries.map(\.channel) == ["8"])
            // The one that is left knows its end; of the other nothing is known any more.
            #expect(try await append([chunk(now - 7_900, now - 7_896)], to: "8", in: store) == [false])
            #expect(try await append([chunk(now - 8_000, now - 7_996)], in: store) == [true])
            #expect(try await all(store).map(\.number) == [4, 5])
        }
    ]
}
