public import EarshotCatalogs
public import EarshotCore
public import EarshotSignatures

/// Who is told what a session finds. Every function may be left out.
public protocol MatchSessionReceiver: AnyObject, Sendable {
    /// Something was found. Of a stream the same may be found many times, as the session's options say.
    func session(_ session: MatchSession, didFind match: Match)
    /// What was found is heard no longer.
    func session(_ session: MatchSession, didLose match: Match)
    /// Nothing was found, or, with an error, the audio or the question could not be used: `audioFormatInvalid`,
    /// `audioDiscontinuity`, `signatureInvalid`, `signatureDurationInvalid` or `catalogInvalid`.
    func session(_ session: MatchSession, didNotFindMatchFor signature: Signature, error: EarshotError?)
}

extension MatchSessionReceiver {
    /// Does nothing.
    public func session(_ session: MatchSession, didFind match: Match) {}
    /// Does nothing.
    public func session(_ session: MatchSession, didLose match: Match) {}
    /// Does nothing.
    public func session(_ session: MatchSession, didNotFindMatchFor signature: Signature, error: EarshotError?) {}
}
