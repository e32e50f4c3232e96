import Dispatch
import EarshotCore
import Synchronization

/// Plays on a thread of its own: a device takes audio in real time, and Swift's few shared threads must not wait so
/// long.
///
/// Unchecked, because the compiler cannot see that `stream` is touched on `queue` only.
final class OutputWorker: @unchecked Sendable {
    private let devices: [OutputDevice]
    private let queue = DispatchQueue(label: "earshot.media.output", qos: .userInteractive)
    private let cancellation = Cancellation()
    private let latency = Mutex(MediaTime.zero)
    private var stream: OutputStream?

    init(_ devices: [OutputDevice]) {
        self.devices = devices
    }

    /// The latency until the last audio is heard.
    var delay: MediaTime { latency.withLock { $0 } }

    func play(_ buffer: AudioBuffer) async throws(EarshotError) {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            if cancellation.isCancelled { throw Self.cancelled }
            if stream?.format != buffer.format {
                try stream?.finish()
                stream = nil
                stream = try open(buffer.format)
            }
            try stream?.write(buffer)
            let delay = stream?.delay ?? .zero
            latency.withLock { $0 = delay }
        }
        try result.get()
    }

    /// Waits until everything is heard.
    func finish() async throws(EarshotError) {
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            defer { stream = nil }
            if cancellation.isCancelled { throw Self.cancelled }
            try stream?.finish()
        }
        try result.get()
    }

    func cancel() {
        cancellation.cancel()
        queue.async { [self] in stream = nil }
    }

    /// The first device that can be opened.
    private func open(_ format: AudioFormat) throws(EarshotError) -> OutputStream {
        var failure: EarshotError?
        for device in devices {
            do throws(EarshotError) {
                return try OutputStream(device, format: format)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? EarshotError(.deviceUnavailable, "There is no device to play through: connect one.")
    }

    private static let cancelled = EarshotError(.cancelled, "Playing was canceled.")
}
