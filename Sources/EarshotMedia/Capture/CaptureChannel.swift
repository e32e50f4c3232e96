import Dispatch
import EarshotCore
import Synchronization

/// Hands blocks from a thread that must not wait to tasks that may.
final class CaptureChannel: Sendable {
    private typealias Answer = Result<AudioBlock?, EarshotError>

    private struct State {
        var queue: BlockQueue
        var readers: [CheckedContinuation<Answer, Never>] = []
        var end: Result<Void, EarshotError>?
        var isWriterWaiting = false
    }

    private let state: Mutex<State>
    /// Holds the writer up until there is room. It is a thread of its own and runs no task, so it may be blocked.
    private let room = DispatchSemaphore(value: 0)

    init(capacity: MediaTime) {
        state = Mutex(State(queue: BlockQueue(capacity: capacity)))
    }

    /// Adds a block, at the cost of the oldest when there is no room.
    ///
    /// - Returns: How much sound was dropped.
    func push(_ block: AudioBlock) -> MediaTime {
        let (reader, lost) = state.withLock { state -> (CheckedContinuation<Answer, Never>?, MediaTime) in
            guard state.end == nil else { return (nil, .zero) }
            if !state.readers.isEmpty { return (state.readers.removeFirst(), .zero) }
            return (nil, state.queue.appendDroppingOldest(block))
        }
        reader?.resume(returning: .success(block))
        return lost
    }

    /// Adds a block, once there is room for it. Blocks the thread until then, or until the channel has ended.
    func pushWaiting(_ block: AudioBlock) {
        while true {
            let (reader, isDone) = state.withLock { state -> (CheckedContinuation<Answer, Never>?, Bool) in
                guard state.end == nil else { return (nil, true) }
                if !state.readers.isEmpty { return (state.readers.removeFirst(), true) }
                if state.queue.isFull(for: block) {
                    state.isWriterWaiting = true
                    return (nil, false)
                }
                state.queue.append(block)
                return (nil, true)
            }
            reader?.resume(returning: .success(block))
            if isDone { return }
            room.wait()
        }
    }

    /// Ends the sequence behind the blocks that are waiting, with an error or without.
    func finish(_ error: EarshotError? = nil) {
        end(error, droppingBlocks: false)
    }

    /// Ends the sequence at once.
    func cancel(_ error: EarshotError) {
        end(error, droppingBlocks: true)
    }

    /// The next block, as soon as there is one; nothing at the end.
    func next() async throws(EarshotError) -> AudioBlock? {
        let answer = await withCheckedContinuation { (reader: CheckedContinuation<Answer, Never>) in
            let answer = state.withLock { state -> Answer? in
                if let block = state.queue.popFirst() {
                    if state.isWriterWaiting {
                        state.isWriterWaiting = false
                        room.signal()
                    }
                    return .success(block)
                }
                if let end = state.end {
                    // An error is told once.
                    state.end = .success(())
                    return end.map { nil }
                }
                state.readers.append(reader)
                return nil
            }
            if let answer { reader.resume(returning: answer) }
        }
        return try answer.get()
    }

    private func end(_ error: EarshotError?, droppingBlocks: Bool) {
        let readers = state.withLock { state -> [CheckedContinuation<Answer, Never>] in
            if droppingBlocks { state.queue.removeAll() }
            if state.isWriterWaiting {
                state.isWriterWaiting = false
                room.signal()
            }
            guard state.end == nil else { return [] }
            let readers = state.readers
            state.readers = []
            // The first of the waiting readers gets the error, the others the plain end.
            state.end = error.map { readers.isEmpty ? .failure($0) : .success(()) } ?? .success(())
            return readers
        }
        for (index, reader) in readers.enumerated() {
            reader.resume(returning: index == 0 ? error.map { .failure($0) } ?? .success(nil) : .success(nil))
        }
    }
}
