public import EarshotCore
public import Foundation

/// Stores the pieces of a service, their authors, and the apps that open them. Audio and pictures are files elsewhere.
///
/// All functions may be called from any task, and what they changed is kept when they return. They throw `storeUnavailable` when the
/// store cannot be reached, `writeFailed` when it cannot be written, and `cancelled`.
public protocol PieceStore: Sendable {
    // MARK: Pieces

    /// A piece in any state; `nil` for an unknown identifier.
    func piece(_ id: PieceID) async throws(EarshotError) -> PieceRecord?
    /// Those of some pieces that are there, in whatever state.
    func pieces(_ ids: [PieceID]) async throws(EarshotError) -> [PieceID: PieceRecord]
    /// The piece that a part belongs to.
    func piece(withPart id: String) async throws(EarshotError) -> PieceRecord?
    /// Keeps a piece that begins, as one step with the check of the limits: however many are added at the same time, no more are kept
    /// than may be.
    ///
    /// - Throws: `unknownParent` for a parent that was never published, `pieceInvalid` for a piece that is there already, is its own
    ///   parent, or has one twice; what ``PieceLimits/check(_:)`` throws.
    func add(_ piece: PieceRecord, within limits: PieceLimits) async throws(EarshotError)
    /// Changes a piece that is not removed, as one step that nobody else's change comes between. What it is based on stays. Parts that it
    /// loses are discarded in the same step.
    ///
    /// - Parameters:
    ///   - id: The piece.
    ///   - limits: The room that pieces may take. It is checked for a change that makes the piece larger.
    ///   - body: The change.
    /// - Returns: The changed piece; `nil` if there is none.
    /// - Throws: The errors of the body and of ``PieceLimits/check(_:)``; nothing has changed then.
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
    /// - Returns: The piece before its removal; `nil` if there was none.
    @discardableResult
    func remove(
        _ id: PieceID,
        where condition: @escaping @Sendable (PieceRecord) -> Bool
    ) async throws(EarshotError) -> PieceRecord?
    /// Published pieces, the one published last first.
    ///
    /// - Returns: One page of the results, and the number of all results.
    func pieces(_ query: PieceSearch) async throws(EarshotError) -> (pieces: [PieceRecord], total: Int)
    /// The pieces that were begun before an instant and are not published.
    func drafts(begunBefore date: Date) async throws(EarshotError) -> [PieceID]
    /// The room that pieces take, those of an author and all.
    func usage(ofAuthor author: String) async throws(EarshotError) -> PieceUsage
    /// The identifiers of all pieces in a state.
    func identifiers(_ states: Set<PieceRecord.State>) async throws(EarshotError) -> Set<PieceID>

    // MARK: Parts

    /// Published pieces of which an object store does not have all parts.
    func pieces(notKeptIn store: String) async throws(EarshotError) -> Set<PieceID>
    /// Says that a part is to be removed from an instant on, unless a piece has it by then: before anything is written that a crash
    /// would leave without a piece.
    func discard(_ part: DiscardedPart, from date: Date) async throws(EarshotError)
    /// Parts that are to be removed by now, and that no piece has.
    func discarded(at now: Date, limit: Int) async throws(EarshotError) -> [DiscardedPart]
    /// Forgets parts whose bytes have been removed.
    func disposed(of parts: [DiscardedPart]) async throws(EarshotError)

    // MARK: Relations

    /// The ancestors of a piece, nearest first, then in the order in which parents were named.
    func ancestors(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative]
    /// The published descendants of a piece, nearest first, then in the order in which they were added.
    func descendants(of id: PieceID, limit: Int) async throws(EarshotError) -> [ProvenanceGraph.Relative]

    // MARK: Findings

    /// The analysis results of a piece, in the service's own form; `nil` before the analysis.
    func findings(of id: PieceID) async throws(EarshotError) -> Data?
    /// Stores the analysis results of a published piece. Without results it is analyzed again.
    ///
    /// - Parameters:
    ///   - findings: The analysis results.
    ///   - isQuoting: `true` if something else is heard in it.
    ///   - id: The piece.
    func setFindings(_ findings: Data?, isQuoting: Bool, of id: PieceID) async throws(EarshotError)
    /// Published pieces that were listened to: those by which others are recognized.
    func heard() async throws(EarshotError) -> Set<PieceID>
    /// Published pieces that nobody has listened to: of each author the one published first, and of these the one published first
    /// first.
    ///
    /// - Parameters:
    ///   - excluded: Pieces to skip.
    ///   - limit: The largest number.
    func unheard(
        excluding excluded: Set<PieceID>,
        limit: Int
    ) async throws(EarshotError) -> [(author: String, piece: PieceID)]

