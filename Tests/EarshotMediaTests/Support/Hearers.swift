import EarshotCore
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport

@testable import EarshotMedia

/// Notes what it is given, and on which thread.
final class Hearer: AudioReceiver {
    private struct State {
        var lengths: [Int] = []
        var gaps: [MediaTime] = []
        var onMainThread = 0
        var waiting: (bytes: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())
    private let body: @Sendable () -> Void

    /// - Parameter body: What it does in each call.
    init(_ body: @escaping @Sendable () -> Void = {}) { self.body = body }

    var lengths: [Int] { state.withLock { $0.lengths } }
    var byteCount: Int { lengths.reduce(0, +) }
    var gaps: [MediaTime] { state.withLock { $0.gaps } }
    var onMainThread: Int { state.withLock { $0.onMainThread } }

    func receive(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration) {
        let waiting = state.withLock { state in
            state.lengths.append(bytes.count)
            if MainQueue.isCurrent { state.onMainThread += 1 }
            guard let waiting = state.waiting, state.lengths.reduce(0, +) >= waiting.bytes else {
                return nil as CheckedContinuation<Void, Never>?
            }
            state.waiting = nil
            return waiting.continuation
        }
        waiting?.resume()
        body()
    }

    func receiveGap(_ duration: MediaTime) { state.withLock { $0.gaps.append(duration) } }

    /// Returns when so many bytes have come.
    func hears(_ bytes: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.lengths.reduce(0, +) < bytes else { return true }
                state.waiting = (bytes, continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// Makes a signature of what it is given, as somebody does who asks what music it is.
final class SignatureHearer: AudioReceiver {
    private let generator = Mutex(SignatureGenerator())

    var signature: Signature { generator.withLock { $0.signature() } }

    func receive(_ bytes: UnsafeRawBufferPointer, as configuration: AudioConfiguration) {
        generator.withLock { try? $0.append(AudioBuffer(bytes, as: configuration)) }
    }
}

/// Blocks that are there already, in place of a device.
struct BlockSource: AudioSource {
    typealias Element = AudioBlock

    let blocks: [AudioBlock]
    var error: EarshotError?

    /// One recording in blocks of some length.
    init(_ buffer: AudioBuffer, blockFrames: Int) {
        blocks = stride(from: 0, to: buffer.frameCount, by: blockFrames).map { first in
            AudioBlock(
                buffer.frames(first..<first + blockFrames),
                at: MediaTime(frames: Int64(first), sampleRate: buffer.sampleRate)
            )
        }
    }

    init(_ blocks: [AudioBlock], error: EarshotError? = nil) {
        self.blocks = blocks
        self.error = error
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: blocks[...], error: error) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<AudioBlock>
        let error: EarshotError?

        mutating func next() async throws -> AudioBlock? {
            if let block = rest.popFirst() { return block }
            if let error { throw error }
            return nil
        }
    }
}

/// The same block without end.
struct EndlessSource: AudioSource {
    typealias Element = AudioBlock

    let buffer: AudioBuffer

    func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }

    struct Iterator: AsyncIteratorProtocol {
        let buffer: AudioBuffer
        var time = MediaTime.zero

        mutating func next() async throws -> AudioBlock? {
            defer { time = time + buffer.duration }
            try Task.checkCancellation()
            return AudioBlock(buffer, at: time)
        }
    }
}

extension MicrophoneBackend {
    static func source(_ source: some AudioSource) -> MicrophoneBackend {
        MicrophoneBackend { _ in Capture(source) }
    }
}

extension AsyncStream<Microphone.Event> {
    /// The descriptions of all events up to the end of a run.
    func untilEnd() async -> [String] {
        var all: [String] = []
        for await event in self {
            all.append("\(event)")
            if case .ended = event { break }
        }
        return all
    }
}
