public import EarshotCatalogs
import EarshotCore
public import EarshotDSP

extension MatchSession {
    /// Makes the position of a reference that is heard exact to some tenths of a millisecond, where audio of it is at hand.
    ///
    /// The session keeps listening meanwhile. What is found to be off, as by the echoes of a room, is taken off all further
    /// predictions of the reference, until it is refined again. Options must ask for ``Options/keptAudio``, 2 to 10 s.
    ///
    /// - Parameters:
    ///   - item: What is heard now.
    ///   - reference: Audio of its reference.
    /// - Returns: What was measured; `nil` if the item is not heard, too little audio was kept, or the audio does not
    ///   agree with that of the reference, and the position is then as it was.
    /// - Throws: What the reference throws; `audioFormatInvalid` for audio of less than 8,000 Hz.
    public func refine(
        _ item: MatchedMediaItem,
        in reference: inout some ReferenceAudio
    ) async throws -> PositionRefiner.Refinement? {
        guard let capture = await engine.capture(of: item.match.id) else { return nil }
        let refinement = try await PositionRefiner().refine(
            capture.line,
            captured: capture.samples,
            sampleRate: capture.sampleRate,
            from: MediaTime(seconds: capture.start, preferredTimescale: 1_000_000_000),
            in: &reference
        )
        if let refinement { await engine.correct(item.match.id, to: refinement.line) }
        return refinement
    }
}
