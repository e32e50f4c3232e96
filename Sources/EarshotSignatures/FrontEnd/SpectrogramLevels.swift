package import EarshotCore
import EarshotDSP

/// A spectrogram with the levels from which landmarks are picked, for a picture of both.
///
/// Audio passes the same resampler and spectrogram as in the generator, so each landmark is at a visible peak. At most
/// ``rowLimit`` rows are kept. When they are full, neighboring rows are joined by their maximum, which keeps short
/// sounds visible, and from then on each row covers twice as many frames.
package struct SpectrogramLevels: Sendable {
    /// The time between two frames, in seconds: 0.016.
    package static let frameSpacing = Double(Spectrogram.hop) / Double(SignatureConfiguration.sampleRate)
    /// The time of the middle of the first frame, in seconds: 0.064, half a window.
    package static let firstFrameTime = Double(FrequencyAxis.frameSize / 2) / Double(SignatureConfiguration.sampleRate)
    /// A level just above that of digital silence (-29.9), as a logarithm to base 2 of power; audio is above it.
    package static let silence: Float = -29.5

    /// The largest number of rows.
    package let rowLimit: Int
    /// The number of frames in a row, a power of two. The last row may cover fewer.
    package private(set) var framesPerRow = 1
    /// The rows, one after the other, each of ``FrequencyAxis/binCount`` logarithms to base 2 of power.
    package private(set) var values: [Float] = []
    /// The duration of the audio appended so far.
    package private(set) var duration: MediaTime = .zero

    private var framesInLastRow = 0
    private var input = AnalysisInput()
    private var spectrogram = Spectrogram(sampleRate: SignatureConfiguration.sampleRate)

    /// Creates a spectrogram without audio.
    ///
    /// - Parameter rowLimit: The largest number of rows, at least 2. Long audio fills between half of them and all.
    package init(rowLimit: Int) {
        self.rowLimit = max(2, rowLimit)
    }

    /// The current number of rows.
    package var rowCount: Int { values.count / FrequencyAxis.binCount }

    /// Returns the time of the middle of a row, in seconds.
    ///
    /// - Parameter row: The row from 0, with its fraction.
    package func time(ofRow row: Double) -> Double {
        let frame = row * Double(framesPerRow) + Double(framesPerRow - 1) / 2
        return Self.firstFrameTime + frame * Self.frameSpacing
    }

    /// Returns the row from 0, with its fraction, at a time in seconds.
    package func row(atTime time: Double) -> Double {
        let frame = (time - Self.firstFrameTime) / Self.frameSpacing
        return (frame - Double(framesPerRow - 1) / 2) / Double(framesPerRow)
    }

    /// Appends a buffer that was appended to a ``SignatureGenerator`` before.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - end: The duration of the audio including this buffer, as the generator counts it. Missing audio before the
    ///     buffer becomes silence, as in the generator, so that both have the same timeline. `nil` if there is no gap.
    package mutating func append(_ buffer: AudioBuffer, endingAt end: MediaTime? = nil) {
        if let end {
            let missing = end - buffer.duration - duration
            let frames = missing.converted(toTimescale: Int32(clamping: buffer.sampleRate))
            AnalysisInput.silence(frames: frames.value, sampleRate: buffer.sampleRate) { take($0) }
        }
        take(buffer)
    }

    /// Adds the rows at the end of the audio that the analysis holds back. Nothing may be appended afterwards.
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
