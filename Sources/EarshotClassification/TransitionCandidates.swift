package import EarshotCore
import EarshotSignatures

/// The detector of transitions without a stream around it, for fitting it: every place that it weighs.
package struct TransitionCandidates: Sendable {
    /// A place that may be a transition, and how both sides differ.
    package struct Place: Sendable {
        /// In seconds from the first sample.
        package var seconds: Double
        /// The figures that the network sees; none where sound follows silence, which needs no weighing.
        package var figures: [Float]
        /// 0 to 1.
        package var score: Double
    }

    private var input = AnalysisInput()
    private var frames = SpectralFrames()
    private var detector = TransitionDetector()
    private let classifier = AudioClassifier()

    /// Nothing heard yet.
    package init() {}

    /// The places that become known with a buffer.
    package mutating func append(_ buffer: AudioBuffer) -> [Place] {
        frames.append(input.samples(of: buffer))
        var places: [Place] = []
        while frames.advance() {
            guard let found = detector.candidate(frames, classifier) else { continue }
            let sample = found.block * SpectralFrames.stepRows * SpectralFrames.hop + SpectralFrames.hop / 2
            let seconds = Double(sample) / Double(SpectralFrames.sampleRate)
            places.append(Place(seconds: seconds, figures: found.figures, score: found.score))
        }
        return places
    }
}
