public import EarshotCore
public import Foundation
import Synchronization

/// Keeps the last bytes of a microphone, for a query about audio that was just heard.
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

    /// The most bytes that are kept.
    public let limit: Int
    private let state = Mutex(State())

    /// A memory without anything in it.
    ///
    /// - Parameter limit: The most bytes that are kept; the oldest give way to newer ones. All if `nil`.
    public init(limit: Int? = nil) { self.limit = max(0, limit ?? .max) }

    /// The bytes that are kept; whole frames.
    public var bytes: Data { state.withLock { Data($0.kept(limit)) } }

    /// The number of bytes held, with those to be dropped.
    package var heldCount: Int { state.withLock { $0.bytes.count } }

    /// The same as samples; `nil` if there are none.
    public var audio: AudioBuffer? {
        let (bytes, configuration) = state.withLock { ($0.kept(limit), $0.configuration) }
        guard let configuration, !bytes.isEmpty else { return nil }
        return bytes.withUnsafeBytes { AudioBuffer($0, as: configuration) }
    }

    /// Forgets all.
    public func clear() { state.withLock { $0 = State() } }

    /// Keeps the bytes. Those of another kind than before take the place of all.
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
