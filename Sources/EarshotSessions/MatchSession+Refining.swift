public import EarshotCatalogs
import EarshotCore
public import EarshotDSP

extension MatchSession {
    /// Refines the position of a matched reference to some tenths of a millisecond, using audio of the reference.
    ///
    /// The session keeps listening meanwhile. What is found to be off, as by the echoes of a room, is taken off all further
    /// predictions of the reference, until it is refined again. Options must ask for ``Options/keptAudio``, 2 to 10 s.
    ///
    /// - Parameters:
    ///   - item: The item that is currently matched.
    ///   - reference: Audio of its reference.
    /// - Returns: The measurement; `nil` if the item is not matched at present, too little audio was kept, or the audio
    ///   does not agree with the reference's. The position is unchanged then.
    /// - Throws: The errors of the reference audio; `audioFormatInvalid` for audio of less than 8,000 Hz.
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
