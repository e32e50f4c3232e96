public import Dispatch
public import EarshotCore
import Foundation

extension AssetWriter {
    /// An input of an ``AssetWriter`` for PCM audio.
    ///
    /// Use one of three ways: ``append(_:)`` waits until there is room for a block; ``append(contentsOf:)`` does so for
    /// a whole sequence; ``requestBlocks(on:_:)`` calls back whenever there is room, for code that is not asynchronous.
    public final class Input: Sendable {
        /// The required format of the blocks.
        public let format: AudioFormat
        private let intake: WriterInputQueue
        private let name: String

        init(_ format: AudioFormat, _ intake: WriterInputQueue, name: String) {
            (self.format, self.intake, self.name) = (format, intake, name)
        }

        /// `true` if ``appendIfReady(_:)`` has room for a block now.
        public var isReadyForMoreMediaData: Bool { intake.isReady }

        /// Waits until there is room for a block, and appends it.
        ///
        /// - Throws: `pipelineRefused` before the start and after the end; `audioFormatInvalid` for another sample rate
        ///   or channel count; the error of writing earlier blocks; `cancelled`.
        public func append(_ block: AudioBlock) async throws(EarshotError) {
            try check(block)
            try await intake.append(.block(block), frames: block.buffer.frameCount)
        }

        /// Appends a block if there is room for it, without waiting.
        ///
        /// - Returns: `true` if the block was appended.
        /// - Throws: The errors of ``append(_:)``.
        public func appendIfReady(_ block: AudioBlock) throws(EarshotError) -> Bool {
            try check(block)
            return try intake.appendIfReady(.block(block), frames: block.buffer.frameCount)
        }

        /// Appends all blocks of a sequence, and then finishes the input.
        ///
        /// - Throws: The errors of ``append(_:)`` and of the sequence.
        public func append(contentsOf blocks: some AsyncSequence<AudioBlock, any Error>) async throws {
            for try await block in blocks { try await append(block) }
            finish()
        }

        /// Calls a closure whenever there is room, until ``finish()``. The closure calls ``appendIfReady(_:)`` while
        /// ``isReadyForMoreMediaData`` is `true`.
        ///
        /// - Parameters:
        ///   - queue: The queue on which the closure is called, one call after the other.
        ///   - supply: Appends blocks, and finishes the input after the last one.
        public func requestBlocks(on queue: DispatchQueue, _ supply: @escaping @Sendable (Input) -> Void) {
            intake.request(on: queue) { supply(self) }
        }

        /// Ends the input: no more blocks follow.
        public func finish() {
            intake.finish()
        }

        private func check(_ block: AudioBlock) throws(EarshotError) {
            guard block.buffer.sampleRate == format.sampleRate, block.buffer.channelCount == format.channelCount else {
                throw EarshotError(
                    .audioFormatInvalid,
                    "\(name) takes \(format) and was given \(block.buffer.format): convert the blocks before."
                )
            }
        }
    }
}
