public import EarshotCore
public import Foundation

/// Stores the pieces of a service, their authors, and the apps that open them. Audio and images are files elsewhere.
///
/// All functions may be called from any task, and their changes are stored when they return. They throw
/// `storeUnavailable` if the store cannot be reached, `writeFailed` if it cannot be written, and `cancelled`.
public protocol PieceStore: Sendable {
    // MARK: Pieces

    /// Returns a piece in any state; `nil` for an unknown identifier.
    func piece(_ id: PieceID) async throws(EarshotError) -> PieceRecord?
    /// Returns the existing ones of some pieces, in any state.
    func pieces(_ ids: [PieceID]) async throws(EarshotError) -> [PieceID: PieceRecord]
    /// Returns the piece with a part; `nil` if there is none.
    func piece(withPart id: String) async throws(EarshotError) -> PieceRecord?
    /// Stores a new piece and checks the limits atomically, so that concurrent additions cannot exceed them.
    ///
    /// - Throws: `unknownParent` for a parent that was never published; `pieceInvalid` for a piece that exists, is its
    ///   own parent, or names a parent twice; the errors of ``PieceLimits/check(_:)``.
    func add(_ piece: PieceRecord, within limits: PieceLimits) async throws(EarshotError)
    /// Changes a piece that is not removed, atomically. The pieces that it is based on cannot change. Parts that it
    /// loses are discarded in the same step.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - limits: The limits of storage. They are checked if the piece becomes larger.
    ///   - body: The change.
    /// - Returns: The changed piece; `nil` if there is none.
    /// - Throws: The errors of the body and of ``PieceLimits/check(_:)``; then nothing has changed.
    func update(
        _ id: PieceID,
        within limits: PieceLimits,
        _ body: @escaping @Sendable (inout PieceRecord) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceRecord?
    /// Removes a piece. A published one leaves a stub with its relations; another one leaves nothing. Its parts are
    /// discarded in the same step.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - condition: Returns `true` if the current piece is to be removed.
    /// - Returns: The piece before its removal; `nil` if none was removed.
    @discardableResult
    func remove(
        _ id: PieceID,
        where condition: @escaping @Sendable (PieceRecord) -> Bool
    ) async throws(EarshotError) -> PieceRecord?
    /// Returns published pieces, latest first.
    ///
    /// - Returns: One page of the results, and the number of all results.
    func pieces(_ query: PieceSearch) async throws(EarshotError) -> (pieces: [PieceRecord], total: Int)
    /// Returns the unpublished pieces that were begun before a time.
    func drafts(begunBefore date: Date) async throws(EarshotError) -> [PieceID]
    /// Returns the storage that pieces use: those of an author, and all.
    func usage(ofAuthor author: String) async throws(EarshotError) -> PieceUsage
    /// Returns the identifiers of all pieces in some states.
    func identifiers(_ states: Set<PieceRecord.State>) async throws(EarshotError) -> Set<PieceID>

    // MARK: Parts

    /// Returns the published pieces of which an object store lacks parts.
    func pieces(notKeptIn store: String) async throws(EarshotError) -> Set<PieceID>
    /// Marks a part to be removed from a time on, unless a piece has it then. Called before anything is written that a
    /// crash would leave without a piece.
    func discard(_ part: DiscardedPart, from date: Date) async throws(EarshotError)
    /// Returns at most `limit` parts that are due for removal and that no piece has.
    func discarded(at now: Date, limit: Int) async throws(EarshotError) -> [DiscardedPart]
    /// Forgets parts whose bytes were removed.
    func disposed(of parts: [DiscardedPart]) async throws(EarshotError)

    // MARK: Relations

    /// Returns the ancestors of a piece, nearest first, then in order of naming.
    func ancestors(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative]
    /// Returns the published descendants of a piece, nearest first, then in order of adding.
    func descendants(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative]

    // MARK: Findings

    /// Returns the analysis results of a piece, in the service's own form; `nil` before the analysis.
    func findings(of id: PieceID) async throws(EarshotError) -> Data?
    /// Stores the analysis results of a published piece.
    ///
    /// - Parameters:
    ///   - findings: The results; `nil` lets the piece be analyzed again.
    ///   - isQuoting: `true` if other audio was recognized in it.
    ///   - id: The piece.
    func setFindings(_ findings: Data?, isQuoting: Bool, of id: PieceID) async throws(EarshotError)
    /// Returns the analyzed pieces, with which others are recognized.
    func heard() async throws(EarshotError) -> Set<PieceID>
    /// Returns published pieces that were not analyzed: the earliest published one of each author, in order of
    /// publication.
    ///
    /// - Parameters:
    ///   - excluded: Pieces to skip.
    ///   - limit: The largest number.
    func unheard(
        excluding excluded: Set<PieceID>,
        limit: Int
    ) async throws(EarshotError) -> [(author: String, piece: PieceID)]

    // MARK: Authors

    /// Returns an author; `nil` if no author has this identifier.
    func author(_ id: String) async throws(EarshotError) -> PieceAuthor?
    /// Returns the existing ones of some authors.
    func authors(_ ids: [String]) async throws(EarshotError) -> [String: PieceAuthor]
    /// Returns the author with a name key; `nil` if there is none.
    func author(named key: String) async throws(EarshotError) -> PieceAuthor?
    /// Returns the author that a user publishes as; `nil` if there is none.
    func author(ofUser user: String) async throws(EarshotError) -> PieceAuthor?
    /// Stores an author and replaces the one with the same identifier.
    ///
    /// - Returns: `false` if another author has the name; then nothing is stored.
    func put(_ author: PieceAuthor) async throws(EarshotError) -> Bool
    /// Changes an author atomically.
    ///
    /// - Returns: The changed author; `nil` if another author has the name, and then nothing is changed.
    /// - Throws: `entityNotFound` if there is no such author, and the errors of the body.
    func updateAuthor(
        _ id: String,
        _ body: @escaping @Sendable (inout PieceAuthor) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceAuthor?
    /// Returns the users that publish as an author, in order of their identifiers.
    func users(ofAuthor author: String) async throws(EarshotError) -> [String]
    /// Lets a user publish as an author; `nil` removes the assignment.
    func setAuthor(_ author: String?, ofUser user: String) async throws(EarshotError)
    /// Adds a user to an author, if the author's users are the given ones, atomically.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - author: The author.
    ///   - known: The users that publish as the author, from ``users(ofAuthor:)``.
    /// - Returns: `false` if the author's users have changed; then nothing is changed.
    /// - Throws: `entityNotFound` if there is no such author.
    func addUser(_ user: String, toAuthor author: String, whoHas known: [String]) async throws(EarshotError) -> Bool
    /// Removes an author atomically, with all pieces, as ``remove(_:where:)`` does, and with the assignments of users
    /// and the codes.
    ///
    /// - Returns: The removed pieces; `nil` if there is no such author.
    func removeAuthor(_ id: String) async throws(EarshotError) -> [PieceID]?

    // MARK: Apps and codes

    /// Returns all apps, in order of their identifiers.
    func applications() async throws(EarshotError) -> [PieceApplication]
    /// Returns an app; `nil` if no app has this identifier.
    func application(_ id: String) async throws(EarshotError) -> PieceApplication?
    /// Stores an app and replaces the one with the same identifier.
    func put(_ application: PieceApplication) async throws(EarshotError)
    /// Removes an app.
    ///
    /// - Returns: `true` if it existed.
    @discardableResult
    func removeApplication(_ id: String) async throws(EarshotError) -> Bool

    /// Stores a code.
    func put(_ code: LoginCode) async throws(EarshotError)
    /// Returns a valid code of a client; `nil` otherwise. The code can still be used.
    func code(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode?
    /// Removes and returns a code that a user has logged in for, atomically: a second call returns `nil`.
    func takeCode(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode?
    /// Returns the waiting code for a user code; `nil` if none waits for a login.
    func waitingCode(userCode: String, at now: Date) async throws(EarshotError) -> LoginCode?
    /// Refuses the waiting code for a user code.
    ///
    /// - Returns: `true` if a code was waiting for a login.
    func refuse(userCode: String, at now: Date) async throws(EarshotError) -> Bool
    /// Approves the waiting code for a user code, for an author.
    ///
    /// - Returns: `true` if a valid code was waiting for a login.
    func approve(userCode: String, author: String, at now: Date) async throws(EarshotError) -> Bool
    /// Removes expired codes.
    func removeCodes(expiredBy date: Date) async throws(EarshotError)
    /// Removes the codes that an author has approved and that were not used yet.
    func removeCodes(ofAuthor author: String) async throws(EarshotError)
}

extension PieceStore {
    /// Stores a new piece without limits; see ``add(_:within:)``.
    public func add(_ piece: PieceRecord) async throws(EarshotError) { try await add(piece, within: .unlimited) }

    /// Changes a piece without limits; see ``update(_:within:_:)``.
    @discardableResult
    public func update(
        _ id: PieceID,
        _ body: @escaping @Sendable (inout PieceRecord) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceRecord? {
        try await update(id, within: .unlimited, body)
    }

    /// Removes a piece in any state; see ``remove(_:where:)``.
    @discardableResult
    public func remove(_ id: PieceID) async throws(EarshotError) -> PieceRecord? {
        try await remove(id) { _ in true }
    }
}
