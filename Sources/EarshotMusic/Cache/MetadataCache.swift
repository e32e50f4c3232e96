public import EarshotCore
public import Foundation

/// Where the answers to queries for metadata are kept, so that a query that is asked again makes no request.
///
/// A cache that is off has nothing and keeps nothing. All functions may be called from any task. They throw
/// `storeUnavailable` and `writeFailed` when the cache cannot be reached; whoever asks can then ask a service instead, as
/// `value(for:fetch:)` does.
public protocol MetadataCache: Sendable {
    /// What was last stored under a key; `nil` if there is nothing, or it is older than the lifetime of its options.
    ///
    /// - Parameter key: The query, as text.
    func value(for key: String) async throws(EarshotError) -> Data?

    /// Keeps an answer, in place of the one of the same key. Where room is short, what was stored first goes first. An answer
    /// that is larger than the whole cache is not kept.
    ///
    /// - Parameters:
    ///   - value: The answer.
    ///   - key: The query, as text.
    func store(_ value: Data, for key: String) async throws(EarshotError)

    /// Removes everything.
    func clear() async throws(EarshotError)
}

extension MetadataCache {
    /// The answer to a query: from the cache where that has it, else fetched, and then kept.
    ///
    /// A cache that fails is passed by: the query is answered all the same.
    ///
    /// - Parameters:
    ///   - key: The query, as text.
    ///   - fetch: Asks whoever knows.
    /// - Throws: What `fetch` throws, unchanged; nothing is kept then.
    public func value(
        for key: String,
        fetch: () async throws(EarshotError) -> Data
    ) async throws(EarshotError) -> Data {
        if let value = try? await value(for: key) { return value }
        let value = try await fetch()
        try? await store(value, for: key)
        return value
    }

    /// The answer to a query as a value, kept as JSON: from the cache where that has it, else fetched, and then kept.
    ///
    /// What is in the cache and cannot be read, for another version wrote it, counts as absent.
    ///
    /// - Parameters:
    ///   - type: What the answer is.
    ///   - key: The query, as text.
    ///   - fetch: Asks whoever knows.
    /// - Throws: What `fetch` throws, unchanged; nothing is kept then.
    public func value<Value: Codable & Sendable>(
        _ type: Value.Type,
        for key: String,
        fetch: () async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        if let data = try? await value(for: key), let value = try? JSONDecoder().decode(type, from: data) {
            return value
        }
        let value = try await fetch()
        if let data = try? JSONEncoder().encode(value) { try? await store(data, for: key) }
        return value
    }
}
