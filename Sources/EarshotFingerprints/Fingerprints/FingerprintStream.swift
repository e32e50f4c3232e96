package import EarshotCore
import EarshotMedia

/// Computes fingerprints of a stream as the tool `fpcalc` does: of its beginning, or of one chunk after the other.
///
/// Not thread-safe.
package final class FingerprintStream {
    /// The parts of a stream that are fingerprinted, and the algorithm.
    package struct Plan: Hashable, Sendable {
        /// The algorithm that computes sub-fingerprints.
        package var algorithm = FileFingerprint.Algorithm.standard
        /// The duration of the stream that is read, from its beginning, in seconds; 0 for all.
        package var length = 120.0
        /// The duration of a chunk, in seconds; 0 for a single chunk.
        package var chunk = 0.0
        /// `true` if chunks overlap, so that each sub-fingerprint at a border is in one of them.
        package var overlaps = false

        package init() {}
    }

    /// The sub-fingerprints of one chunk of the stream.
    package struct Chunk: Hashable, Sendable {
        package let values: [UInt32]
        /// The time of the beginning of the chunk in the stream.
        package let start: MediaTime
        package let duration: MediaTime
        /// `true` for the first chunk of the stream.
        package let isFirst: Bool
    }

    package let plan: Plan
    private let context: ChromaprintContext
    private let streamLimit: Int
    private let chunkLimit: Int
    private let overlap: MediaTime
    /// The audio that the first stretch needs beyond the others, in samples: it gives no sub-fingerprint yet.
    private var extra: Int
    private var resampler: FingerprintResampler?
    private var streamSize = 0
    private var chunkSize = 0
    private var start = MediaTime.zero
    private var isFirst = true

    /// Creates a generator.
    ///
    /// - Parameter plan: The parts of the stream to fingerprint, and the algorithm.
    /// - Throws: `internalError` if there is no memory.
    package init(_ plan: Plan) throws(EarshotError) {
        self.plan = plan
        context = try ChromaprintContext(plan.algorithm)
        let rate = Double(context.sampleRate)
        func frames(_ seconds: Double) -> Int {
            let frames = seconds * rate
            return frames >= 1 && frames < 0x1p62 ? Int(frames) : 0
        }
        streamLimit = frames(plan.length)
        chunkLimit = frames(plan.chunk)
        let isOverlapping = chunkLimit > 0 && plan.overlaps
        extra = isOverlapping ? context.delay : 0
        overlap = isOverlapping ? MediaTime(value: Int64(context.delayMilliseconds), timescale: 1000) : .zero
        try context.start()
    }

    /// The version of the Chromaprint library, for example `1.5.1`.
    package static var libraryVersion: String { ChromaprintContext.version }

    /// `true` if the planned part of the stream has been read, so that more audio is ignored.
    package var isComplete: Bool { streamLimit > 0 && streamSize == streamLimit }

    /// Appends a buffer, and calls a closure for each chunk that is complete.
    ///
    /// - Throws: `audioFormatInvalid`, and the errors of `body`.
    package func append(
        _ buffer: AudioBuffer,
        _ body: (Chunk) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        let resampler =
            if let resampler { resampler } else {
                try FingerprintResampler(from: buffer.format, toSampleRate: context.sampleRate)
            }
        self.resampler = resampler
        try resampler.convert(buffer) { samples throws(EarshotError) in
            var rest = samples[...]
            if streamLimit > 0 { rest = rest.prefix(streamLimit - streamSize) }
            streamSize += rest.count
            while !rest.isEmpty {
                let room = chunkLimit > 0 ? chunkLimit + extra - chunkSize : .max
                let part = UnsafeBufferPointer(rebasing: rest.prefix(room))
                try context.feed(part)
                chunkSize += part.count
                rest = rest.dropFirst(part.count)
                // A stretch ends when there is more, not when it is full.
                if !rest.isEmpty { try endChunk(body) }
            }
        }
    }

    private func endChunk(_ body: (Chunk) throws(EarshotError) -> Void) throws(EarshotError) {
        let chunk = try currentChunk()
        try body(chunk)
        if plan.overlaps { try context.clear() } else { try context.start() }
        start = start + chunk.duration - overlap
        (extra, chunkSize, isFirst) = (0, 0, false)
    }

    private func currentChunk() throws(EarshotError) -> Chunk {
        try context.finish()
        return try Chunk(
            values: context.values(),
            start: start,
            duration: MediaTime(frames: Int64(chunkSize - extra), sampleRate: context.sampleRate) + overlap,
            isFirst: isFirst
        )
    }

    /// Ends the stream, and returns the last chunk; `nil` if no audio was appended since the previous one.
    ///
    /// - Throws: `internalError` if the fingerprint cannot be computed.
    package func finish() throws(EarshotError) -> Chunk? {
        guard chunkSize > 0 else { return nil }
        return try currentChunk()
    }
}
