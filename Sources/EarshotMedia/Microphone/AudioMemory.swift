public import EarshotCore
public import Foundation
import Synchronization

/// Keeps the last bytes of a microphone, for who wants to ask something about what was just heard.
public final class AudioMemory: AudioReceiver {
    private struct State {
        var bytes = Data()
        var configuration: AudioConfiguration?
    }

    /// The most bytes that are kept.
    public let limit: Int
    private let state = Mutex(State())

    /// A memory without anything in it.
    ///
    /// - Parameter limit: The most bytes that are kept; the oldest give way to newer ones. All when absent.
    public init(limit: Int? = nil) { self.limit = max(0, limit ?? .max) }

    /// The bytes that are kept; whole frames.
    public var bytes: Data { state.withLock { Data($0.bytes) } }

    /// The same as samples; nothing when there are none.
    public var audio: AudioBuffer? {
        let (bytes, configuration) = state.withLock { ($0.bytes, $0.configuration) }
        guard let configuration, !bytes.isEmpty else { return nil }
        return bytes.withUnsafeBytes { AudioBuffer($0, as: configuration) }
    }

    /// Forgets all.
    public func clear() { state.withLock { $0 = State() } }

    /// Keeps the bytes. Those of another kind than before take the place of all.
    public func receive(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration) {
        state.withLock { state in
            if state.configuration != configuration { state.bytes = Data() }
            state.configuration = configuration
            state.bytes.append(contentsOf: bytes)
            let frame = configuration.bytesPerFrame
            let surplus = state.bytes.count - limit
            if surplus > 0 { state.bytes.removeFirst(min(state.bytes.count, (surplus + frame - 1) / frame * frame)) }
        }
    }
}
