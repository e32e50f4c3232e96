import EarshotCore
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotMonitor

@Suite("Kinds of events")
struct MonitorEventKindsTests {
    @Test("A course of events has each kind at least once", .requirements("R-ACR-055", "R-ACR-056", "R-ACR-060"))
    func all() async throws {
        var stage = Stage {
            ($0.onlineInterval, $0.noMatchLimit, $0.noMatchIncrement, $0.noMatchMaxDelay) = (0, 1, 8, 60)
        }
        stage.core.isDebugLogging = true
        stage.start()
        // Silence is a miss; the sound behind it is a change, which waits for the delay and is another miss.
        stage.hear(silence(7))
        let silent = stage.events(.silent).map(\.value)
        #expect(silent.count >= 5 && silent.allSatisfy { $0 == -120 })
        stage.hear(noise(20))
        let ratios = stage.events(.silentRatio).map(\.value)
        #expect(ratios.allSatisfy { (0...1).contains($0) })
        // Of the first 10 s seven are silent.
        #expect(abs((ratios.first ?? 0) - 0.7) <= 0.05)
        // A match that is asked for, and a failure.
        stage.local = { _ in .success([.work("film")]) }
        stage.ask()
        stage.hear(noise(8))
        stage.local = { _ in .success([]) }
        stage.online = { _ in .failure(EarshotError(.networkUnavailable, "The cable is out.")) }
        stage.ask()
        stage.hear(noise(9))
        // A lookup of the local timer is raised, and begun anew behind a gap.
        stage.set { $0.localInterval = 5 }
        for _ in 0..<100 where stage.core.scheduler.state != .fingerprinting(.localOnly) { stage.hear(noise(0.1)) }
        stage.ask()
        stage.gap(2.5)
        stage.hear(noise(10))
        // Everything else that is heard, in a mode that follows it.
        stage.set { ($0.optimization, $0.localInterval, $0.onlineInterval) = (.adaptive, 0, -1) }
        stage.hear(SyntheticMusic(seed: 3, duration: 12).buffer())
        stage.hear(noise(12))
        for clip in ["fr-dir-instr", "fr-vm-newuser", "it-dir-instr"] {
            stage.hear(try ClassificationAudio.speech(clip, 4))
        }
        stage.pass(3)
        let heard = Set(stage.kinds)
        #expect(StatusEvent.Kind.all.filter { !heard.contains($0) } == [.ingestProgress])
        #expect(heard.isSubset(of: StatusEvent.Kind.all))
        #expect(StatusEvent.Kind.all.count == 33 && Set(StatusEvent.Kind.all).count == 33)
        // A bundle is read by the monitor, not by its core.
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.earbundle")
            let bytes = try BundleSamples.full()
            try Data(bytes).write(to: file)
            let monitor = try Monitor(registration: .local, store: nil, service: nil)
            let statuses = monitor.statuses
            try await monitor.ingest(
                FileBundleSource(file),
                into: BundleStore(folder: folder.appendingPathComponent("store"))
            )
            await monitor.settled()
            var iterator = statuses.makeAsyncIterator()
            let event = await iterator.next()
            #expect(event?.kind == .ingestProgress && event?.value == Double(bytes.count))
        }
    }
}
