import EarshotCore
import EarshotFingerprints
import EarshotNodes
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Fingerprints of several nodes", .timeLimit(.minutes(1)))
struct FingerprintImporterTests {
    /// A node with an index of its own.
    private struct Node {
        let library: FingerprintLibrary
        let importer: FingerprintImporter

        init(
            _ name: String,
            in folder: URL,
            _ store: any FingerprintTrackStore,
            _ leases: any LeaseStore,
            _ clock: ManualClock
        ) throws {
            let index = try FingerprintIndex(at: folder.appendingPathComponent(name), access: .writing)
            library = FingerprintLibrary(index: index, store: store)
            importer = FingerprintImporter(
                library,
                leases: LeaseKeeper(leases, node: NodeID(rawValue: name)),
                isShared: true,
                logger: TestService.silentLogger,
                clock: clock.clock
            )
        }

        func run() async {
            await importer.run { (work: () async throws(EarshotError) -> Void) in try? await work() }
        }
    }

    private func submission(_ fingerprint: FileFingerprint) -> FingerprintSubmission {
        FingerprintSubmission(
            fingerprint: fingerprint.text,
            duration: Int(fingerprint.duration.seconds),
            application: "a",
            submitter: "b",
            date: Date(timeIntervalSince1970: 1_800_000_000)
        )
    }

    @Test("one node imports at a time, the others follow, and one takes over from a node that has died")
    func takingOver() async throws {
        try await withTemporaryFolder { folder in
            let (clock, leaseClock) = (ManualClock(), ManualClock())
            let store = try SQLiteFingerprintStore.inMemory()
            let leases = CountingLeaseStore(MemoryLeaseStore(clock: leaseClock.clock))
            let lease = FingerprintLibrary.importLease
            let nodes = [
                try Node("node-a", in: folder, store, leases, clock),
                try Node("node-b", in: folder, store, leases, clock),
            ]
            var generator = SeededGenerator(seed: 1)
            let fingerprint = try generator.fingerprint(count: 900)
            _ = try await leases.take(lease, for: TestNodes.dead, seconds: 15)
            _ = try await store.submit([submission(fingerprint), submission(fingerprint)])
            func passSecond() async throws {
                clock.advance(by: 1)
                try await Task.sleep(for: .milliseconds(2))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for node in nodes { group.addTask { await node.run() } }
                // Both ask each second.
                while leases.refusals(of: lease) < 6 { try await passSecond() }
                #expect(try await store.counts().fingerprints == 0)
                leaseClock.advance(by: 15)
                var counts = try await store.counts()
                while counts.pending > 0
                    || nodes.contains(where: { $0.library.index.count != max(1, counts.fingerprints) })
                {
                    try await passSecond()
                    counts = try await store.counts()
                }
                group.cancelAll()
            }
            #expect(try await store.counts().tracks == 1)
        }
    }
}
