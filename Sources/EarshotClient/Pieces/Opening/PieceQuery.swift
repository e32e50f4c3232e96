public import EarshotPieces

/// A search for pieces. A piece must meet all conditions that are set.
public struct PieceQuery: Hashable, Sendable {
    /// Words or beginnings of words of the title, in any order; `nil` for any title.
    public var text: String?
    /// The author; `me` for all pieces of the logged-in user, including unlisted and private ones; `nil` for any
    /// author.
    public var author: String?
    /// The musical key as text, such as `A minor`; `nil` for any key.
    public var key: String?
    /// `true` to find pieces in keys that are harmonically compatible with ``key`` too.
    public var includesCompatibleKeys = false
    /// The range of tempos, in beats per minute; `nil` for any tempo.
    public var tempo: ClosedRange<Double>?
    /// The shortest duration; `nil` for no lower limit.
    public var minLength: Microseconds?
    /// The longest duration; `nil` for no upper limit.
    public var maxLength: Microseconds?
    /// The piece that the results must be based on; `nil` for any.
    public var basedOn: PieceID?
    /// The number of results to skip.
    public var offset = 0
    /// The largest number of results; `nil` for the service's default.
    public var limit: Int?

    /// Creates a query for a text in the title; `nil` for all pieces.
    public init(_ text: String? = nil) { self.text = text }

    var parameters: [(String, String)] {
        func number(_ value: Double) -> String {
            Int64(exactly: value).map { String($0) } ?? String(value)
        }
        let all: [(String, String?)] = [
            ("q", text), ("author", author), ("key", key), ("compatible", includesCompatibleKeys ? "1" : nil),
            ("tempo", tempo.map { "\(number($0.lowerBound))-\(number($0.upperBound))" }),
            ("minLength", minLength.map { String($0.count) }), ("maxLength", maxLength.map { String($0.count) }),
            ("basedOn", basedOn?.description), ("offset", offset > 0 ? String(offset) : nil),
            ("limit", limit.map { String($0) }),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}
