import EarshotCore
import EarshotSignatures

/// The kinds and transitions of a stretch of audio without gaps.
struct SpectralAnalysis: Sendable {
    private var input = AnalysisInput()
    private var frames = SpectralFrames()
    private let classifier = AudioClassifier()
    private var detector = TransitionDetector()
    private var smoother = KindSmoother()
    private var second = 3

    /// Takes audio; nothing is computed yet.
    mutating func hear(_ buffer: AudioBuffer) { frames.append(input.samples(of: buffer)) }

    /// Computes what there is audio for.
    mutating func advance(origin: MediaTime, _ observations: inout [AudioObservation]) {
        while frames.advance() {
            if let transition = detector.advance(frames, classifier) {
                // A row's first half is still the block before; its middle is the change.
                let sample = transition.block * SpectralFrames.stepRows * SpectralFrames.hop + SpectralFrames.hop / 2
                observations.append(
                    AudioObservation(
                        time: origin + Self.time(frames.rowCount * SpectralFrames.hop),
                        content: .transition(score: transition.score, at: origin + Self.time(sample))
                    )
                )
                smoother.reset()
            }
            guard frames.isComplete(second: second) else { continue }
            observations.append(
                AudioObservation(
                    time: origin + Self.time(second * SpectralFrames.sampleRate),
                    content: .classification(classify())
                )
            )
            second += 1
        }
    }

    private mutating func classify() -> AudioClassification {
        let rows = SpectralFrames.rows(ofSecond: second)
        let sound = AudioFeatures.audible(frames, rows: rows)
        guard sound.count >= AudioFeatures.audibleRows else {
            smoother.reset()
            let share = Double(sound.count) / Double(rows.count)
            var probabilities = [AudioKind.silence: 1 - share]
            for kind in AudioClassifier.kinds { probabilities[kind] = share / Double(AudioClassifier.kinds.count) }
            return AudioClassification(probabilities: probabilities)
        }
        let found = smoother.smooth(classifier.probabilities(AudioFeatures(frames, rows: sound.span)))
        var probabilities = [AudioKind.silence: 0.0]
        for (kind, probability) in zip(AudioClassifier.kinds, found) { probabilities[kind] = probability }
        return AudioClassification(probabilities: probabilities)
    }

    private static func time(_ samples: Int) -> MediaTime {
        MediaTime(frames: Int64(samples), sampleRate: SpectralFrames.sampleRate)
    }
}
