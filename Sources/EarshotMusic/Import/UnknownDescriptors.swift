import Synchronization

/// Texts that name no descriptor, collected during an import: what they stood for is left out, and whoever imports is told.
public final class UnknownDescriptors: Sendable {
    private let state = Mutex<[DescriptorKind: [String: Int]]>([:])

    /// An empty collection.
    public init() {}

    /// What was found so far: how often each text stood there. Of each kind the first 1,000 different texts are kept.
    public var counts: [DescriptorKind: [String: Int]] { state.withLock(\.self) }

    func add(_ text: String, _ kind: DescriptorKind) {
        state.withLock { state in
            guard state[kind]?[text] != nil || state[kind]?.count ?? 0 < 1_000 else { return }
            state[kind, default: [:]][text, default: 0] += 1
        }
    }
}
