public import EarshotCore
public import Foundation

/// Keeps a service's clients, their users, the usage of both, and the service's own secrets.
///
/// All functions may be called from any task, and what they changed is kept when they return. They throw
/// `storeUnavailable` when the store cannot be reached, `writeFailed` when it cannot be written, and `cancelled`.
public protocol AccountStore: Sendable {
    /// A client; `nil` if no client has this identifier.
    func client(_ id: String) async throws(EarshotError) -> ServiceClient?
    /// All clients, in order of ids.
    func clients() async throws(EarshotError) -> [ServiceClient]
    /// Keeps a client, in place of the one of the same id.
    func put(_ client: ServiceClient) async throws(EarshotError)
    /// Keeps a new client.
    ///
    /// - Returns: `false` if a client with the same identifier exists; it is unchanged.
    func add(_ client: ServiceClient) async throws(EarshotError) -> Bool
    /// Changes a client, as one step that nobody else's change comes between.
    ///
    /// - Returns: The changed client; `nil` if no client has this identifier.
    func updateClient(
        _ id: String,
        _ body: @escaping @Sendable (inout ServiceClient) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> ServiceClient?
    /// Forgets a client, its users, and their histories.
    ///
    /// - Returns: `true` if there was one.
    @discardableResult
    func removeClient(_ id: String) async throws(EarshotError) -> Bool

    /// A user; `nil` if no user has this identifier.
    func user(_ id: String) async throws(EarshotError) -> ServiceUser?
    /// The users of a client, in order of ids.
    func users(of client: String, offset: Int, limit: Int) async throws(EarshotError) -> [ServiceUser]
    /// Keeps a user, in place of the one of the same id.
    func put(_ user: ServiceUser) async throws(EarshotError)
    /// Changes a user, as one step that nobody else's change comes between.
    ///
    /// - Returns: The changed user; `nil` if no user has this identifier.
    func updateUser(
        _ id: String,
        _ body: @escaping @Sendable (inout ServiceUser) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> ServiceUser?
    /// Keeps a new user, unless the client has as many as it may: as one step that nobody else's comes between.
    ///
    /// - Returns: The number of users that the client has now; `nil` if it has reached `limit`.
    func register(_ user: ServiceUser, limit: Int?) async throws(EarshotError) -> Int?
    /// The number of users of a client.
    func userCount(of client: String) async throws(EarshotError) -> Int
    /// Forgets a user and the user's history.
    ///
    /// - Returns: `true` if there was one.
    @discardableResult
    func removeUser(_ id: String) async throws(EarshotError) -> Bool

    /// The number of uses on a day.
    ///
    /// - Parameters:
    ///   - subject: A client or a user: `client/12345678`.
    ///   - day: The day, such as `2026-01-31`.
    func usage(of subject: String, on day: String) async throws(EarshotError) -> Int
    /// The uses of several subjects on several days, in order of days and subjects.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the names of the subjects: `client/`.
    ///   - first: The first day, as `2026-01-31`.
    func usage(beginning prefix: String, since first: String) async throws(EarshotError) -> [UsageCount]
    /// Takes uses of a day atomically. They count as used from then on; return unused ones with
    /// ``addUsage(_:forgettingBefore:)``. A crash of the store's machine may undo the last second. A request that is
    /// repeated takes nothing and gets the same answer, unless another request of its subject came between.
    ///
    /// - Returns: The number of uses taken, by ``UsageRequest/taken(after:)``, and the number used on the day with
    ///   them.
    func takeUsage(_ request: UsageRequest) async throws(EarshotError) -> (taken: Int, used: Int)
    /// Adds to the usage of a day, and deletes days before the given one. Has no effect if the batch, or a later one of
    /// its writer, was added before.
    func addUsage(_ batch: UsageBatch, forgettingBefore first: String) async throws(EarshotError)

    /// Adds an entry to a user's history; of more than `limit` the oldest are forgotten.
    ///
    /// - Returns: The entry, with the id after the last.
    @discardableResult
    func addHistory(
        of user: String,
        date: Date,
        kind: String,
        match: MusicMatch,
        limit: Int
    ) async throws(EarshotError) -> UserHistoryEntry
    /// A part of a user's history, the latest first.
    ///
    /// - Parameters:
    ///   - user: The id of the user.
    ///   - words: Words that all stand in the title, the artist or the album of an entry, also as parts of longer words. Letter case and
    ///     accents do not matter. `nil` for all entries.
    ///   - offset: The number of entries to leave out.
    ///   - limit: The most entries.
    func history(
        of user: String,
        matching words: String?,
        offset: Int,
        limit: Int
    ) async throws(EarshotError) -> [UserHistoryEntry]
    /// The number of entries of a user's history, or of those with words as ``history(of:matching:offset:limit:)`` takes them.
    func historyCount(of user: String, matching words: String?) async throws(EarshotError) -> Int
    /// Sets the location of an entry in a user's history.
    ///
    /// - Parameters:
    ///   - place: The user's location; `nil` to delete it.
    ///   - user: The id of the user.
    ///   - entry: The id of the entry.
    /// - Returns: `true` if there is such an entry.
    @discardableResult
    func setHistoryPlace(_ place: HistoryPlace?, of user: String, entry: Int) async throws(EarshotError) -> Bool
    /// Forgets a user's history, or one entry of it.
    func removeHistory(of user: String, entry: Int?) async throws(EarshotError)

    /// The id of the client that a resource belongs to; `nil` if it belongs to none.
    func owner(of resource: OwnedResource) async throws(EarshotError) -> String?
    /// Gives a resource to a client. It belongs to none once the client is removed, and where there is no such client.
    ///
    /// - Parameters:
    ///   - client: The id of the client; `nil` for none.
    ///   - resource: The resource.
    func setOwner(_ client: String?, of resource: OwnedResource) async throws(EarshotError)

    /// A secret or a setting of the service's own.
    func value(_ name: String) async throws(EarshotError) -> Data?
    /// The names that begin with a prefix, in order.
    func valueNames(beginning prefix: String) async throws(EarshotError) -> [String]
    /// Keeps one; without a value it is forgotten.
    func setValue(_ value: Data?, for name: String) async throws(EarshotError)
    /// Replaces the value that was read, atomically. If several nodes create the same secret at the same time, one of
    /// them succeeds and all get its value.
    ///
    /// - Parameters:
    ///   - old: The value to replace, or `nil` if there was none. If the stored value is another one, it is not
    ///     changed.
    ///   - new: The value.
    ///   - name: The name of the value.
    /// - Returns: The value that is kept now; `nil` if there is none, because the old one was removed.
    func replaceValue(_ old: Data?, with new: Data, for name: String) async throws(EarshotError) -> Data?
    /// Gives and forgets one in a single step: of several callers one gets it.
    func takeValue(_ name: String) async throws(EarshotError) -> Data?
}

extension AccountStore {
    /// A part of a user's history, the latest first.
    public func history(of user: String, offset: Int, limit: Int) async throws(EarshotError) -> [UserHistoryEntry] {
        try await history(of: user, matching: nil, offset: offset, limit: limit)
    }

    /// The number of entries of a user's history.
    public func historyCount(of user: String) async throws(EarshotError) -> Int {
        try await historyCount(of: user, matching: nil)
    }
}
