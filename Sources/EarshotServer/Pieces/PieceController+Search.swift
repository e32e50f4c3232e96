import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Hummingbird

extension PieceController {
    // MARK: - Searching

    var searchParameters: [Endpoint.Parameter] {
        let count: JSONValue = ["type": "integer", "minimum": 0, "maximum": 1_200_000_000]
        return [
            .text("q", "Words of the title, or begins of them."),
            .text("author", "The name of the author in any letter case; me for all of the user's own."),
            .text("key", "The key, as A minor or Eb major, or mask:MASK:ROOT with the twelve bits and the root."),
            Endpoint.Parameter(name: "compatible", schema: Schemas.flag, summary: "1: keys that go with it too."),
            .text("tempo", "From and to in beats a minute, as 100-120; one number for exactly that."),
            Endpoint.Parameter(name: "minLength", schema: count, summary: "The shortest, in microseconds."),
            Endpoint.Parameter(name: "maxLength", schema: count, summary: "The longest, in microseconds."),
            .text("basedOn", "A piece that it is based on."),
        ]
    }

    func find(_ context: RequestContext) async throws -> Response {
        let page = try await pieces.find(context)
        return try .json(
            PiecePage(
                pieces: try await pieces.told(page.pieces, base: context.base),
                offset: page.offset,
                total: page.total
            )
        )
    }
}

extension PieceService {
    /// Returns the pieces that match the parameters of a request.
    ///
    /// - Parameters:
    ///   - context: The request.
    ///   - standard: The number of pieces if the request states none.
    ///   - own: The author of whom all pieces are found, whatever their visibility; `nil` for listed pieces.
    ///   - other: The author of whom listed pieces are found; `nil` to take the author from the parameters.
    func find(
        _ context: RequestContext,
        limit standard: Int = 20,
        allOf own: PieceAuthor? = nil,
        of other: PieceAuthor? = nil
    ) async throws(EarshotError) -> (pieces: [PieceRecord], offset: Int, total: Int) {
        var search = PieceSearch(
            offset: try context.number("offset", 0...1_000_000, default: 0),
            limit: try context.number("limit", 1...100, default: standard)
        )
        search.words = try context.text("q")
        if let own {
            search.author = own.id
            search.visibilities = Set(Piece.Visibility.allCases)
        } else if let other {
            search.author = other.id
        } else if let name = try context.text("author") {
            if name == "me" {
                guard let author = try await reader(context.identity).author else {
                    throw EarshotError(
                        .accessDenied,
                        "author=me needs the token of a user with a name to publish under: ask with one, or name the author."
                    )
                }
                search.author = author.id
                search.visibilities = Set(Piece.Visibility.allCases)
            } else {
                // For an unknown name the empty identifier, which no author has: nothing is found.
                search.author = try await store.author(named: AuthorName.key(of: name))?.id ?? ""
            }
        }
        search.keys = try Self.keys(context)
        search.tempo = try Self.tempo(context)
        let lengths = 0...Int(PieceDraft.longest.count)
        let shortest = try context.number("minLength", lengths, default: 0)
        if shortest > 0 { search.shortest = Microseconds(Int64(shortest)) }
        if try context.text("maxLength") != nil {
            search.longest = Microseconds(Int64(try context.number("maxLength", lengths, default: 0)))
        }
        if let text = try context.text("basedOn") {
            guard let id = PieceID(text) else {
                throw EarshotError(.requestInvalid, "basedOn is no identifier of a piece: give a UUID.")
            }
            search.basedOn = id
        }
        let found = try await store.pieces(search)
        return (found.pieces, search.offset, found.total)
    }

    private static func keys(_ context: RequestContext) throws(EarshotError) -> [Tonality]? {
        // Forms encode a space as a plus sign, which no key contains.
        guard let text = try context.text("key")?.replacing("+", with: " ") else { return nil }
        let fault = EarshotError(
            .requestInvalid,
            "key is \"\(text.prefix(40))\": say a key such as A minor or Eb major, or mask:2741:9."
        )
        let key: Tonality
        if text.hasPrefix("mask:") {
            let numbers = text.dropFirst(5).split(separator: ":", omittingEmptySubsequences: false)
            guard numbers.count == 2, let mask = UInt16(numbers[0]), mask <= 0x0FFF, let root = Int(numbers[1]),
                let pitch = PitchClass(rawValue: root)
            else { throw fault }
            key = .tonal(ScaleMask(rawValue: mask), root: pitch)
        } else {
            guard let named = Tonality(name: text) else { throw fault }
            key = named
        }
        return try context.flag("compatible") ? key.compatible : [key]
    }

    private static func tempo(_ context: RequestContext) throws(EarshotError) -> ClosedRange<Double>? {
        guard let text = try context.text("tempo") else { return nil }
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Double($0) }
        guard (1...2).contains(bounds.count), let first = bounds[0], let last = bounds[bounds.count - 1],
            first.isFinite, last.isFinite, first <= last
        else {
            throw EarshotError(
                .requestInvalid,
                "tempo is \"\(text.prefix(40))\": give two numbers of beats a minute, as 100-120."
            )
        }
        return first...last
    }
}
