import Foundation

/// Finds the tempi that an onset envelope may have, and weighs them.
///
/// The onsets of music repeat themselves at several metrical levels; which of them is called the beat is a matter of
/// likelihood. For a tempo speak
///
/// - that the envelope is like itself one to four beats later, and above all one beat later: in a bar of three, twice one
///   and a half beats are a bar, but one and a half beats are nothing;
/// - that the beat is divided into two: a beat mostly is, and a division seldom is again;
/// - that kick drum and bass move from beat to beat or by two beats, while the rest does not move by two;
/// - the tempi that people tap most: a parabola over the logarithm of the tempo around 120 (D. Moelants, "Preferred tempo
///   reconsidered", ICMPC 2002, has the most preferred at 120 to 130).
///
/// The weights are those of a logistic choice between the candidates of a piece, fitted to music of known tempo by
/// `scripts/scores/rhythm` with seed 1 and a half of its real files.
struct TempoEstimator: Sendable {
    private enum Weight {
        static let comb = 1.0
        static let beat = 0.7
        static let division = 1.6
        static let pair = -0.7
        static let lowBeat = 0.2
        static let lowDivision = 0.6
        static let lowPair = 0.7
        /// Of the square of octaves from 120 beats a minute.
        static let preference = -2.3
    }

    /// Metrical levels beside a tempo.
    private static let ratios: [Double] = [2, 1.0 / 2, 3, 1.0 / 3, 3.0 / 2, 2.0 / 3, 4, 1.0 / 4]
    /// Neighbouring tempi that are tried, as a ratio.
    private static let step = 1.01

    private let tempogram: Tempogram
    private let lowTempogram: Tempogram?

    /// The estimator for the evened envelopes of all bands and of the low ones; `nil` if there is no onset.
    init?(envelope: [Float], lows: [Float]) {
        guard let tempogram = Tempogram(envelope) else { return nil }
        self.tempogram = tempogram
        lowTempogram = Tempogram(lows)
    }

    /// The tempi that come into question, the likeliest first.
    func candidates() -> [TempoCandidate] {
        tempi().map(candidate).sorted {
            ($0.evidence, $0.period) > ($1.evidence, $1.period)
        }
    }

    private static func period(of tempo: Double) -> Double { 60 * OnsetEnvelope.rate / tempo }

    /// The strongest tempi, and those at other metrical levels of the first two.
    private func tempi() -> [Double] {
        let range = Tempogram.tempi
        let last = Int(log(range.upperBound / range.lowerBound) / log(Self.step))
        let tempi = (0...last).map { range.lowerBound * pow(Self.step, Double($0)) }
        let strengths = tempi.map { tempo in
            max(0, tempogram.comb(period: Self.period(of: tempo))) * tempogram.magnitude(at: tempo / 60)
        }
        var peaks = tempi.indices.filter { index in
            strengths[index] > 0 && (index == 0 || strengths[index] >= strengths[index - 1])
                && (index == last || strengths[index] > strengths[index + 1])
        }
        peaks.sort { (strengths[$0], $1) > (strengths[$1], $0) }
        var found: [Double] = []
        func add(_ tempo: Double) {
            guard range.contains(tempo) else { return }
            let fine = refined(tempo)
            guard !found.contains(where: { abs(log($0 / fine)) < 0.03 }) else { return }
            found.append(fine)
        }
        for peak in peaks.prefix(4) { add(tempi[peak]) }
        for tempo in found.prefix(2) {
            for ratio in Self.ratios { add(tempo * ratio) }
        }
        return found
    }

    /// The tempo within 2 % at which the comb is strongest, in steps of 0.1 %: good enough to choose by, but not to tell.
    private func refined(_ tempo: Double) -> Double {
        var (best, bestStrength) = (tempo, -Double.infinity)
        for step in -20...20 {
            let candidate = tempo * (1 + Double(step) * 0.001)
            let strength = tempogram.comb(period: Self.period(of: candidate))
            if strength > bestStrength { (best, bestStrength) = (candidate, strength) }
        }
        return best
    }

    private func candidate(_ tempo: Double) -> TempoCandidate {
        let period = Self.period(of: tempo)
        let beat = tempo / 60
        func level(_ tempogram: Tempogram?, _ frequency: Double) -> Double {
            // Below a hundredth there is nothing but noise.
            log((tempogram?.magnitude(at: frequency) ?? 0) + 0.01)
        }
        /// The logarithm of a correlation, as far as it is above what noise has.
        func likeness(_ correlation: Double) -> Double { log(max(0, correlation) + 0.02) }
        let comb = tempogram.comb(period: period)
        let octaves = log2(tempo / 120)
        var evidence = Weight.comb * likeness(comb) + Weight.beat * likeness(tempogram.correlation(at: period))
        evidence += Weight.division * level(tempogram, 2 * beat) + Weight.pair * level(tempogram, beat / 2)
        evidence += Weight.lowBeat * level(lowTempogram, beat)
        evidence += Weight.lowDivision * level(lowTempogram, 2 * beat)
        evidence += Weight.lowPair * level(lowTempogram, beat / 2)
        evidence += Weight.preference * octaves * octaves
        return TempoCandidate(period: tempogram.exact(period: period), regularity: comb, evidence: evidence)
    }
}
