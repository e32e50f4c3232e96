import EarshotPieces

/// What is legal about a piece and worth a look: of what is said of it, or of its sound.
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
