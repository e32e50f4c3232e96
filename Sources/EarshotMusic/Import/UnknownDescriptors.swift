import Synchronization

/// Collects texts without a descriptor during an import: they are left out, and reported at the end.
public final class UnknownDescriptors: Sendable {
    private let state = Mutex<[DescriptorKind: [String: Int]]>([:])

    /// Creates an empty collection.
    public init() {}

    /// The number of occurrences of each text, by kind. Only the first 1,000 different texts of a kind are counted.
    public var counts: [DescriptorKind: [String: Int]] { state.withLock(\.self) }

    func add(_ text: String, _ kind: DescriptorKind) {
        state.withLock { state in
            guard state[kind]?[text] != nil || state[kind]?.count ?? 0 < 1_000 else { return }
            state[kind, default: [:]][text, default: 0] += 1
        }
    }
}
