import Dispatch
import EarshotCore
import Foundation

/// Runs a decoder on a thread of its own: its calls block, and Swift's few shared threads must not.
///
/// Unchecked, because the compiler cannot see that `decoder` is touched on `queue` only.
final class DecodingWorker: @unchecked Sendable {
    /// What is known once a file is open.
    struct Facts: Sendable {
        let format: AudioFormat
        let duration: MediaTime
        let expectedDuration: MediaTime?
        let streamIndex: Int
        let meter: ProgressMeter
    }

    private let queue = DispatchQueue(label: "earshot.media.reader", qos: .userInitiated)
    private let cancellation = Cancellation()
    private var decoder: AudioDecoder?

    func cancel() {
        cancellation.cancel()
    }

    func open(_ url: URL, options: AssetReader.Options) async throws(EarshotError) -> Facts {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            let decoder = try AudioDecoder(url, options: options, cancellation: cancellation)
            self.decoder = decoder
            return Facts(
                format: decoder.format,
                duration: decoder.assetDuration,
                expectedDuration: decoder.expectedDuration,
                streamIndex: decoder.streamIndex,
                meter: decoder.meter
            )
        }
        return try result.get()
    }

    func next() async throws(EarshotError) -> AudioBlock? {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            try decoder?.next()
        }
        return try result.get()
    }
}
