import EarshotCore
import Synchronization

/// The progress of one reader, which any thread may ask for.
final class ProgressMeter: Sendable {
    /// The most that is shown until everything has been read, however wrong the expectation was.
    private static let almost = 0.9999

    private let state: Mutex<ReadingProgress>
    private let start: MediaTime
    private let expected: MediaTime?

    /// - Parameters:
    ///   - start: The asset's time at which reading begins.
    ///   - expected: The duration that will be read, if known.
    init(start: MediaTime, expected: MediaTime?) {
        self.start = start
        self.expected = expected
        state = Mutex(ReadingProgress(position: start, fraction: expected == nil ? nil : 0))
    }

    var progress: ReadingProgress { state.withLock { $0 } }

    func delivered(_ block: DecodedBlock) {
        let end = block.endTime
        let bytes = block.samples.count * block.samples.kind.byteCount
        let part = expected.map { $0.seconds > 0 ? min((end - start).seconds / $0.seconds, Self.almost) : 0 }
        state.withLock {
            $0.position = max($0.position, end)
            $0.frameCount += Int64(block.frameCount)
            $0.byteCount += Int64(bytes)
            if let part { $0.fraction = max($0.fraction ?? 0, part) }
        }
    }

    func foundDamage() {
        state.withLock { $0.damagedPacketCount += 1 }
    }

    /// Everything was read.
    ///
    /// - Parameter mismatch: The difference to the declared duration.
    func finished(_ mismatch: DurationMismatch? = nil) {
        state.withLock {
            if $0.fraction != nil { $0.fraction = 1 }
            $0.durationMismatch = mismatch
        }
    }
}
