public import EarshotCore
public import Foundation

/// A cache of the answers to metadata queries, so that a repeated query makes no request.
///
/// A disabled cache is empty and stores nothing. All functions may be called from any task. They throw
/// `storeUnavailable` and `writeFailed` if the cache fails; the caller can then ask a service instead, as
/// `value(for:fetch:)` does.
public protocol MetadataCache: Sendable {
    /// The value stored last under a key; `nil` if there is none, or it is older than the lifetime in the options.
    ///
    /// - Parameter key: The query, as text.
    func value(for key: String) async throws(EarshotError) -> Data?

    /// Stores a value under a key and replaces the previous one. If the cache is full, the values stored first are
    /// removed. A value larger than the whole cache is not stored.
    ///
    /// - Parameters:
    ///   - value: The answer.
    ///   - key: The query, as text.
    func store(_ value: Data, for key: String) async throws(EarshotError)

    /// Removes all entries.
    func clear() async throws(EarshotError)
}

extension MetadataCache {
    /// Returns the cached answer to a query. If there is none, fetches the answer and stores it.
    ///
    /// If the cache fails, the value is fetched.
    ///
    /// - Parameters:
    ///   - key: The query, as text.
    ///   - fetch: Asks the service for the value.
    /// - Throws: The error of `fetch`; nothing is stored then.
    public func value(
        for key: String,
        fetch: () async throws(EarshotError) -> Data
    ) async throws(EarshotError) -> Data {
        if let value = try? await value(for: key) { return value }
        let value = try await fetch()
        try? await store(value, for: key)
        return value
    }

    /// Returns the cached answer to a query, decoded from JSON. If there is none, fetches the answer and stores it.
    ///
    /// A cached value that cannot be decoded, because another version wrote it, is fetched again.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - key: The query, as text.
    ///   - fetch: Asks the service for the value.
    /// - Throws: The error of `fetch`; nothing is stored then.
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
