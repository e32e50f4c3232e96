import CommandKit
import Earshot
import Foundation

/// The report on two recordings.
struct SyncReport {
    let reference: String
    let recording: String
    /// Frames a second of the recording that is laid on the other.
    let sampleRate: Int
    let alignment: RecordingAlignment?

    init(reference: String, recording: String, sampleRate: Int, alignment: RecordingAlignment?) {
        self.reference = reference
        self.recording = recording
        self.sampleRate = sampleRate
        self.alignment = alignment
    }

    init(_ search: AlignmentSearch, _ alignment: RecordingAlignment?) {
        self.init(
            reference: search.reference.url.lastPathComponent,
            recording: search.recording.url.lastPathComponent,
            sampleRate: search.recording.streams.first { $0.isDefault }?.sampleRate
                ?? search.recording.streams.first?.sampleRate ?? RecordingAligner.sampleRate,
            alignment: alignment
        )
    }

    // MARK: - For people

    func print() {
        guard let alignment else {
            Terminal.print("\(recording) and \(reference) share nothing that could be aligned.")
            return
        }
        Terminal.print(Terminal.bold(sentence(alignment)))
        let line = alignment.line
        let range = alignment.overlap
        let places = [range.lowerBound, range.upperBound].map { DisplayText.position(line.position(at: $0)) }
        Terminal.print("  samples    \(samples(line)) at \(sampleRate) Hz")
        Terminal.print(
            "  overlap    \(DisplayText.length(length(alignment))), \(places[0]) to \(places[1]) of \(reference)"
        )
        let used = alignment.blocks.count(where: \.isUsed)
        Terminal.print(
            "  agreement  \(used) of \(DisplayText.plural(alignment.audibleBlockCount, "block", "blocks")) with sound, "
                + "\(Self.milliseconds(alignment.residual)) beside the line"
        )
        if alignment.isInverted { Terminal.print("  polarity   turned round") }
    }

    /// `B begins 12.34567 s after A; its clock runs 35.21 ppm fast (±0.03); ±0.020 ms over 4:12 of overlap.`
    func sentence(_ alignment: RecordingAlignment) -> String {
        let offset = alignment.line.offset.seconds
        let place = String(format: "%.5f s %@", abs(offset), offset < 0 ? "before" : "after")
        return "\(recording) begins \(place) \(reference); \(Self.clock(alignment)); "
            + "±\(Self.milliseconds(alignment.offsetUncertainty)) over \(DisplayText.length(length(alignment))) of overlap."
    }

    private static func clock(_ alignment: RecordingAlignment) -> String {
        let drift = alignment.driftPartsPerMillion
        let error = alignment.driftUncertainty
        let side = drift < 0 ? "slow" : "fast"
        guard abs(drift) < 1_000 else {
            return String(format: "its clock runs %.4f %% %@ (±%.4f)", abs(drift) / 10_000, side, error / 10_000)
        }
        let words = String(format: "%.2f ppm %@", abs(drift), side)
        guard abs(drift) >= 0.005 else { return String(format: "its clock agrees (±%.2f ppm)", error) }
        return "its clock runs \(words) " + String(format: "(±%.2f)", error)
    }

    private static func milliseconds(_ time: MediaTime) -> String {
        String(format: "%.3f ms", time.seconds * 1000)
    }

    private func length(_ alignment: RecordingAlignment) -> MediaTime {
        alignment.overlap.upperBound - alignment.overlap.lowerBound
    }

    private func samples(_ line: ReferenceAlignment) -> String {
        String(format: "%.1f", line.offset.seconds * Double(sampleRate))
    }
}

// MARK: - For programs

extension SyncReport: Encodable {
    private struct AlignmentRecord: Encodable {
        let offset, offsetUncertainty, offsetSamples: Double
        let speedSkew, driftPPM, driftUncertaintyPPM: Double
        let residual, confidence: Double
        let recordingRange, referenceRange: [Double]
        let blocks, blocksUsed: Int
        let isInverted: Bool

        init(_ alignment: RecordingAlignment, sampleRate: Int) {
            func rounded(_ value: Double) -> Double { (value * 1e9).rounded() / 1e9 }
            let line = alignment.line
            let range = [alignment.overlap.lowerBound, alignment.overlap.upperBound]
            offset = rounded(line.offset.seconds)
            offsetUncertainty = rounded(alignment.offsetUncertainty.seconds)
            offsetSamples = (line.offset.seconds * Double(sampleRate) * 1000).rounded() / 1000
            speedSkew = (line.speedSkew * 1e12).rounded() / 1e12
            driftPPM = (alignment.driftPartsPerMillion * 1e4).rounded() / 1e4 + 0
            driftUncertaintyPPM = (alignment.driftUncertainty * 1e4).rounded() / 1e4
            residual = rounded(alignment.residual.seconds)
            confidence = rounded(alignment.confidence)
            recordingRange = range.map { rounded($0.seconds) }
            referenceRange = range.map { rounded(line.position(at: $0).seconds) }
            blocks = alignment.audibleBlockCount
            blocksUsed = alignment.blocks.count(where: \.isUsed)
            isInverted = alignment.isInverted
        }
    }

    private enum Keys: String, CodingKey { case reference, recording, sampleRate, alignment }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(reference, forKey: .reference)
        try container.encode(recording, forKey: .recording)
        try container.encode(sampleRate, forKey: .sampleRate)
        // Absent when nothing is shared.
        try container.encodeIfPresent(alignment.map { AlignmentRecord($0, sampleRate: sampleRate) }, forKey: .alignment)
    }
}
