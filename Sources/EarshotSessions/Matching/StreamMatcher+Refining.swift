import EarshotCatalogs
import EarshotCore
import EarshotDSP

// Positions more exact than landmarks give them.
extension StreamMatcher {
    /// The data to refine a matched track: the buffered audio, its beginning on the stream's timeline, and its expected
    /// position in the reference.
    struct Capture: Sendable {
        let samples: [Float]
        let sampleRate: Int
        let start: Double
        let line: ReferenceAlignment
    }

    /// The capture of a reference; `nil` if it is not heard, or too little of it was kept.
    func capture(of id: ReferenceID) -> Capture? {
        guard let track = tracks.map(\.alignment).first(where: { $0.line.id == id && $0.isActive }),
            audio.sampleRate > 0
        else { return nil }
        let rate = Double(audio.sampleRate)
        // What was heard before the line began belongs to another place.
        let usable = min(audio.samples.count, Int(max(0, end - track.since) * rate))
        guard Double(usable) >= 1.5 * rate else { return nil }
        return Capture(
            samples: Array(audio.samples.suffix(usable)),
            sampleRate: audio.sampleRate,
            start: end - Double(usable) / rate,
            line: ReferenceAlignment(seconds: track.line.position(at: 0), speed: 1 + track.line.speedSkew)
        )
    }

    /// Applies the exact line of a track: its present error is subtracted from later predictions. A track that has
    /// jumped meanwhile is not changed.
    mutating func correct(_ id: ReferenceID, to exact: ReferenceAlignment) {
        guard let index = tracks.firstIndex(where: { $0.alignment.line.id == id }) else { return }
        var track = tracks[index]
        let correction = exact.place(tail.end) - track.alignment.line.position(at: tail.end)
        guard abs(correction) < 0.1 else { return }
        track.correction = correction
        if track.alignment.isHeard { settle(&track) }
        tracks[index] = track
    }
}
