public import EarshotCore
public import Foundation

/// Stores the clients of a recognition service, their users and histories, the usage of both, and the service's own
/// secrets.
///
/// All functions may be called from any task. Changes are stored when a function returns. They throw `storeUnavailable`
/// if the store cannot be reached, `writeFailed` if it cannot be written, and `cancelled`.
public protocol AccountStore: Sendable {
    /// Returns a client; `nil` if no client has this identifier.
    func client(_ id: String) async throws(EarshotError) -> ServiceClient?
    /// Returns all clients, ordered by identifier.
    func clients() async throws(EarshotError) -> [ServiceClient]
    /// Stores a client, in place of one with the same identifier.
    func put(_ client: ServiceClient) async throws(EarshotError)
    /// Stores a new client.
    ///
    /// - Returns: `true` if it was stored; `false` if a client with the same identifier exists, which is unchanged.
    func add(_ client: ServiceClient) async throws(EarshotError) -> Bool
    /// Changes a client atomically.
    ///
    /// - Parameters:
    ///   - id: The identifier of the client.
    ///   - body: Changes the client; an error that it throws is passed on, and nothing changes.
    /// - Returns: The changed client; `nil` if no client has this identifier.
    func updateClient(
        _ id: String,
        _ body: @escaping @Sendable (inout ServiceClient) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> ServiceClient?
    /// Removes a client, its users, and their histories.
    ///
    /// - Returns: `true` if the client existed.
    @discardableResult
    func removeClient(_ id: String) async throws(EarshotError) -> Bool

    /// Returns a user; `nil` if no user has this identifier.
    func user(_ id: String) async throws(EarshotError) -> ServiceUser?
    /// Returns a page of the users of a client, ordered by identifier.
    ///
    /// - Parameters:
    ///   - client: The identifier of the client.
    ///   - offset: The number of users to skip.
    ///   - limit: The largest number of users.
    func users(of client: String, offset: Int, limit: Int) async throws(EarshotError) -> [ServiceUser]
    /// Stores a user, in place of one with the same identifier.
    func put(_ user: ServiceUser) async throws(EarshotError)
    /// Changes a user atomically.
    ///
    /// - Parameters:
    ///   - id: The identifier of the user.
    ///   - body: Changes the user; an error that it throws is passed on, and nothing changes.
    /// - Returns: The changed user; `nil` if no user has this identifier.
    func updateUser(
        _ id: String,
        _ body: @escaping @Sendable (inout ServiceUser) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> ServiceUser?
    /// Stores a new user atomically, unless the client has reached its largest number of users.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - limit: The largest number of users of the client; `nil` for no limit.
    /// - Returns: The number of users that the client has now; `nil` if it has reached `limit`.
    func register(_ user: ServiceUser, limit: Int?) async throws(EarshotError) -> Int?
    /// Returns the number of users of a client.
    func userCount(of client: String) async throws(EarshotError) -> Int
    /// Removes a user and the user's history.
    ///
    /// - Returns: `true` if the user existed.
    @discardableResult
    func removeUser(_ id: String) async throws(EarshotError) -> Bool

    /// Returns the number of recognitions of a client or user on a day.
    ///
    /// - Parameters:
    ///   - subject: The client or user, such as `client/12345678`.
    ///   - day: The day in UTC, such as `2026-01-31`.
    func usage(of subject: String, on day: String) async throws(EarshotError) -> Int
    /// Returns the recognitions of several clients or users on several days, ordered by day and subject.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the names of the subjects, such as `client/`.
    ///   - first: The first day, such as `2026-01-31`.
    func usage(beginning prefix: String, since first: String) async throws(EarshotError) -> [UsageCount]
    /// Reserves recognitions of a day's quota atomically. They count as used from then on; return unused ones with
    /// ``addUsage(_:forgettingBefore:)``. A crash of the store's machine may undo the last second. A repeated request
    /// reserves nothing and gets the same answer, unless another request of its subject came between.
    ///
    /// - Returns: The number of recognitions reserved, by ``UsageRequest/taken(after:)``, and the number used on the
    ///   day with them.
    func takeUsage(_ request: UsageRequest) async throws(EarshotError) -> (taken: Int, used: Int)
    /// Adds to the usage of a day, and deletes the usage of days before the given one. Has no effect if the batch, or a
    /// later one of its writer, was added before.
    ///
    /// - Parameters:
    ///   - batch: The usage to add.
    ///   - first: The first day that is kept, such as `2026-01-31`.
    func addUsage(_ batch: UsageBatch, forgettingBefore first: String) async throws(EarshotError)

    /// Adds an entry to a user's history, and removes the oldest entries beyond a limit.
    ///
    /// - Parameters:
    ///   - user: The identifier of the user.
    ///   - date: The time of the recognition.
    ///   - kind: The kind of recording: `stream` or `file`.
    ///   - match: The best match.
    ///   - limit: The largest number of entries of the user.
    /// - Returns: The entry, with the identifier after the last one.
    @discardableResult
    func addHistory(
        of user: String,
        date: Date,
        kind: String,
        match: MusicMatch,
        limit: Int
    ) async throws(EarshotError) -> UserHistoryEntry
    /// Returns a page of a user's history, the latest entry first.
    ///
    /// - Parameters:
    ///   - user: The identifier of the user.
    ///   - words: Words that must all occur in the title, artist or album of an entry, also as parts of longer words.
    ///     Case and accents are ignored. `nil` for all entries.
    ///   - offset: The number of entries to skip.
    ///   - limit: The largest number of entries.
    func history(
        of user: String,
        matching words: String?,
        offset: Int,
        limit: Int
    ) async throws(EarshotError) -> [UserHistoryEntry]
    /// Returns the number of entries of a user's history that match words, as in
    /// ``history(of:matching:offset:limit:)``; of all entries if `nil`.
    func historyCount(of user: String, matching words: String?) async throws(EarshotError) -> Int
    /// Sets the location of an entry in a user's history.
    ///
    /// - Parameters:
    ///   - place: The user's location; `nil` to delete it.
    ///   - user: The identifier of the user.
    ///   - entry: The identifier of the entry.
    /// - Returns: `true` if the entry exists.
    @discardableResult
    func setHistoryPlace(_ place: HistoryPlace?, of user: String, entry: Int) async throws(EarshotError) -> Bool
    /// Removes an entry of a user's history; the whole history if `entry` is `nil`.
    func removeHistory(of user: String, entry: Int?) async throws(EarshotError)

    /// Returns the identifier of the client that owns a resource; `nil` if none does.
    func owner(of resource: OwnedResource) async throws(EarshotError) -> String?
    /// Sets the client that owns a resource. The resource has no owner if the client does not exist, or after it is
    /// removed.
    ///
    /// - Parameters:
    ///   - client: The identifier of the client; `nil` for none.
    ///   - resource: The resource.
    func setOwner(_ client: String?, of resource: OwnedResource) async throws(EarshotError)

    /// Returns a secret or a setting of the service by its name; `nil` if there is none.
    func value(_ name: String) async throws(EarshotError) -> Data?
    /// Returns the names of the secrets and settings that begin with a prefix, sorted.
    func valueNames(beginning prefix: String) async throws(EarshotError) -> [String]
    /// Stores a secret or a setting of the service; `nil` removes it.
    func setValue(_ value: Data?, for name: String) async throws(EarshotError)
    /// Replaces a secret or a setting if it has the expected value, atomically. If several nodes create the same secret
    /// at the same time, one of them succeeds and all get its value.
    ///
    /// - Parameters:
    ///   - old: The expected value; `nil` if there was none. If the stored value differs, it is not changed.
    ///   - new: The new value.
    ///   - name: The name of the secret or setting.
    /// - Returns: The value that is stored now; `nil` if there is none, because the old one was removed.
    func replaceValue(_ old: Data?, with new: Data, for name: String) async throws(EarshotError) -> Data?
    /// Removes a secret or a setting and returns it, atomically: of several callers one gets it. `nil` if there is
    /// none.
    func takeValue(_ name: String) async throws(EarshotError) -> Data?
}

extension AccountStore {
    /// Returns a page of a user's history, the latest entry first.
    ///
    /// - Parameters:
    ///   - user: The identifier of the user.
    ///   - offset: The number of entries to skip.
    ///   - limit: The largest number of entries.
    public func history(of user: String, offset: Int, limit: Int) async throws(EarshotError) -> [UserHistoryEntry] {
        try await history(of: user, matching: nil, offset: offset, limit: limit)
    }

    /// Returns the number of entries of a user's history.
    public func historyCount(of user: String) async throws(EarshotError) -> Int {
        try await historyCount(of: user, matching: nil)
    }
}
