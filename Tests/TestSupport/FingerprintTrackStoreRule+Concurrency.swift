import EarshotCore
import EarshotFingerprints
import Foundation
import Synchronization
import Testing

extension FingerprintTrackStoreRule {
    /// Rules of changes at the same moment.
    static let concurrency: [FingerprintTrackStoreRule] = [
        .init(name: "of many who import a submission one does") { (store: any FingerprintTrackStore) async throws in
            let number = try #require(try await store.submit([submission("a", "ann", song)]).first)
            let added = try await withThrowingTaskGroup(of: StoredFingerprint?.self) { group in
                for _ in 0..<10 {
                    group.addTask { try await store.complete(submission: number, .begin(UUID())) }
                }
                return try await group.reduce(into: [StoredFingerprint]()) { if let one = $1 { $0.append(one) } }
            }
            #expect(added.map(\.number) == [1])
            #expect(try await store.counts().tracks == 1)
        },
        .init(name: "submissions that are sent at the same moment get numbers of their own") {
            (store: any FingerprintTrackStore) async throws in
            let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
                for sender in 0..<20 {
                    group.addTask { try await store.submit((0..<5).map { submission("\(sender) \($0)", "ann", nil) }) }
                }
                return try await group.reduce(into: [[Int]]()) { $0.append($1) }
            }
            #expect(numbers.allSatisfy { $0 == $0.sorted() })
            let pending = try await store.pendingSubmissions(limit: 1_000, byteLimit: 1 << 20)
            #expect(pending.map(\.number) == numbers.flatMap(\.self).sorted())
            // Each under the number that its sender was told.
            let texts = Dictionary(uniqueKeysWithValues: pending.map { ($0.number, $0.submission.fingerprint) })
            for group in numbers {
                #expect(group.compactMap { texts[$0]?.split(separator: " ").last } == ["0", "1", "2", "3", "4"])
            }
        },
        .init(name: "an index that follows misses none of those that are added meanwhile") {
            (store: any FingerprintTrackStore) async throws in
            let numbers = try await store.submit((0..<60).map { submission("\($0)", "ann", song) })
            let isDone = Mutex(false)
            async let followed = {
                var (seen, isLast): ([UInt64], Bool) = ([], false)
                while true {
                    // Looked at before: what was added until then must be in this part or one that follows.
                    isLast = isDone.withLock { $0 }
                    let part = try await store.fingerprints(after: seen.last ?? 0, limit: 3, byteLimit: 1 << 20)
                    seen += part.map(\.number)
                    if part.isEmpty, isLast { return seen }
                }
            }()
            let added: Result<[UInt64], any Error>
            do {
                added = .success(
                    try await withThrowingTaskGroup(of: UInt64?.self) { group in
                        for number in numbers {
                            group.addTask { try await store.complete(submission: number, .begin(UUID()))?.number }
                        }
                        return try await group.reduce(into: [UInt64]()) { if let one = $1 { $0.append(one) } }
                    }
                )
            } catch {
                added = .failure(error)
            }
            isDone.withLock { $0 = true }
            #expect(try await followed == Array(1...60))
            #expect(try added.get().sorted() == Array(1...60))
        },
        .init(name: "tracks that are merged into each other at the same moment become one") {
            (store: any FingerprintTrackStore) async throws in
            try await fill(store)
            let all = [one, two, three]
            let numbers = try await store.submit((0..<12).map { submission("d\($0)", "user \($0)", song) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (place, number) in numbers.enumerated() {
                    let target = all[place % 3]
                    let others = all.filter { $0 != target }
                    group.addTask {
                        let decision = FingerprintDecision.join(
                            target,
                            same: nil,
                            absorbing: place % 2 == 0 ? others : others.reversed()
                        )
                        _ = try await store.complete(submission: number, decision)
                    }
                    // Whatever it was merged into meanwhile, the link is found.
                    group.addTask {
                        let isFound = try await store.setDisabled(place % 2 == 0, recording: song, of: two)
                        #expect(isFound)
                    }
                }
                try await group.waitForAll()
            }
            let track = try #require(try await store.track(one))
            for id in all { #expect(try await store.track(id) == track) }
            let counts = try await store.counts()
            #expect((counts.tracks, counts.fingerprints, counts.links, counts.pending) == (1, 15, 2, 0))
            #expect(try await store.fingerprints(of: [one], limit: 99).count == 15)
            #expect(try await store.links(of: [one], limit: 9)[one]?.map(\.sources).sorted() == [1, 13])
        },
    ]
}
