import Dispatch
import Synchronization

/// Passes audio blocks from one producer to the tasks that consume them.
///
/// The producer chooses what happens if there is no room, by the function that it calls: ``send(_:)`` drops the oldest
/// blocks and never waits, for the thread of a device; ``sendBlocking(_:)`` blocks its thread; ``sendWaiting(_:)``
/// suspends its task. Each block goes to one consumer.
package final class AudioChannel: Sendable {
    private typealias Answer = Result<AudioBlock?, EarshotError>
    private typealias Consumer = CheckedContinuation<Answer, Never>

    private enum Delivery: Sendable {
        /// The block was taken. A consumer may have waited for it.
        case taken(Consumer?)
        case full
        case ended
    }

    private enum Producer: Sendable {
        case thread
        /// Resumed with `nil` when it is worth trying again.
        case task(CheckedContinuation<Delivery?, Never>)
    }

    private struct State {
        var backlog: AudioBacklog<AudioBlock>
        var consumers: [Consumer] = []
        var producer: Producer?
        var isConsumed = false
        var isFinished = false
        /// The error that the next consumer gets.
        var error: EarshotError?
    }

    private let state: Mutex<State>
    /// Wakes the producing thread.
    // Safe: only `sendBlocking` waits for it, on a thread of a decoder or a device that runs no tasks, so none of the pool is blocked. Each
    // wait follows a note in `state.producer`, and whoever takes that note signals once.
    private let room = DispatchSemaphore(value: 0)

    /// Creates a channel without blocks.
    ///
    /// - Parameters:
    ///   - capacity: The longest total duration of the buffered blocks.
    ///   - droppedShare: The fraction of the capacity, from 0 to 1, that ``send(_:)`` drops at once if there is no
    ///     room.
    package init(capacity: MediaTime, droppedShare: Double = 0) {
        state = Mutex(State(backlog: AudioBacklog(capacity: capacity, droppedShare: droppedShare)))
    }

    /// `true` if a consumer has called ``next()``.
    package var isConsumed: Bool { state.withLock { $0.isConsumed } }
    /// `true` if the channel accepts no more blocks.
    package var isFinished: Bool { state.withLock { $0.isFinished } }

    // MARK: - For the producer

    /// Sends a block, after dropping the oldest buffered ones if there is no room. Has no effect after the end.
    ///
    /// - Returns: The total duration of the dropped blocks.
    @discardableResult
    package func send(_ block: AudioBlock) -> MediaTime {
        let (consumer, lost) = state.withLock { state -> (Consumer?, MediaTime) in
            guard !state.isFinished else { return (nil, .zero) }
            if !state.consumers.isEmpty { return (state.consumers.removeFirst(), .zero) }
            return (nil, state.backlog.appendDroppingOldest(block))
        }
        consumer?.resume(returning: .success(block))
        return lost
    }

    /// Sends a block, and blocks the thread until there is room for it.
    ///
    /// - Returns: `true` if the block was accepted; `false` after the end.
    @discardableResult
    package func sendBlocking(_ block: AudioBlock) -> Bool {
        while true {
            switch deliver(block, for: .thread) {
            case .taken(let consumer):
                consumer?.resume(returning: .success(block))
                return true
            case .full: room.wait()
            case .ended: return false
            }
        }
    }

    /// Sends a block, and suspends the task until there is room for it.
    ///
    /// - Returns: `true` if the block was accepted; `false` after the end.
    package func sendWaiting(_ block: AudioBlock) async -> Bool {
        while true {
            let delivery = await withCheckedContinuation { (continuation: CheckedContinuation<Delivery?, Never>) in
                let delivery = deliver(block, for: .task(continuation))
                if case .full = delivery { return }
                continuation.resume(returning: delivery)
            }
            switch delivery {
            case .taken(let consumer):
                consumer?.resume(returning: .success(block))
                return true
            case .ended: return false
            case .full, nil: continue
            }
        }
    }

    /// Ends the channel after the buffered blocks.
    ///
    /// - Parameter error: The error that one consumer gets at the end; `nil` for none.
    package func finish(throwing error: EarshotError? = nil) { end(error, droppingBlocks: false) }

    /// Ends the channel at once and drops the buffered blocks.
    ///
    /// - Parameter error: The error that one consumer gets; `nil` for none.
    package func cancel(throwing error: EarshotError? = nil) { end(error, droppingBlocks: true) }

    // MARK: - For consumers

    /// Waits for the next block and returns it; `nil` at the end.
    ///
    /// - Throws: The error that the channel ended with, once.
    package func next() async throws(EarshotError) -> AudioBlock? {
        let answer = await withCheckedContinuation { (consumer: Consumer) in
            let (answer, producer) = state.withLock { state -> (Answer?, Producer?) in
                state.isConsumed = true
                if let block = state.backlog.popFirst() {
                    defer { state.producer = nil }
                    return (.success(block), state.producer)
                }
                if state.isFinished {
                    defer { state.error = nil }
                    return (state.error.map { .failure($0) } ?? .success(nil), nil)
                }
                state.consumers.append(consumer)
                return (nil, nil)
            }
            wake(producer)
            if let answer { consumer.resume(returning: answer) }
        }
        return try answer.get()
    }

    // MARK: - Parts

    private func deliver(_ block: AudioBlock, for producer: Producer) -> Delivery {
        state.withLock { state in
            guard !state.isFinished else { return .ended }
            if !state.consumers.isEmpty { return .taken(state.consumers.removeFirst()) }
            if state.backlog.isFull(for: block) {
                state.producer = producer
                return .full
            }
            state.backlog.append(block)
            return .taken(nil)
        }
    }

    private func wake(_ producer: Producer?) {
        switch producer {
        case .thread: room.signal()
        case .task(let continuation): continuation.resume(returning: nil)
        case nil: break
        }
    }

    private func end(_ error: EarshotError?, droppingBlocks: Bool) {
        let (consumers, producer) = state.withLock { state -> ([Consumer], Producer?) in
            if droppingBlocks { _ = state.backlog.removeAll() }
            defer { (state.consumers, state.producer) = ([], nil) }
            guard !state.isFinished else { return ([], state.producer) }
            state.isFinished = true
            // A consumer that waits gets the error, otherwise the next one.
            state.error = state.consumers.isEmpty ? error : nil
            return (state.consumers, state.producer)
        }
        wake(producer)
        for (index, consumer) in consumers.enumerated() {
            consumer.resume(returning: index == 0 ? error.map { .failure($0) } ?? .success(nil) : .success(nil))
        }
    }
}
