package import EarshotCore
import EarshotDSP

/// The levels that landmarks are picked from, kept for a picture of them.
///
/// Audio goes through the resampler and the spectrogram of the generator, so a landmark stands where its peak is seen.
/// No more rows than asked for are kept: when they are full, neighbours are joined by their maximum, which keeps short
/// sounds visible, and from then on each row stands for twice as many frames.
package struct SpectrogramLevels: Sendable {
    /// From one frame to the next, in seconds: 16 ms.
    package static let frameSpacing = Double(Spectrogram.hop) / Double(SignatureConfiguration.sampleRate)
    /// The time of the middle of the first frame, in seconds: 64 ms, half a window.
    package static let firstFrameTime = Double(FrequencyAxis.frameSize / 2) / Double(SignatureConfiguration.sampleRate)
    /// The level of digital silence, about -29.9; logarithms of audio lie above it.
    package static let silence: Float = -29.5

    /// Rows kept, at most.
    package let rowLimit: Int
    /// Frames that a row stands for, a power of two; the last row may stand for fewer.
    package private(set) var framesPerRow = 1
    /// Rows of ``FrequencyAxis/binCount`` levels one behind the other: logarithms to base 2 of power.
    package private(set) var values: [Float] = []
    /// The duration of the audio so far.
    package private(set) var duration: MediaTime = .zero

    private var framesInLastRow = 0
    private var input = AnalysisInput()
    private var spectrogram = Spectrogram(sampleRate: SignatureConfiguration.sampleRate)

    /// Levels of nothing yet.
    ///
    /// - Parameter rowLimit: Rows kept, at most; at least 2. Between half of it and all of it are used by long audio.
    package init(rowLimit: Int) {
        self.rowLimit = max(2, rowLimit)
    }

    /// Rows that there are.
    package var rowCount: Int { values.count / FrequencyAxis.binCount }

    /// The time, in seconds, that the middle of a row stands for.
    package func time(ofRow row: Double) -> Double {
        let frame = row * Double(framesPerRow) + Double(framesPerRow - 1) / 2
        return Self.firstFrameTime + frame * Self.frameSpacing
    }

    /// The row, with its fraction, that a time in seconds falls on.
    package func row(atTime time: Double) -> Double {
        let frame = (time - Self.firstFrameTime) / Self.frameSpacing
        return (frame - Double(framesPerRow - 1) / 2) / Double(framesPerRow)
    }

    /// Takes the next buffer, which a ``SignatureGenerator`` must have taken.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - end: The duration of the audio including this buffer, as the generator counts it. Missing audio before the
    ///     buffer becomes silence, as in the generator, so that both have the same timeline.
    package mutating func append(_ buffer: AudioBuffer, endingAt end: MediaTime? = nil) {
        if let end {
            let missing = end - buffer.duration - duration
            let frames = missing.converted(toTimescale: Int32(clamping: buffer.sampleRate))
            AnalysisInput.silence(frames: frames.value, sampleRate: buffer.sampleRate) { take($0) }
        }
        take(buffer)
    }

    /// Adds what the end of the audio still holds. Nothing may be appended afterwards.
    package mutating func finish() {
        var rows: [Float] = []
        spectrogram.append(input.finish()) { rows.append(contentsOf: $0) }
        spectrogram.finish { rows.append(contentsOf: $0) }
        keep(rows)
    }

    private mutating func take(_ buffer: AudioBuffer) {
        duration += buffer.duration
        var rows: [Float] = []
        spectrogram.append(input.samples(of: buffer)) { rows.append(contentsOf: $0) }
        keep(rows)
    }

    // MARK: - Rows

    private mutating func keep(_ rows: [Float]) {
        let bins = FrequencyAxis.binCount
        for start in stride(from: 0, to: rows.count, by: bins) {
            if values.isEmpty || framesInLastRow == framesPerRow {
                if rowCount == rowLimit { joinNeighbours() }
            }
            // Joining may have left the last row half full.
            if values.isEmpty || framesInLastRow == framesPerRow {
                values.append(contentsOf: rows[start..<start + bins])
                framesInLastRow = 1
            } else {
                let last = values.count - bins
                for bin in 0..<bins { values[last + bin] = max(values[last + bin], rows[start + bin]) }
                framesInLastRow += 1
            }
        }
    }

    private mutating func joinNeighbours() {
        let bins = FrequencyAxis.binCount
        let count = rowCount
        for row in 0..<(count + 1) / 2 {
            let (left, right) = (2 * row * bins, min(2 * row + 1, count - 1) * bins)
            for bin in 0..<bins { values[row * bins + bin] = max(values[left + bin], values[right + bin]) }
        }
        values.removeLast((count / 2) * bins)
        if count.isMultiple(of: 2) { framesInLastRow = 2 * framesPerRow }
        framesPerRow *= 2
    }
}
