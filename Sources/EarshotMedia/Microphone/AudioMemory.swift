public import EarshotCore
public import Foundation
import Synchronization

/// A receiver that keeps the latest audio of a ``Microphone`` in memory, for a query about audio that was just heard.
public final class AudioMemory: AudioReceiver {
    private struct State {
        var bytes: [UInt8] = []
        var configuration: AudioConfiguration?

        /// The last bytes, whole frames.
        func kept(_ limit: Int) -> ArraySlice<UInt8> {
            bytes.suffix(limit / (configuration?.bytesPerFrame ?? 1) * (configuration?.bytesPerFrame ?? 1))
        }
    }

    /// The number of bytes beyond the limit at which the oldest are dropped, so that not every block moves all others.
    private static let slack = 65_536

    /// The largest number of bytes that are kept.
    public let limit: Int
    private let state = Mutex(State())

    /// Creates an empty memory.
    ///
    /// - Parameter limit: The largest number of bytes that are kept; the oldest are dropped. `nil` to keep all.
    public init(limit: Int? = nil) { self.limit = max(0, limit ?? .max) }

    /// The kept audio, in whole frames in the microphone's format.
    public var bytes: Data { state.withLock { Data($0.kept(limit)) } }

    /// The number of bytes held, including those that will be dropped.
    package var heldCount: Int { state.withLock { $0.bytes.count } }

    /// The kept audio as samples; `nil` if there is none.
    public var audio: AudioBuffer? {
        let (bytes, configuration) = state.withLock { ($0.kept(limit), $0.configuration) }
        guard let configuration, !bytes.isEmpty else { return nil }
        return bytes.withUnsafeBytes { AudioBuffer($0, as: configuration) }
    }

    /// Removes all audio.
    public func clear() { state.withLock { $0 = State() } }

    /// Appends audio. Audio in another format replaces all earlier audio.
    public func receive(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration) {
        state.withLock { state in
            if state.configuration != configuration { state.bytes = [] }
            state.configuration = configuration
            state.bytes.append(contentsOf: bytes)
            let surplus = state.bytes.count - state.kept(limit).count
            if surplus > Self.slack { state.bytes.removeFirst(surplus) }
        }
    }
}