    // MARK: Authors

    /// An author; `nil` if no author has this identifier.
    func author(_ id: String) async throws(EarshotError) -> PieceAuthor?
    /// Those of some authors that there are.
    func authors(_ ids: [String]) async throws(EarshotError) -> [String: PieceAuthor]
    /// The author of a name, in any letter case.
    func author(named key: String) async throws(EarshotError) -> PieceAuthor?
    /// The author that a user publishes as.
    func author(ofUser user: String) async throws(EarshotError) -> PieceAuthor?
    /// Keeps an author, in place of the one of the same identifier.
    ///
    /// - Returns: `true` if it was kept; not where somebody else has the name.
    func put(_ author: PieceAuthor) async throws(EarshotError) -> Bool
    /// Changes an author, as one step that nobody else's change comes between.
    ///
    /// - Returns: The author; `nil` if another author has the name, and nothing was changed.
    /// - Throws: `entityNotFound` if there is no such author, and what the body throws.
    func updateAuthor(
        _ id: String,
        _ body: @escaping @Sendable (inout PieceAuthor) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceAuthor?
    /// The users that publish as an author, in order of their identifiers.
    func users(ofAuthor author: String) async throws(EarshotError) -> [String]
    /// Lets a user publish as an author; `nil` forgets whom the user published as.
    func setAuthor(_ author: String?, ofUser user: String) async throws(EarshotError)
    /// Adds a user to an author, if the author's users are the given ones, atomically.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - author: The author.
    ///   - known: The users that publish as the author, as ``users(ofAuthor:)`` said.
    /// - Returns: `false` if the author's users have changed; nothing was changed then.
    /// - Throws: `entityNotFound` if there is no such author.
    func addUser(_ user: String, toAuthor author: String, whoHas known: [String]) async throws(EarshotError) -> Bool
    /// Removes an author as one step: all pieces, as ``remove(_:where:)`` does, and whose users and codes they are.
    ///
    /// - Returns: The pieces that were removed; `nil` if there is no such author.
    func removeAuthor(_ id: String) async throws(EarshotError) -> [PieceID]?

    // MARK: Apps and codes

    /// All apps, in order of their identifiers.
    func applications() async throws(EarshotError) -> [PieceApplication]
    /// An app; `nil` if no app has this identifier.
    func application(_ id: String) async throws(EarshotError) -> PieceApplication?
    /// Keeps an app, in place of the one of the same identifier.
    func put(_ application: PieceApplication) async throws(EarshotError)
    /// Forgets an app.
    ///
    /// - Returns: `true` if there was one.
    @discardableResult
    func removeApplication(_ id: String) async throws(EarshotError) -> Bool

    /// Keeps a code.
    func put(_ code: LoginCode) async throws(EarshotError)
    /// A valid code of a client; `nil` otherwise. It is not used up.
    func code(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode?
    /// Uses up a code that a user has logged in for, atomically: a second use returns `nil`.
    func takeCode(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode?
    /// The waiting code with the given user code; `nil` if none waits for a login.
    func waitingCode(userCode: String, at now: Date) async throws(EarshotError) -> LoginCode?
    /// Refuses the waiting code with the given user code.
    ///
    /// - Returns: `true` if a code was waiting for a login.
    func refuse(userCode: String, at now: Date) async throws(EarshotError) -> Bool
    /// Approves the waiting code with the given user code, for an author.
    ///
    /// - Returns: `true` if there is such a code that nobody has logged in for or refused, and that is still worth
    ///   something.
    func approve(userCode: String, author: String, at now: Date) async throws(EarshotError) -> Bool
    /// Removes expired codes.
    func removeCodes(expiredBy date: Date) async throws(EarshotError)
    /// Forgets codes for which an author has logged in, and which nobody has taken yet.
    func removeCodes(ofAuthor author: String) async throws(EarshotError)
}

extension PieceStore {
    /// Keeps a piece that begins, however much room it takes: ``add(_:within:)``.
    public func add(_ piece: PieceRecord) async throws(EarshotError) { try await add(piece, within: .unlimited) }

    /// Changes a piece, however much room it takes: ``update(_:within:_:)``.
    @discardableResult
    public func update(
        _ id: PieceID,
        _ body: @escaping @Sendable (inout PieceRecord) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceRecord? {
        try await update(id, within: .unlimited, body)
    }

    /// Removes a piece, however it is: ``remove(_:where:)``.
    @discardableResult
    public func remove(_ id: PieceID) async throws(EarshotError) -> PieceRecord? {
        try await remove(id) { _ in true }
    }
}
