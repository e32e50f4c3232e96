import Dispatch
import EarshotCore
import Foundation
import Synchronization

/// The queue of a writer's input: takes blocks while there is room; otherwise the caller waits or is called.
final class WriterInputQueue: Sendable {
    private struct Gate: Sendable {
        var isOpen = false
        var isFinished = false
        var isEnded = false
        /// Frames that wait to be written.
        var frames = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var supplier: (queue: DispatchQueue, supply: @Sendable () -> Void)?
        /// `true` if the supplier has been called and has not returned yet.
        var isAsking = false
    }

    /// Frames that may wait to be written.
    private let room: Int
    private let gate = Mutex(Gate())
    private unowned let writer: AssetWriter

    init(room: Int, writer: AssetWriter) {
        (self.room, self.writer) = (room, writer)
    }

    /// `true` if there is room for a piece now.
    var isReady: Bool { gate.withLock { isReady($0) } }

    private func isReady(_ gate: Gate) -> Bool {
        gate.isOpen && !gate.isFinished && !gate.isEnded && gate.frames < room
    }

    /// Takes a piece in, when there is room for it.
    func append(_ piece: WritingWorker.Piece, frames: Int) async throws(EarshotError) {
        while !isReady {
            try check()
            await withCheckedContinuation { continuation in
                let isOver = gate.withLock { gate in
                    if isReady(gate) || gate.isEnded || gate.isFinished { return true }
                    gate.waiting.append(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        }
        take(piece, frames: frames)
    }

    /// Takes a piece in without waiting, if there is room for it.
    func appendIfReady(_ piece: WritingWorker.Piece, frames: Int) throws(EarshotError) -> Bool {
        try check()
        guard isReady else { return false }
        take(piece, frames: frames)
        return true
    }

    /// Calls a closure whenever there is room.
    func request(on queue: DispatchQueue, _ supply: @escaping @Sendable () -> Void) {
        gate.withLock { $0.supplier = (queue, supply) }
        ask()
    }

    func open() {
        resume { $0.isOpen = true }
    }

    /// Nothing more comes.
    func finish() {
        resume { $0.isFinished = true }
    }

    /// Nothing more is taken.
    func end() {
        resume { $0.isEnded = true }
    }

    private func check() throws(EarshotError) {
        if let error = writer.error { throw error }
        let (isOpen, isFinished, isEnded) = gate.withLock { ($0.isOpen, $0.isFinished, $0.isEnded) }
        if isEnded { throw Demuxer.cancelled(writer.url.path) }
        guard isOpen, !isFinished else {
            throw EarshotError(
                .pipelineRefused,
                "\(writer.url.path) takes audio only after the writer is started and before its input is finished: start it first."
            )
        }
    }

    private func take(_ piece: WritingWorker.Piece, frames: Int) {
        gate.withLock { $0.frames += frames }
        writer.worker.write(piece) { [weak self] result in
            guard let self else { return }
            if case .failure(let error) = result { writer.end(error) }
            resume { $0.frames -= frames }
        }
    }

    /// Changes the state, and resumes the waiting callers that it affects.
    private func resume(_ change: (inout Gate) -> Void) {
        let woken = gate.withLock { gate in
            change(&gate)
            guard isReady(gate) || gate.isEnded || gate.isFinished else {
                return [CheckedContinuation<Void, Never>]()
            }
            defer { gate.waiting = [] }
            return gate.waiting
        }
        for continuation in woken { continuation.resume() }
        ask()
    }

    private func ask() {
        let supplier = gate.withLock { gate -> (queue: DispatchQueue, supply: @Sendable () -> Void)? in
            guard isReady(gate), !gate.isAsking, let supplier = gate.supplier else { return nil }
            gate.isAsking = true
            return supplier
        }
        guard let supplier else { return }
        supplier.queue.async { [self] in
            supplier.supply()
            gate.withLock { $0.isAsking = false }
            ask()
        }
    }
}
