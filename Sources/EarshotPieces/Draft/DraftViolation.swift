/// A rule that a draft breaks.
public struct DraftViolation: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The rule. The numbers are those of the older service.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// The tempo is above 999.999 beats a minute.
        case tempoTooHigh
        /// The tempo is below one beat a minute, or not a number.
        case tempoTooLow
        /// The loop is empty, inverted, or not inside the piece.
        case invalidLoopMarkers
        /// The upper numeral is not 1 to 16, or the lower one not 2, 4, 8 or 16.
        case invalidTimeSignature
        /// The duration is zero or negative.
        case pieceTooShort
        /// The piece is longer than twenty minutes.
        case pieceTooLong
        /// The title is empty.
        case titleTooShort
        /// The title has more than 50 code points.
        case titleTooLong
        /// The title has control characters.
        case titleInvalid
        /// A parent is not a valid identifier, occurs twice or is the piece itself; there are too many parents; or the
        /// piece's own identifier is not valid.
        case invalidProvenance
        /// The scale of a tonal piece has no members.
        case emptyScale
        /// The tonality has an unknown state; or a tonal one does not have twelve flags and a root from 0 to 11.
        case invalidTonality

        /// The number of the rule in older services; `nil` for rules that they did not have.
        public var number: Int? {
            switch self {
            case .tempoTooHigh: 1_001
            case .tempoTooLow: 1_002
            case .invalidLoopMarkers: 1_003
            case .invalidTimeSignature: 1_004
            case .pieceTooShort: 1_005
            case .pieceTooLong: 1_006
            case .titleTooShort: 1_007
            case .titleTooLong: 1_008
            case .titleInvalid, .invalidProvenance, .emptyScale, .invalidTonality: nil
            }
        }
    }

    /// The fields of a draft.
    public enum Field: String, Hashable, Sendable, Codable, CaseIterable {
        /// The title.
        case title
        /// The duration, in microseconds.
        case length
        /// The tempo, in beats a minute.
        case tempo
        /// The loop markers.
        case loop
        /// The time signature.
        case timeSignature
        /// The identifiers of the pieces that it is based on.
        case basedOn
        /// The key.
        case tonality
        /// The identifier that the client chose.
        case id
    }

    /// The rule.
    public let code: Code
    /// The field of the draft that breaks it.
    public let field: Field
    /// The fault, its value, and the remedy, as text.
    public let reason: String

    /// The reason.
    public var description: String { reason }
}
