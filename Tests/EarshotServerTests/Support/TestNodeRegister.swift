import EarshotCore
import EarshotNodes
import Synchronization

/// A register in memory. It names no node before a number of them are there, and can be frozen.
final class TestNodeRegister: NodeRegister {
    private struct State {
        var records: [NodeID: NodeRecord] = [:]
        var kept: [NodeRecord]?
        var least = 1
    }

    private let state = Mutex(State())

    private static func sorted(_ records: [NodeID: NodeRecord]) -> [NodeRecord] {
        records.values.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// No node is named before so many are there. A node that is alone for a moment would fetch what is to be placed on others, and keep it.
    func wait(for count: Int) { state.withLock { $0.least = count } }

    /// Nodes that come and go from here on are not told.
    func freeze() { state.withLock { $0.kept = Self.sorted($0.records) } }

    /// Tells of all nodes that are there, however few.
    func thaw() {
        state.withLock {
            $0.kept = nil
            $0.least = 1
        }
    }

    func announce(_ record: NodeRecord, seconds: Double) async throws(EarshotError) -> Bool {
        state.withLock { $0.records[record.id] = record }
        return false
    }

    func setDraining(_ isDraining: Bool, of node: NodeID) async throws(EarshotError) -> Bool { false }

    func leave(_ node: NodeID) async throws(EarshotError) {
        _ = state.withLock { $0.records.removeValue(forKey: node) }
    }

    func nodes() async throws(EarshotError) -> [NodeRecord] {
        state.withLock { state in
            state.kept ?? (state.records.count < state.least ? [] : Self.sorted(state.records))
        }
    }

    func places() async throws(EarshotError) -> Set<PlaceID>? { nil }
}
