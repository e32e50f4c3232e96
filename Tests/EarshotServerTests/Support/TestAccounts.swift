import EarshotCore
import EarshotRecognition
import EarshotSQLite
import Foundation
import Synchronization

/// Accounts in memory that count what they are asked, and can be away.
final class TestAccounts: AccountStore {
    private struct State {
        var calls: [String: Int] = [:]
        var isAway = false
        var losesAnswers = false
    }

    private let store: SQLiteAccountStore
    private let state = Mutex(State())

    init() throws { store = try SQLiteAccountStore.inMemory() }

    /// Says that the store cannot be reached.
    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// Says that uses are added and taken, and that whoever does so does not learn of it.
    var losesAnswers: Bool {
        get { state.withLock { $0.losesAnswers } }
        set { state.withLock { $0.losesAnswers = newValue } }
    }

    /// The number of calls of a function.
    func calls(_ name: String) -> Int { state.withLock { $0.calls[name, default: 0] } }

    private func note(_ name: String) throws(EarshotError) {
        let isAway = state.withLock { state in
            state.calls[name, default: 0] += 1
            return state.isAway
        }
        if isAway { throw EarshotError(.storeUnavailable, "The store is away.") }
    }

    // MARK: - Store

    func client(_ id: String) async throws(EarshotError) -> ServiceClient? {
        try note("client")
        return try await store.client(id)
    }

    func clients() async throws(EarshotError) -> [ServiceClient] {
        try note("clients")
        return try await store.clients()
    }

    func put(_ client: ServiceClient) async throws(EarshotError) {
        try note("put")
        try await store.put(client)
    }

    func add(_ client: ServiceClient) async throws(EarshotError) -> Bool {
        try note("add")
        return try await store.add(client)
    }

    func updateClient(_ id: String, _ body: @escaping @Sendable (inout ServiceClient) throws(EarshotError) -> Void)
        async throws(EarshotError) -> ServiceClient?
    {
        try note("updateClient")
        return try await store.updateClient(id, body)
    }

    @discardableResult
    func removeClient(_ id: String) async throws(EarshotError) -> Bool {
        try note("removeClient")
        return try await store.removeClient(id)
    }

    func user(_ id: String) async throws(EarshotError) -> ServiceUser? {
        try note("user")
        return try await store.user(id)
    }

    func users(of client: String, offset: Int, limit: Int) async throws(EarshotError) -> [ServiceUser] {
        try note("users")
        return try await store.users(of: client, offset: offset, limit: limit)
    }

    func put(_ user: ServiceUser) async throws(EarshotError) {
        try note("put")
        try await store.put(user)
    }

    func updateUser(_ id: String, _ body: @escaping @Sendable (inout ServiceUser) throws(EarshotError) -> Void)
        async throws(EarshotError) -> ServiceUser?
    {
        try note("updateUser")
        return try await store.updateUser(id, body)
    }

    func register(_ user: ServiceUser, limit: Int?) async throws(EarshotError) -> Int? {
        try note("register")
        return try await store.register(user, limit: limit)
    }

    func userCount(of client: String) async throws(EarshotError) -> Int {
        try note("userCount")
        return try await store.userCount(of: client)
    }

    @discardableResult
    func removeUser(_ id: String) async throws(EarshotError) -> Bool {
        try note("removeUser")
        return try await store.removeUser(id)
    }

    func usage(of subject: String, on day: String) async throws(EarshotError) -> Int {
        try note("usage")
        return try await store.usage(of: subject, on: day)
    }

    func usage(beginning prefix: String, since first: String) async throws(EarshotError) -> [UsageCount] {
        try note("usage")
        return try await store.usage(beginning: prefix, since: first)
    }

    func takeUsage(_ request: UsageRequest) async throws(EarshotError) -> (taken: Int, used: Int) {
        try note("takeUsage")
        let answer = try await store.takeUsage(request)
        if losesAnswers { throw EarshotError(.storeUnavailable, "The connection was lost.") }
        return answer
    }

    func addUsage(_ batch: UsageBatch, forgettingBefore first: String) async throws(EarshotError) {
        try note("addUsage")
        try await store.addUsage(batch, forgettingBefore: first)
        if losesAnswers { throw EarshotError(.storeUnavailable, "The connection was lost.") }
    }

    @discardableResult
    func addHistory(of user: String, date: Date, kind: String, match: MusicMatch, limit: Int) async throws(EarshotError)
        -> UserHistoryEntry
    {
        try note("addHistory")
        return try await store.addHistory(of: user, date: date, kind: kind, match: match, limit: limit)
    }

    func history(of user: String, matching words: String?, offset: Int, limit: Int) async throws(EarshotError)
        -> [UserHistoryEntry]
    {
        try note("history")
        return try await store.history(of: user, matching: words, offset: offset, limit: limit)
    }

    func historyCount(of user: String, matching words: String?) async throws(EarshotError) -> Int {
        try note("historyCount")
        return try await store.historyCount(of: user, matching: words)
    }

    @discardableResult
    func setHistoryPlace(_ place: HistoryPlace?, of user: String, entry: Int) async throws(EarshotError) -> Bool {
        try note("setHistoryPlace")
        return try await store.setHistoryPlace(place, of: user, entry: entry)
    }

    func removeHistory(of user: String, entry: Int?) async throws(EarshotError) {
        try note("removeHistory")
        try await store.removeHistory(of: user, entry: entry)
    }

    func owner(of resource: OwnedResource) async throws(EarshotError) -> String? {
        try note("owner")
        return try await store.owner(of: resource)
    }

    func setOwner(_ client: String?, of resource: OwnedResource) async throws(EarshotError) {
        try note("setOwner")
        try await store.setOwner(client, of: resource)
    }

    func value(_ name: String) async throws(EarshotError) -> Data? {
        try note("value")
        return try await store.value(name)
    }

    func valueNames(beginning prefix: String) async throws(EarshotError) -> [String] {
        try note("valueNames")
        return try await store.valueNames(beginning: prefix)
    }

    func setValue(_ value: Data?, for name: String) async throws(EarshotError) {
        try note("setValue")
        try await store.setValue(value, for: name)
    }

    func replaceValue(_ old: Data?, with new: Data, for name: String) async throws(EarshotError) -> Data? {
        try note("replaceValue")
        return try await store.replaceValue(old, with: new, for: name)
    }

    func takeValue(_ name: String) async throws(EarshotError) -> Data? {
        try note("takeValue")
        return try await store.takeValue(name)
    }
}
