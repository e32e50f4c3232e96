import EarshotCore

extension AudioMix {
    /// One source while it is mixed: what was read of it and is still to be heard.
    final class Feed {
        private let read: () async throws -> AudioBlock?
        private let gain: Float
        private let start: MediaTime
        private var block: AudioBlock?
        private var hasEnded = false

        init(_ source: some AudioSource, gain: Float, start: MediaTime) {
            (self.gain, self.start) = (gain, start)
            var iterator = source.makeAsyncIterator()
            read = { try await iterator.next(isolation: #isolation) }
        }

        /// Adds what is heard in a stretch of the mix.
        ///
        /// - Parameters:
        ///   - mixed: The samples of the stretch, interleaved.
        ///   - position: The frame of the mix that it begins with.
        ///   - format: The format of the mix.
        /// - Returns: The number of frames that are complete: the whole interval, unless the source ends in it.
        func add(to mixed: inout [Float], at position: Int64, format: AudioFormat) async throws -> Int {
            let channels = format.channelCount
            let stretch = position..<position + Int64(mixed.count / channels)
            var settled = 0
            while let block = try await current(format) {
                guard case .float32(let samples) = block.buffer.samples else { break }
                let time = (block.time + start).converted(toTimescale: Int32(clamping: format.sampleRate))
                guard time.isNumeric else { break }
                let end = time.value + Int64(block.buffer.frameCount)
                guard time.value < stretch.upperBound else { return mixed.count / channels }
                let heard = (Swift.min(time.value, end)..<end).clamped(to: stretch)
                if !heard.isEmpty {
                    let from = Int(heard.lowerBound - time.value) * channels
                    let to = Int(heard.lowerBound - position) * channels
                    for index in 0..<heard.count * channels { mixed[to + index] += gain * samples[from + index] }
                    settled = Swift.max(settled, Int(heard.upperBound - position))
                }
                guard end <= stretch.upperBound else { return mixed.count / channels }
                self.block = nil
            }
            return settled
        }

        /// The block that is being heard; `nil` at the end.
        private func current(_ format: AudioFormat) async throws -> AudioBlock? {
            if block == nil, !hasEnded {
                block = try await read()
                hasEnded = block == nil
            }
            guard let block, block.buffer.format == format else {
                guard let block else { return nil }
                throw EarshotError(
                    .audioFormatInvalid,
                    "A mix takes \(format) and was given \(block.buffer.format): have the source give that."
                )
            }
            return block
        }
    }
}
