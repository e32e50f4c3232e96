import EarshotCore
import Synchronization

/// Audio on its way from a source to who looks at it.
///
/// As long as nobody does, the last blocks are kept and older ones dropped. From then on the source waits when too many
/// are on the way, so that nothing is lost of one that delivers faster than it is looked at.
final class BlockQueue: Sendable {
    private struct State {
        var blocks: [AudioBlock] = []
        var isFlowing = false
        var end: Swift.Result<Void, any Error>?
        var producer: CheckedContinuation<Void, Never>?
        var consumer: CheckedContinuation<Void, Never>?
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: Blocks that are kept, at most.
    init(limit: Int) { self.limit = limit }

    /// Takes a block of the source; waits for room when the audio is looked at.
    ///
    /// - Returns: Whether more is wanted.
    func append(_ block: AudioBlock) async -> Bool {
        while true {
            let isFull = state.withLock { $0.isFlowing && $0.blocks.count >= limit && $0.end == nil }
            guard isFull else { break }
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.blocks.count >= limit, state.end == nil else { return false }
                    state.producer = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
        let (consumer, isWanted) = state.withLock { state in
            guard state.end == nil else { return (nil as CheckedContinuation<Void, Never>?, false) }
            if state.blocks.count >= limit { state.blocks.removeFirst() }
            state.blocks.append(block)
            defer { state.consumer = nil }
            return (state.consumer, true)
        }
        consumer?.resume()
        return isWanted
    }

    /// The next block; nothing at the end.
    ///
    /// - Throws: What the source ended with.
    func next() async throws -> AudioBlock? {
        while true {
            let (block, end, producer) = state.withLock { state in
                state.isFlowing = true
                guard !state.blocks.isEmpty else {
                    return (nil as AudioBlock?, state.end, nil as CheckedContinuation<Void, Never>?)
                }
                defer { state.producer = nil }
                return (state.blocks.removeFirst(), nil, state.producer)
            }
            producer?.resume()
            if let block { return block }
            if let end {
                try end.get()
                return nil
            }
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.blocks.isEmpty, state.end == nil else { return false }
                    state.consumer = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }

    /// Ends the queue; what is in it can still be read, unless it is to be dropped.
    func finish(throwing error: (any Error)? = nil, dropping: Bool = false) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            if dropping { state.blocks = [] }
            defer { (state.producer, state.consumer) = (nil, nil) }
            return [state.producer, state.consumer]
        }
        for continuation in waiting { continuation?.resume() }
    }
}
