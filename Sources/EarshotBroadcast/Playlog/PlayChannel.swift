public import EarshotMusic

/// The channel of a play: what it is known by, and what it is called.
public struct PlayChannel: Hashable, Sendable, Codable {
    /// The identifier, of 1 to 512 bytes.
    public var id: EntityID<BroadcastChannel>
    /// What it is called; the identifier where no name is known.
    public var name: String

    /// A channel.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - name: What it is called; `nil` for the identifier.
    public init(id: EntityID<BroadcastChannel>, name: String? = nil) {
        self.id = id
        self.name = name ?? id.rawValue
    }
}
