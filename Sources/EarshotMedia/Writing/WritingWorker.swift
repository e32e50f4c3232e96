import Dispatch
import EarshotCore
import Foundation

/// Runs a writer on a thread of its own: its calls block, and Swift's few shared threads must not.
///
/// Unchecked, because the compiler cannot see that `sink` is touched on `queue` only.
final class WritingWorker: @unchecked Sendable {
    /// The format of the input.
    enum Format: Sendable {
        case sound(EncoderSettings)
        case packets(EncodedFormat)
    }

    /// A piece of it.
    enum Piece: Sendable {
        case block(AudioBlock)
        case packet(EncodedPacket)
    }

    private enum Sink {
        case sound(AudioStreamWriter)
        case packets(PacketSink)
    }

    private let destination: AudioStreamWriter.Destination
    private let type: FileType
    /// The queue on which the writer runs: tests hold it up there.
    let queue = DispatchQueue(label: "earshot.media.writer", qos: .userInitiated)
    private let cancellation = Cancellation()
    private var sink: Sink?

    init(_ destination: AudioStreamWriter.Destination, type: FileType) {
        (self.destination, self.type) = (destination, type)
    }

    func open(_ format: Format, start: MediaTime) async throws(EarshotError) {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            switch format {
            case .sound(let settings):
                sink = .sound(try AudioStreamWriter(destination, type: type, settings: settings, start: start))
            case .packets(let format):
                let isWhole = start <= .zero
                sink = .packets(
                    try PacketSink(
                        destination,
                        type: type,
                        format: format,
                        start: isWhole ? nil : start,
                        name: destination.name
                    )
                )
            }
        }
        try result.get()
    }

    /// Writes a piece, and tells when it is written.
    func write(_ piece: Piece, _ written: @escaping @Sendable (Result<Void, EarshotError>) -> Void) {
        queue.async { [self] in
            let result = Result { () throws(EarshotError) in
                if cancellation.isCancelled { throw Demuxer.cancelled(destination.name) }
                switch (sink, piece) {
                case (.sound(let writer), .block(let block)): try writer.append(DecodedBlock(block))
                case (.packets(let sink), .packet(let packet)): try sink.write(packet)
                default: break
                }
            }
            written(result)
        }
    }

    func finish() async throws(EarshotError) -> WrittenFile {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            defer { sink = nil }
            guard !cancellation.isCancelled, let sink else { throw Demuxer.cancelled(destination.name) }
            return switch sink {
            case .sound(let writer): try writer.finish()
            case .packets(let sink): try sink.finish()
            }
        }
        return try result.get()
    }

    /// Ends it; what was written goes as soon as nobody writes any more.
    func cancel() {
        cancellation.cancel()
        queue.async { [self] in sink = nil }
    }
}
