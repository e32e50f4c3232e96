import EarshotCore
import EarshotMusic
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Cache of metadata")
struct MetadataCacheTests {
    /// A cache in memory that may fail.
    private final class Cache: MetadataCache {
        let entries = Mutex<[String: Data]>([:])
        let fails: Bool

        init(fails: Bool = false) {
            self.fails = fails
        }

        private func check() throws(EarshotError) {
            if fails { throw EarshotError(.storeUnavailable, "The cache is held by a test: try again.") }
        }

        func value(for key: String) async throws(EarshotError) -> Data? {
            try check()
            return entries.withLock { $0[key] }
        }

        func store(_ value: Data, for key: String) async throws(EarshotError) {
            try check()
            entries.withLock { $0[key] = value }
        }

        func clear() async throws(EarshotError) {
            entries.withLock { $0.removeAll() }
        }
    }

    /// How often a service was asked.
    private final class Requests: Sendable {
        private let state = Mutex(0)

        var count: Int { state.withLock { $0 } }

        func add() { state.withLock { $0 += 1 } }
    }

    private static func ask(_ cache: Cache, _ requests: Requests) async throws -> Name {
        try await cache.value(Name.self, for: "name") { () async throws(EarshotError) in
            requests.add()
            return Name("Gulls")
        }
    }

    @Test("A repeated query makes no request", .requirements("R-ACR-182"))
    func repetition() async throws {
        let (cache, requests) = (Cache(), Requests())
        for _ in 0..<3 { #expect(try await Self.ask(cache, requests) == Name("Gulls")) }
        #expect(requests.count == 1)
        // What another version wrote counts as absent.
        try await cache.store(Data("{}".utf8), for: "name")
        #expect(try await Self.ask(cache, requests) == Name("Gulls"))
        #expect(try await Self.ask(cache, requests) == Name("Gulls"))
        #expect(requests.count == 2)
    }

    @Test("A cache that fails is passed by")
    func failure() async throws {
        let (cache, requests) = (Cache(fails: true), Requests())
        for _ in 0..<2 { #expect(try await Self.ask(cache, requests) == Name("Gulls")) }
        #expect(requests.count == 2)
    }

    @Test("What a request throws comes out unchanged, and nothing is kept")
    func refusal() async throws {
        let cache = Cache()
        let error = await #expect(throws: EarshotError.self) {
            try await cache.value(for: "a") { () async throws(EarshotError) in
                throw EarshotError(.accessDenied, "Guides are not for this client: ask the operator.")
            }
        }
        #expect(error?.code == .accessDenied)
        #expect(cache.entries.withLock { $0.isEmpty })
    }
}
