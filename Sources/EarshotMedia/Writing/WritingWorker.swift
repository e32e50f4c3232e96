import Dispatch
import EarshotCore
import Foundation

/// Runs a writer on a thread of its own: its calls block, and Swift's few shared threads must not.
///
/// Unchecked, because the compiler cannot see that `writer` is touched on `queue` only.
final class WritingWorker: @unchecked Sendable {
    private let destination: SoundWriter.Destination
    private let type: FileType
    private let queue = DispatchQueue(label: "earshot.media.writer", qos: .userInitiated)
    private let cancellation = Cancellation()
    private var writer: SoundWriter?

    init(_ destination: SoundWriter.Destination, type: FileType) {
        (self.destination, self.type) = (destination, type)
    }

    func open(_ settings: EncoderSettings, start: MediaTime) async throws(EarshotError) {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            writer = try SoundWriter(destination, type: type, settings: settings, start: start)
        }
        try result.get()
    }

    /// Writes a block, and tells when it is written.
    func write(_ block: AudioBlock, _ written: @escaping @Sendable (Result<Void, EarshotError>) -> Void) {
        queue.async { [self] in
            let result = Result { () throws(EarshotError) in
                if cancellation.isCancelled { throw Demuxer.cancelled(destination.name) }
                try writer?.append(DecodedBlock(block))
            }
            written(result)
        }
    }

    func finish() async throws(EarshotError) -> WrittenFile {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            defer { writer = nil }
            guard !cancellation.isCancelled, let writer else { throw Demuxer.cancelled(destination.name) }
            return try writer.finish()
        }
        return try result.get()
    }

    /// Ends it; what was written goes as soon as nobody writes any more.
    func cancel() {
        cancellation.cancel()
        queue.async { [self] in writer = nil }
    }
}
