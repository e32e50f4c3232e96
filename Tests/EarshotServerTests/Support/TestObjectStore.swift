import EarshotCore
import EarshotNodes
import Foundation
import Synchronization

/// Objects in memory, which can be lost, changed and out of reach.
final class TestObjectStore: ObjectStore {
    private struct State {
        var objects: [String: Data] = [:]
        var isAway = false
        var name = "memory"
        var onKeep: (@Sendable () async -> Void)?
        var refused: [String] = []
        var refusesRemovals = false
        var losesAnswers = false
    }

    let largest: Int

    init(largest: Int = 1 << 40) {
        self.largest = largest
    }

    var name: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    /// Does something once, when the next part comes, before it is there.
    func onKeep(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.onKeep = body } }

    /// Takes nothing whose key begins so, and lets nothing go.
    func refuse(puts: [String], removals: Bool) {
        state.withLock { ($0.refused, $0.refusesRemovals) = (puts, removals) }
    }

    /// Says that parts are kept, and that whoever brings them does not learn of it.
    var losesAnswers: Bool {
        get { state.withLock { $0.losesAnswers } }
        set { state.withLock { $0.losesAnswers = newValue } }
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.objects.count } }

    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    func change(_ body: (Data) -> Data?) {
        state.withLock { $0.objects = $0.objects.compactMapValues(body) }
    }

    func keep(_ file: URL, size: Int, sha256: String, as key: String) async throws(EarshotError) {
        try check()
        let isRefused = state.withLock { state in state.refused.contains { key.hasPrefix($0) } }
        if isRefused { throw EarshotError(.storeUnavailable, "The store does not take it.") }
        let data = FileManager.default.contents(atPath: file.path)
        let hook = state.withLock { state in
            defer { state.onKeep = nil }
            return state.onKeep
        }
        await hook?()
        state.withLock { $0.objects[key] = data }
        if losesAnswers { throw EarshotError(.storeUnavailable, "The connection was lost.") }
    }

    func fetch(_ key: String, to file: URL) async throws(EarshotError) {
        try check()
        guard let data = state.withLock({ $0.objects[key] }) else {
            throw EarshotError(.entityNotFound, "There is no \(key).")
        }
        guard (try? data.write(to: file)) != nil else { throw EarshotError(.writeFailed, "No room.") }
    }

    func remove(_ key: String) async throws(EarshotError) {
        try check()
        if state.withLock({ $0.refusesRemovals }) {
            throw EarshotError(.storeUnavailable, "The store lets nothing go.")
        }
        state.withLock { _ = $0.objects.removeValue(forKey: key) }
    }

    func list(_ prefix: String, after token: String?) async throws(EarshotError) -> ObjectPage {
        try check()
        let objects = state.withLock { $0.objects.filter { $0.key.hasPrefix(prefix) } }
        return ObjectPage(
            objects: objects.sorted { $0.key < $1.key }.map { key, data in
                ObjectPage.Object(key: key, size: data.count, modified: .distantPast)
            }
        )
    }

    func check() throws(EarshotError) {
        if isAway { throw EarshotError(.storeUnavailable, "The store is away.") }
    }
}
