public import EarshotAPI
public import EarshotCore
public import EarshotPieces
import Foundation
import NIOHTTP1

extension PieceClient {
    /// Fetches a piece. A private piece is visible to its owner only.
    ///
    /// - Throws: `pieceNotFound` for a piece that does not exist, was removed or is not visible to the user;
    ///   `networkUnavailable`; `malformedResponse` if a required field is missing; and the service's other errors.
    public func fetch(_ id: PieceID) async throws(EarshotError) -> Piece {
        let piece = try await read(Piece.self, "pieces/\(id)")
        guard piece.id == id else {
            throw EarshotError(.malformedResponse, "\(service.base) answered with another piece than \(id): try again.")
        }
        return piece
    }

    /// Searches for listed pieces, the newest first.
    ///
    /// - Throws: `networkUnavailable` and the service's errors.
    public func search(_ query: PieceQuery) async throws(EarshotError) -> PiecePage {
        try await read(PiecePage.self, "pieces", query.parameters)
    }

    /// Fetches the pieces that a piece is based on, nearest first.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - limit: The largest number of pieces; `nil` for the service's default.
    /// - Throws: `pieceNotFound`, and the service's other errors.
    public func ancestors(of id: PieceID, limit: Int? = nil) async throws(EarshotError) -> RelativeList {
        try await relatives("ancestors", id, limit)
    }

    /// Fetches the pieces that are based on a piece, nearest first.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - limit: The largest number of pieces; `nil` for the service's default.
    /// - Throws: `pieceNotFound`, and the service's other errors.
    public func descendants(of id: PieceID, limit: Int? = nil) async throws(EarshotError) -> RelativeList {
        try await relatives("descendants", id, limit)
    }

    private func relatives(_ kind: String, _ id: PieceID, _ limit: Int?) async throws(EarshotError) -> RelativeList {
        try await read(RelativeList.self, "pieces/\(id)/\(kind)", limit.map { [("limit", String($0))] } ?? [])
    }

    // MARK: - For owners

    /// Fetches the results of the service's audio analysis of one of the user's pieces.
    ///
    /// - Throws: `accessDenied` if no user is logged in or the piece belongs to another user, `pieceNotFound`, and the
    ///   service's other errors.
    public func findings(of id: PieceID) async throws(EarshotError) -> PieceFindings {
        try await asUser().value(PieceFindings.self, HTTPCall(.GET, path: "pieces/\(id)/findings"))
    }

    /// Changes the details of one of the user's pieces.
    ///
    /// - Returns: The changed piece.
    /// - Throws: `accessDenied` if no user is logged in or the piece belongs to another user, `pieceNotFound`,
    ///   `pieceInvalid`, and the service's other errors.
    @discardableResult
    public func change(_ id: PieceID, _ change: PieceChange) async throws(EarshotError) -> Piece {
        let requests = try await asUser()
        return try await requests.value(Piece.self, try requests.call(.PATCH, "pieces/\(id)", change))
    }

    /// Removes one of the user's pieces from the service. Pieces that are based on it keep its identifier as their
    /// parent.
    ///
    /// - Throws: `accessDenied` if no user is logged in or the piece belongs to another user, `pieceNotFound`, and the
    ///   service's other errors.
    public func remove(_ id: PieceID) async throws(EarshotError) {
        _ = try await asUser().answer(HTTPCall(.DELETE, path: "pieces/\(id)"))
    }

    /// Replaces the cover of one of the user's pieces.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - cover: The new cover; `nil` removes the cover.
    /// - Throws: `accessDenied` if no user is logged in or the piece belongs to another user, `pieceNotFound`, and the
    ///   service's other errors.
    public func setCover(of id: PieceID, _ cover: CoverImage?) async throws(EarshotError) {
        let path = "pieces/\(id)/cover"
        let call =
            cover.map { HTTPCall(.PUT, path: path, body: $0.bytes, bodyType: "image/\($0.format.rawValue)") }
            ?? HTTPCall(.DELETE, path: path)
        _ = try await asUser().answer(call)
    }

    // MARK: - Parts

    /// The error of a request that needs a user.
    static let notLoggedIn = EarshotError(
        .accessDenied,
        "Nobody has logged in: log in first, with `earshot piece login` or `PieceClient.logIn()`."
    )

    /// Requests of the user.
    func asUser() async throws(EarshotError) -> PieceRequests {
        guard let account = try await account() else { throw Self.notLoggedIn }
        return requests(of: account)
    }

    /// Requests of whoever it is: what everybody may see is told to a user that the service has forgotten, too.
    func asReader<Value>(
        _ work: (PieceRequests) async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        guard let account = try await account() else { return try await work(asNobody) }
        do {
            return try await work(requests(of: account))
        } catch {
            guard error.code == .clientIdentifierRejected || error.code == .tokenRejected else { throw error }
        }
        return try await work(asNobody)
    }

    private func read<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ path: String,
        _ parameters: [(String, String)] = []
    ) async throws(EarshotError) -> Value {
        try await asReader { (requests) async throws(EarshotError) -> Value in
            try await requests.value(type, HTTPCall(.GET, path: path, parameters: parameters))
        }
    }
}
