public import EarshotCatalogs
public import EarshotCore
public import EarshotSignatures

/// Receives the results of a session. All methods are optional.
public protocol MatchSessionReceiver: AnyObject, Sendable {
    /// Something was found. Of a stream the same may be found many times, as the session's options say.
    func session(_ session: MatchSession, didFind match: Match)
    /// Called when the match is no longer heard.
    func session(_ session: MatchSession, didLose match: Match)
    /// Called if nothing matches or, with an error, if the audio or signature could not be used: `audioFormatInvalid`,
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
