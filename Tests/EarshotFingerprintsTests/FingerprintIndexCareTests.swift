import EarshotCore
import EarshotSegments
@testable import EarshotFingerprints
import Foundation
import TestSupport
import Testing

@Suite("What an index of fingerprints survives")
struct FingerprintIndexCareTests {
    private func entry(_ id: Int, _ generator: inout SeededGenerator) throws -> FingerprintIndex.Entry {
        FingerprintIndex.Entry(id: UInt64(id), fingerprint: try generator.fingerprint(count: 300))
    }

    /// Changes a byte in the middle of a file, in place.
    private func damage(_ url: URL) throws {
        let handle = try FileHandle(forUpdating: url)
        let middle = try handle.seekToEnd() / 2
        try handle.seek(toOffset: middle)
        let byte = try #require(try handle.read(upToCount: 1)?.first)
        try handle.seek(toOffset: middle)
        try handle.write(contentsOf: Data([byte ^ 0x55]))
        try handle.close()
    }

    private func segments(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".earprints") }
    }

    // MARK: - Merging

    @Test(
        "A damaged segment is left out of merges: what is added is there, the others are merged, and the failure is told"
    )
    func damagedSegment() throws {
        var generator = SeededGenerator(seed: 31)
        try withTemporaryFolder { folder in
            let index = try FingerprintIndex(at: folder, access: .writing)
            var entries: [FingerprintIndex.Entry] = []
            for number in 0..<60 {
                // One of the first run, and one of a later one.
                if number == 6 || number == 33 {
                    try damage(
                        FingerprintIndex.segmentURL(index.snapshot.manifest.entries.last?.number ?? 0, in: folder)
                    )
                }
                entries.append(try entry(number, &generator))
                try index.add(entries.suffix(1))
                #expect(index.count == number + 1)
            }
            #expect(index.mergeFailure?.code == .storeDamaged)
            #expect(index.segmentCount < 20)
            // The damage is in postings or values of two fingerprints at most, and of those merged before.
            var found = 0
            for entry in entries where try index.search(for: entry.fingerprint).first?.id == entry.id { found += 1 }
            #expect(found >= 50)
            #expect(throws: EarshotError.self) { try index.verify() }
        }
    }

    @Test("Beyond the segments that there may be nothing is added, and the index can still be opened")
    func full() throws {
        var generator = SeededGenerator(seed: 32)
        try withTemporaryFolder { folder in
            var index: FingerprintIndex? = try FingerprintIndex(at: folder, access: .writing, mostSegments: 10)
            var failure: EarshotError?
            var added = 0
            for number in 0..<30 {
                let entry = try entry(number, &generator)
                do throws(EarshotError) {
                    try index?.add([entry])
                    added += 1
                } catch {
                    failure = error
                    break
                }
                try damage(FingerprintIndex.segmentURL(UInt64(number + 1), in: folder))
            }
            #expect(added == 10)
            #expect(failure?.code == .writeFailed)
            #expect(failure?.message.contains("10 segments") == true)
            #expect(index?.count == 10)
            index = nil
            #expect(try FingerprintIndex(at: folder, access: .writing, mostSegments: 10).count == 10)
        }
    }

    @Test("A merge that failed waits until there is more to merge, and leaves out what is damaged at once")
    func care() {
        var care = MergeRetryState()
        let error = EarshotError(.writeFailed, "full")
        #expect(care.isDue(0))
        care.failed(error, segments: 8, waitingFor: 8)
        #expect(!care.isDue(15))
        #expect(care.isDue(16))
        #expect(care.failure?.message == "full")
        care.succeeded()
        #expect(care.isDue(8))
        #expect(care.failure == nil)
        care.failed(error, damaged: [3, 4])
        #expect(care.isDue(8))
        care.succeeded()
        // As long as it is there it is told.
        #expect(care.failure?.message == "full")
        care.keep([4, 5])
        #expect(care.damaged == [4])
        care.retry()
        #expect(care.damaged.isEmpty)
    }

    // MARK: - Opening

    @Test("A manifest that cannot be read is not taken for one that is missing, and nothing is removed")
    func unreadableManifest() throws {
        var generator = SeededGenerator(seed: 33)
        try withTemporaryFolder { folder in
            try FingerprintIndex(at: folder, access: .writing).add([entry(1, &generator)])
            let manifest = StoreFolder.manifestURL(in: folder)
            let bytes = try Data(contentsOf: manifest)
            try FileManager.default.removeItem(at: manifest)
            // Segments without a manifest are somebody's, and no new index.
            let alone = #expect(throws: EarshotError.self) { try FingerprintIndex(at: folder, access: .writing) }
            #expect(alone?.code == .storeDamaged)
            #expect(try segments(folder).count == 1)
            // A folder can be opened and not be read, whoever asks.
            try FileManager.default.createDirectory(at: manifest, withIntermediateDirectories: false)
            let error = #expect(throws: EarshotError.self) { try FingerprintIndex(at: folder, access: .writing) }
            #expect(error?.code == .storeUnavailable)
            #expect(try segments(folder).count == 1)
            try FileManager.default.removeItem(at: manifest)
            try bytes.write(to: manifest)
            #expect(try FingerprintIndex(at: folder, access: .writing).count == 1)
        }
    }

    @Test("Files that a lost process has left are removed, and others are not")
    func remains() throws {
        try withTemporaryFolder { folder in
            _ = try FingerprintIndex(at: folder, access: .writing)
            for name in [".earshot-1234.partial", "99.earprints", "notes.partial", "notes.txt"] {
                try Data("x".utf8).write(to: folder.appendingPathComponent(name))
            }
            _ = try FingerprintIndex(at: folder, access: .reading)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 6)
            _ = try FingerprintIndex(at: folder, access: .writing)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(left == ["lock", "manifest", "notes.partial", "notes.txt"])
        }
    }

    @Test("Who reads while segments are merged reads the new manifest when a segment of the old one is gone")
    func race() throws {
        var generator = SeededGenerator(seed: 34)
        try withTemporaryFolder { folder in
            let index = try FingerprintIndex(at: folder, access: .writing)
            for number in 0..<3 { try index.add([entry(number, &generator)]) }
            let old = try #require(try FingerprintIndex.readManifest(folder))
            try index.merge()
            var reads = 0
            let snapshot = try FingerprintIndex.load(folder) { () throws(EarshotError) in
                reads += 1
                return reads == 1 ? old : try FingerprintIndex.readManifest(folder)
            }
            #expect(reads == 2)
            #expect(snapshot.segments.map(\.documentCount) == [3])
            // One that stays as it is and names what is not there is damaged.
            let error = #expect(throws: EarshotError.self) {
                try FingerprintIndex.load(folder) { () throws(EarshotError) in old }
            }
            #expect(error?.code == .storeDamaged)
        }
    }

    @Test("A damaged index is put aside and another begun, and one that is in use is not")
    func replacing() throws {
        var generator = SeededGenerator(seed: 35)
        try withTemporaryFolder { parent in
            let folder = parent.appendingPathComponent("prints")
            let aside = parent.appendingPathComponent("prints.damaged")
            for round in 1...2 {
                do {
                    let (index, damage) = try FingerprintIndex.replacingDamaged(at: folder)
                    #expect(damage?.code == (round == 1 ? nil : .storeDamaged))
                    for _ in 0..<round { try index.add([entry(round, &generator)]) }
                    let second = #expect(throws: EarshotError.self) {
                        try FingerprintIndex.replacingDamaged(at: folder)
                    }
                    #expect(second?.code == .storeUnavailable)
                }
                // Whole, it is opened as it is.
                #expect(try FingerprintIndex.replacingDamaged(at: folder).index.count == round)
                let manifest = StoreFolder.manifestURL(in: folder)
                try Data(try Data(contentsOf: manifest).dropLast(3)).write(to: manifest)
            }
            let (index, damage) = try FingerprintIndex.replacingDamaged(at: folder)
            #expect(damage?.code == .storeDamaged)
            #expect(index.count == 0)
            // Of those put aside the last is kept.
            #expect(try segments(aside).count == 2)
        }
    }

    @Test("An index remembers whose numbers it has, and is empty for another")
    func owner() throws {
        var generator = SeededGenerator(seed: 36)
        try withTemporaryFolder { folder in
            let owner = UUID()
            do {
                let index = try FingerprintIndex(at: folder, access: .writing)
                #expect(index.owner == nil)
                try index.reset(for: owner)
                try index.add([entry(1, &generator)])
            }
            let index = try FingerprintIndex(at: folder, access: .writing)
            #expect((index.owner, index.count) == (owner, 1))
            let other = UUID()
            try index.reset(for: other)
            #expect((index.owner, index.count) == (other, 0))
            #expect(try segments(folder).isEmpty)
            try index.add([entry(2, &generator)])
            #expect(try FingerprintIndex(at: folder, access: .reading).owner == other)
        }
    }
}
