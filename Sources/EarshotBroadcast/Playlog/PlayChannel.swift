public import EarshotMusic

/// The channel of a play: what it is known by, and what it is called.
public struct PlayChannel: Hashable, Sendable, Codable {
    /// The identifier, of 1 to 512 bytes.
    public var id: EntityID<BroadcastChannel>
    /// The name; the identifier if no name is known.
    public var name: String

    /// A channel.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - name: The name; `nil` for the identifier.
    public init(id: EntityID<BroadcastChannel>, name: String? = nil) {
        self.id = id
        self.name = name ?? id.rawValue
    }
}
