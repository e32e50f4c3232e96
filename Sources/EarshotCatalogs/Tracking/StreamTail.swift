import EarshotCore
package import EarshotSignatures

/// The last seconds of a stream. Times are the stream's, in seconds.
package struct StreamTail: Sendable {
    /// The signature of these seconds.
    package let signature: Signature
    /// The start, in seconds.
    package let start: Double
    /// The end, in seconds.
    package var end: Double { start + signature.duration.seconds }

    /// Creates a tail.
    package init(_ signature: Signature, from start: Double) {
        (self.signature, self.start) = (signature, start)
    }

    /// Returns the part from a time, aligned to the grid of landmarks.
    package func part(from time: Double) -> StreamTail {
        let cut = signature.slice(
            from: MediaTime(seconds: max(0, time - start), preferredTimescale: 1_000),
            duration: signature.duration
        )
        return StreamTail(cut.signature, from: start + cut.offset.seconds)
    }

    /// The tail in the form that alignments are compared with.
    package var stretch: AlignmentTracker.Stretch { AlignmentTracker.Stretch(signature, from: start) }
}
