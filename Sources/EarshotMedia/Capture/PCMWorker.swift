import CFFmpeg
import Dispatch
import EarshotCore

/// Reads raw samples on a thread of its own: reading blocks.
///
/// Unchecked, because the compiler cannot see that `parser`, `isAtEnd` and `input` are touched on `queue` only.
final class PCMWorker: @unchecked Sendable {
    private let queue = DispatchQueue(label: "earshot.capture.pcm", qos: .userInitiated)
    private let cancellation = Cancellation()
    private let input: PipeInput
    private var parser: PCMParser
    private var isAtEnd = false
    private var buffer = [UInt8](repeating: 0, count: 1 << 15)

    init(descriptor: Int32, parser: PCMParser) {
        input = PipeInput(descriptor: descriptor, cancellation: cancellation)
        self.parser = parser
    }

    func cancel() {
        cancellation.cancel()
    }

    func next() async throws(EarshotError) -> AudioBlock? {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            try read()
        }
        return try result.get()
    }

    private func read() throws(EarshotError) -> AudioBlock? {
        while !isAtEnd {
            if let block = parser.nextBlock() { return block }
            let wanted = Int32(min(parser.missingBytes, buffer.count))
            let count = buffer.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { input.read($0, wanted) } ?? earshot_error_io()
            }
            if count > 0 {
                parser.append(buffer.prefix(Int(count)))
                continue
            }
            isAtEnd = true
            if count == earshot_error_end() { return parser.finish() }
            if cancellation.isCancelled { throw Demuxer.cancelled("raw samples") }
            throw EarshotError(
                .readFailed,
                "Raw samples could not be read any further, at \(parser.position.label) (\(FFmpegText.reason(count))): "
                    + "check that the descriptor is open for reading.",
                position: parser.position
            )
        }
        return nil
    }
}
