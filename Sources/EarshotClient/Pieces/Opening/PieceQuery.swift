public import EarshotPieces

/// A search for pieces.
public struct PieceQuery: Hashable, Sendable {
    /// Words of the title, or begins of them, in any order.
    public var text: String?
    /// The author; `me` for all of the user that has logged in, unlisted and private ones too.
    public var author: String?
    /// The key, as people write it, such as `A minor`.
    public var key: String?
    /// `true` if keys that go with ``key`` fit too.
    public var includesCompatibleKeys = false
    /// The tempo, in beats a minute.
    public var tempo: ClosedRange<Double>?
    /// The shortest length.
    public var minLength: Microseconds?
    /// The longest length.
    public var maxLength: Microseconds?
    /// A piece that those looked for are based on.
    public var basedOn: PieceID?
    /// The number of results to skip.
    public var offset = 0
    /// The largest number of results; `nil` for the service's default.
    public var limit: Int?

    /// A query that all pieces fit.
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
