package import EarshotCore
import EarshotSignatures

/// The classifier without a stream around it, for fitting and for measuring it: one window a second.
package struct ClassifierWindows: Sendable {
    /// A window and what is known of it.
    package struct Window: Sendable {
        /// Its end, in seconds from the first sample.
        package var second: Int
        /// The figures that the classifier sees.
        package var figures: [Float]
        /// The probabilities of music, speech and noise, without smoothing.
        package var probabilities: [Double]
    }

    private var input = AnalysisInput()
    private var frames = SpectralFrames()
    private let classifier = AudioClassifier()
    private var second = 3

    /// Nothing heard yet.
    package init() {}

    /// The windows with sound that end within a buffer.
    ///
    /// - Parameters:
    ///   - buffer: Audio of 8,000 to 192,000 Hz.
    ///   - rows: Returns, for the number of a second, how many of the last rows of its window are classified; one
    ///     window for each number, 75 to 186. A row is 16 ms.
    package mutating func append(_ buffer: AudioBuffer, rows: (Int) -> [Int] = { _ in [186] }) -> [Window] {
        frames.append(input.samples(of: buffer))
        var windows: [Window] = []
        while frames.advance() {
            guard frames.isComplete(second: second) else { continue }
            for length in rows(second) {
                let all = SpectralFrames.rows(ofSecond: second)
                let sound = AudioFeatures.audible(frames, rows: all.suffix(length))
                guard sound.count >= min(AudioFeatures.audibleRows, length / 2) else { continue }
                let features = AudioFeatures(frames, rows: sound.span)
                windows.append(
                    Window(
                        second: second,
                        figures: features.values,
                        probabilities: classifier.probabilities(features)
                    )
                )
            }
            second += 1
        }
        return windows
    }
}

extension SpectralFrames {
    /// The rows of the three seconds that end at a whole second.
    static func rows(ofSecond second: Int) -> Range<Int> {
        let end = (second * sampleRate - size) / hop + 1
        return end - AudioFeatures.windowRows..<end
    }

    /// Returns `true` if all rows are there that lie before a whole second.
    func isComplete(second: Int) -> Bool {
        rowCount >= (second * Self.sampleRate - Self.size) / Self.hop + 1
            && fineCount >= (second * Self.sampleRate - Self.fineSize) / Self.fineHop + 1
    }
}
