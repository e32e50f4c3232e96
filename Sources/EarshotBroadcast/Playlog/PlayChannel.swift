public import EarshotMusic

/// The channel of a play: its identifier and name.
public struct PlayChannel: Hashable, Sendable, Codable {
    /// The identifier, 1 to 512 bytes of UTF-8.
    public var id: EntityID<BroadcastChannel>
    /// The name; the identifier if no name is known.
    public var name: String

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - name: The name; `nil` for the identifier.
    public init(id: EntityID<BroadcastChannel>, name: String? = nil) {
        self.id = id
        self.name = name ?? id.rawValue
    }
}
