import EarshotPieces

/// A warning about a legal piece: about its description, or about its audio.
struct PieceWarning: Encodable {
    let code: String
    let reason: String
    var declared: String?
    var measured: String?

    init(_ warning: DraftWarning) {
        code = warning.code.rawValue
        reason = warning.reason
    }

    init(_ warning: AudioWarning) {
        code = warning.code.rawValue
        reason = warning.reason
        declared = warning.declared
        measured = warning.measured
    }
}
