package import EarshotCore
import Foundation

/// The columns of a piece, the same in all databases: searchable values, and the other details as JSON.
package struct PieceFields: Sendable {
    /// The details that are stored as JSON.
    private struct Contents: Codable {
        var draft: DraftForm?
        var description: String
    }

    /// The raw value of the state.
    package let state: String
    /// The raw value of the visibility.
    package let visibility: String
    /// The time of publication, in seconds since 1970; `nil` for a draft.
    package let published: Double?
    /// The words of the title, from ``TitleTokens``.
    package let words: String
    /// The tempo, in beats a minute; `nil` if there is none.
    package let tempo: Double?
    /// The duration, in microseconds; 0 for a stub.
    package let length: Int64
    /// The key; `nil` for a stub.
    package let tonality: Tonality?
    /// The draft and the description as JSON.
    package let json: String

    /// Creates the columns of a piece.
    ///
    /// - Throws: `EncodingError` if it cannot be encoded.
    package init(_ piece: PieceRecord) throws {
        state = piece.state.rawValue
        visibility = piece.visibility.rawValue
        published = piece.published?.timeIntervalSince1970
        words = TitleTokens.key(of: piece.draft?.title ?? "")
        tempo = piece.draft?.tempo?.beatsPerMinute
        length = piece.draft?.length.count ?? 0
        tonality = piece.draft?.tonality
        json = try Self.text(
            Contents(draft: piece.draft.map { DraftForm($0) }, description: piece.description)
        )
    }

    /// Returns the JSON of a removed piece.
    ///
    /// - Throws: `EncodingError` if it cannot be encoded.
    package static func stub() throws -> String { try text(Contents(draft: nil, description: "")) }

    /// Returns the key of a piece from its JSON.
    ///
    /// - Throws: `storeDamaged` if it cannot be read.
    package static func tonality(in json: String) throws(EarshotError) -> Tonality? {
        try contents(json).draft?.tonality
    }

    /// Encodes a value as JSON.
    ///
    /// - Throws: `EncodingError` if it cannot be encoded.
    package static func text(_ value: some Encodable) throws -> String { try JSONEncoder.sorted().text(value) }

    /// Decodes a value from JSON.
    ///
    /// - Throws: `storeDamaged` if it cannot be read.
    package static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws(EarshotError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw damaged(error)
        }
    }

    /// Returns the error for a piece that cannot be read.
    package static func damaged(_ cause: (any Error)? = nil) -> EarshotError {
        EarshotError(.storeDamaged, "A piece cannot be read: restore it from a backup.", cause: cause)
    }

    /// Returns the details of a piece from its JSON.
    ///
    /// - Throws: `storeDamaged` if it cannot be read.
    fileprivate static func contents(_ json: String) throws(EarshotError) -> (draft: PieceDraft?, description: String) {
        let contents = try value(Contents.self, json)
        do {
            return (try contents.draft?.draft(), contents.description)
        } catch {
            throw damaged(error)
        }
    }
}

extension PieceRecord {
    /// Creates a piece from its columns in a database.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - author: The identifier of its author.
    ///   - state: The raw value of the state.
    ///   - visibility: The raw value of the visibility.
    ///   - parents: The identifiers of the pieces that it is based on, as JSON.
    ///   - begun: The time at which it was begun, in seconds since 1970.
    ///   - published: The time of publication, in seconds since 1970.
    ///   - json: The JSON of ``PieceFields``.
    ///   - parts: Its parts, in order.
    /// - Throws: `storeDamaged` if one of them cannot be read.
    package init(
        id: String,
        author: String,
        state: String,
        visibility: String,
        parents: String,
        begun: Double,
        published: Double?,
        json: String,
        parts: [StoredPart]
    ) throws(EarshotError) {
        let contents = try PieceFields.contents(json)
        guard let id = PieceID(id), let state = State(rawValue: state),
            let visibility = Piece.Visibility(rawValue: visibility)
        else { throw PieceFields.damaged() }
        self.init(
            id: id,
            author: author,
            state: state,
            draft: contents.draft,
            description: contents.description,
            visibility: visibility,
            basedOn: try PieceFields.value([PieceID].self, parents),
            begun: Date(timeIntervalSince1970: begun),
            published: published.map { Date(timeIntervalSince1970: $0) },
            parts: parts
        )
    }
}
