public import Dispatch
public import EarshotCore
import Foundation
import Synchronization

extension AssetWriter {
    /// Where a writer takes its sound in.
    ///
    /// Three ways lead in, of which one is used: ``append(_:)`` waits until there is room; ``append(contentsOf:)`` does so for a
    /// whole sequence; ``requestBlocks(on:_:)`` calls back whenever there is room, for suppliers that are not asynchronous.
    public final class Input: Sendable {
        private struct Intake: Sendable {
            var isOpen = false
            var isFinished = false
            var isEnded = false
            /// Frames that wait to be written.
            var frames = 0
            var waiting: [CheckedContinuation<Void, Never>] = []
            var supplier: (queue: DispatchQueue, supply: @Sendable (Input) -> Void)?
            /// Whether the supplier has been called and has not returned yet.
            var isAsking = false
        }

        /// What blocks have to be.
        public let format: AudioFormat
        let settings: EncoderSettings
        /// Frames that may wait to be written.
        private let room: Int
        private let intake = Mutex(Intake())
        private unowned let writer: AssetWriter

        init(_ format: AudioFormat, _ settings: EncoderSettings, isRealTime: Bool, writer: AssetWriter) {
            (self.format, self.settings, self.writer) = (format, settings, writer)
            room = isRealTime ? 10 * format.sampleRate : 65_536
        }

        /// Whether there is room for a block now.
        public var isReadyForMoreMediaData: Bool { intake.withLock { isReady($0) } }

        private func isReady(_ intake: Intake) -> Bool {
            intake.isOpen && !intake.isFinished && !intake.isEnded && intake.frames < room
        }

        /// Takes a block in, when there is room for it.
        ///
        /// - Throws: `pipelineRefused` before the start and after the end; `audioFormatInvalid` for another format; what writing the
        ///   blocks before threw; `cancelled`.
        public func append(_ block: AudioBlock) async throws(EarshotError) {
            while !isReadyForMoreMediaData {
                try check()
                await withCheckedContinuation { continuation in
                    let isOver = intake.withLock { intake in
                        if isReady(intake) || intake.isEnded || intake.isFinished { return true }
                        intake.waiting.append(continuation)
                        return false
                    }
                    if isOver { continuation.resume() }
                }
            }
            try take(block)
        }

        /// Takes a block in without waiting.
        ///
        /// - Returns: Whether there was room for it.
        /// - Throws: As ``append(_:)``.
        public func appendIfReady(_ block: AudioBlock) throws(EarshotError) -> Bool {
            try check()
            guard isReadyForMoreMediaData else { return false }
            try take(block)
            return true
        }

        /// Takes in all blocks of a sequence, and ends with it.
        ///
        /// - Throws: As ``append(_:)``, and what the sequence throws.
        public func append(contentsOf blocks: some AsyncSequence<AudioBlock, any Error>) async throws {
            for try await block in blocks { try await append(block) }
            finish()
        }

        /// Calls a closure whenever there is room, until ``finish()``; in it, blocks are given to ``appendIfReady(_:)`` while
        /// ``isReadyForMoreMediaData`` is true.
        ///
        /// - Parameters:
        ///   - queue: Where it is called, one call after the other.
        ///   - supply: Brings blocks, and ends the input at the end.
        public func requestBlocks(on queue: DispatchQueue, _ supply: @escaping @Sendable (Input) -> Void) {
            intake.withLock { $0.supplier = (queue, supply) }
            ask()
        }

        /// Says that nothing more comes.
        public func finish() {
            resume { $0.isFinished = true }
        }

        // MARK: - For the writer

        func open() {
            resume { $0.isOpen = true }
        }

        func end() {
            resume { $0.isEnded = true }
        }

        // MARK: -

        private func check() throws(EarshotError) {
            if let error = writer.error { throw error }
            let intake = intake.withLock { ($0.isOpen, $0.isFinished, $0.isEnded) }
            if intake.2 { throw Demuxer.cancelled(writer.url.path) }
            guard intake.0, !intake.1 else {
                throw EarshotError(
                    .pipelineRefused,
                    "\(writer.url.path) takes no sound before it is started and after its input is finished."
                )
            }
        }

        private func take(_ block: AudioBlock) throws(EarshotError) {
            guard block.buffer.sampleRate == format.sampleRate, block.buffer.channelCount == format.channelCount else {
                throw EarshotError(
                    .audioFormatInvalid,
                    "\(writer.url.path) takes \(format) and was given \(block.buffer.format): convert the blocks before."
                )
            }
            let frames = block.buffer.frameCount
            intake.withLock { $0.frames += frames }
            writer.worker.write(block) { [weak self] result in
                guard let self else { return }
                if case .failure(let error) = result { writer.end(error) }
                resume { $0.frames -= frames }
            }
        }

        /// Changes the intake, and wakes whoever waits for what is different now.
        private func resume(_ change: (inout Intake) -> Void) {
            let woken = intake.withLock { intake in
                change(&intake)
                guard isReady(intake) || intake.isEnded || intake.isFinished else {
                    return [CheckedContinuation<Void, Never>]()
                }
                defer { intake.waiting = [] }
                return intake.waiting
            }
            for continuation in woken { continuation.resume() }
            ask()
        }

        private func ask() {
            let supplier = intake.withLock { intake -> (queue: DispatchQueue, supply: @Sendable (Input) -> Void)? in
                guard isReady(intake), !intake.isAsking, let supplier = intake.supplier else { return nil }
                intake.isAsking = true
                return supplier
            }
            guard let supplier else { return }
            supplier.queue.async { [self] in
                supplier.supply(self)
                intake.withLock { $0.isAsking = false }
                ask()
            }
        }
    }
}
