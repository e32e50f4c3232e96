import Foundation

/// A comparison of the analyzed audio of a piece with its draft.
public struct AudioCheck: Hashable, Sendable {
    /// The largest difference in length that is not reported: 50 ms.
    public static let lengthTolerance: Microseconds = 50_000
    /// The largest relative difference in tempo that is not reported: 2 %.
    public static let tempoTolerance = 0.02

    /// The lowest confidence of a different tempo that is reported, from 0 to 1.
    public var leastTempoConfidence = 0.3
    /// The lowest confidence of a different key that is reported, from 0 to 1.
    public var leastKeyConfidence = 0.3
    /// The lowest confidence of a key that is reported for an atonal draft, from 0 to 1: even a drum has a pitch.
    public var leastConfidenceOfAnyKey = 0.6

    /// Creates a check with the default thresholds.
    public init() {}

    /// Returns the differences, in order of the codes.
    public func warnings(_ draft: PieceDraft, heard facts: AudioFindings) -> [AudioWarning] {
        length(draft, facts) + seam(draft, facts) + tempo(draft, facts) + key(draft, facts)
    }

    private func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

    private func length(_ draft: PieceDraft, _ facts: AudioFindings) -> [AudioWarning] {
        let difference = abs(draft.length.count - facts.length.count)
        guard difference > Self.lengthTolerance.count else { return [] }
        let (declared, measured) = (text(draft.length.seconds, 3), text(facts.length.seconds, 3))
        return [
            AudioWarning(
                code: .lengthDiffers,
                declared: declared,
                measured: measured,
                reason: "The sound lasts \(measured) s, and \(declared) s are declared: correct the length."
            )
        ]
    }

    // MARK: - Seam

    private func seam(_ draft: PieceDraft, _ facts: AudioFindings) -> [AudioWarning] {
        guard let loop = draft.loop, let seam = facts.seam else { return [] }
        let declared = "\(text(loop.start.seconds, 3)) to \(text(loop.end.seconds, 3))"
        var warnings: [AudioWarning] = []
        if !seam.isLevelSmooth {
            let measured = text(seam.levelJump, 1)
            warnings.append(
                AudioWarning(
                    code: .seamLevel,
                    declared: declared,
                    measured: measured,
                    reason:
                        "The level jumps by \(measured) dB where the loop begins again: move a marker, or fade one end into the other."
                )
            )
        }
        if !seam.isWaveSmooth {
            let measured = text(seam.waveJump, 4)
            warnings.append(
                AudioWarning(
                    code: .seamPhase,
                    declared: declared,
                    measured: measured,
                    reason:
                        "The wave jumps by \(measured) of full scale where the loop begins again, which is heard as a click: "
                        + "move a marker to where the wave goes on, or fade one end into the other."
                )
            )
        }
        return warnings
    }

    // MARK: - Tempo

    private func tempo(_ draft: PieceDraft, _ facts: AudioFindings) -> [AudioWarning] {
        guard let declared = draft.tempo, let heard = facts.tempo, heard.confidence >= leastTempoConfidence else {
            return []
        }
        // Half and double are the same tempo at another metrical level. With groups of three beats, so are a third and
        // two thirds.
        var ratios = [1, 2, 0.5, 4, 0.25]
        if let signature = draft.timeSignature, signature.upper.isMultiple(of: 3) {
            ratios += [3, 1.0 / 3, 1.5, 2.0 / 3]
        }
        let isSame = [heard.beatsPerMinute, heard.alternative].compactMap { $0 }.contains { tempo in
            ratios.contains { abs(tempo / (declared.beatsPerMinute * $0) - 1) <= Self.tempoTolerance }
        }
        guard !isSame else { return [] }
        let measured = text(heard.beatsPerMinute, 1)
        return [
            AudioWarning(
                code: .tempoDiffers,
                declared: text(declared.beatsPerMinute, 3),
                measured: measured,
                reason:
                    "\(measured) beats a minute are heard, and \(text(declared.beatsPerMinute, 1)) are declared: correct the tempo, "
                    + "or leave it out where it is not kept."
            )
        ]
    }

    // MARK: - Key

    private func key(_ draft: PieceDraft, _ facts: AudioFindings) -> [AudioWarning] {
        guard let heard = facts.key, case .tonal(let heardScale, let heardRoot) = heard.tonality else { return [] }
        switch draft.tonality {
        case .unknown: return []
        case .atonal:
            guard heard.confidence >= leastConfidenceOfAnyKey else { return [] }
        case .tonal(let scale, let root):
            guard heard.confidence >= leastKeyConfidence else { return [] }
            // The same root with the same third is the same key: the other degrees of minor vary.
            let third = root.raised(by: heardScale.contains(heardRoot.raised(by: 4)) ? 4 : 3)
            if root == heardRoot, scale.contains(third) { return [] }
            // Relative keys have the same notes, and neighbors on the circle of fifths all but one. A scale of few
            // notes is part of many scales.
            let foreign = min(
                scale.subtracting(heardScale).members().count,
                heardScale.subtracting(scale).members().count
            )
            guard foreign >= 2 else { return [] }
        }
        return [
            AudioWarning(
                code: .keyDiffers,
                declared: draft.keyLabel,
                measured: heard.tonality.label,
                reason:
                    "\(heard.tonality.label) is heard, and \(draft.keyLabel) is declared: correct the key, or say that it is unknown."
            )
        ]
    }
}
