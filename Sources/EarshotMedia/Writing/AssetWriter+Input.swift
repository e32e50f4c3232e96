public import Dispatch
public import EarshotCore
import Foundation

extension AssetWriter {
    /// An input of a writer for PCM audio.
    ///
    /// Three ways lead in, of which one is used: ``append(_:)`` waits until there is room; ``append(contentsOf:)`` does so for a
    /// whole sequence; ``requestBlocks(on:_:)`` calls back whenever there is room, for suppliers that are not asynchronous.
    public final class Input: Sendable {
        /// The required format of the blocks.
        public let format: AudioFormat
        private let intake: WriterInputQueue
        private let name: String

        init(_ format: AudioFormat, _ intake: WriterInputQueue, name: String) {
            (self.format, self.intake, self.name) = (format, intake, name)
        }

        /// `true` if there is room for a block now.
        public var isReadyForMoreMediaData: Bool { intake.isReady }

        /// Takes a block in, when there is room for it.
        ///
        /// - Throws: `pipelineRefused` before the start and after the end; `audioFormatInvalid` for another format; what writing the
        ///   blocks before threw; `cancelled`.
        public func append(_ block: AudioBlock) async throws(EarshotError) {
            try check(block)
            try await intake.append(.block(block), frames: block.buffer.frameCount)
        }

        /// Takes a block in without waiting.
        ///
        /// - Returns: `true` if there was room for it.
        /// - Throws: The errors of ``append(_:)``.
        public func appendIfReady(_ block: AudioBlock) throws(EarshotError) -> Bool {
            try check(block)
            return try intake.appendIfReady(.block(block), frames: block.buffer.frameCount)
        }

        /// Takes in all blocks of a sequence, and ends with it.
        ///
        /// - Throws: The errors of ``append(_:)`` and of the sequence.
        public func append(contentsOf blocks: some AsyncSequence<AudioBlock, any Error>) async throws {
            for try await block in blocks { try await append(block) }
            finish()
        }

        /// Calls a closure whenever there is room, until ``finish()``; in it, blocks are given to ``appendIfReady(_:)`` while
        /// ``isReadyForMoreMediaData`` is true.
        ///
        /// - Parameters:
        ///   - queue: The queue on which it is called, one call after the other.
        ///   - supply: Brings blocks, and ends the input at the end.
        public func requestBlocks(on queue: DispatchQueue, _ supply: @escaping @Sendable (Input) -> Void) {
            intake.request(on: queue) { supply(self) }
        }

        /// Ends the input.
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
