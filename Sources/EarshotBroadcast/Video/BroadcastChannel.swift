public import EarshotMusic

/// A channel of television or radio.
public struct BroadcastChannel: Hashable, Sendable, Codable {
    /// The origin of a channel's identifier, for a channel that is created from an identifier rather than taken from a
    /// match.
    public enum IdentifierSource: String, Hashable, Sendable, Codable, CaseIterable {
        /// The service's own.
        case televisionChannel
        /// A programme guide in XMLTV.
        case xmltv
    }

    /// The identifier.
    public let id: EntityID<BroadcastChannel>
    /// A word that goes with the identifier; empty where there is none.
    public var tag: String
    /// The name.
    public var name: Name
    /// Its call sign.
    public var callSign: String?
    /// Its number, as text: `5.1` is one.
    public var number: String?
    /// The address of its sign.
    public var icon: String?
    /// The address of its page.
    public var address: String?
    /// The channel in other catalogs; filled only where it was asked for.
    public var externalIdentifiers: [ExternalIdentifier] = []

    /// A channel.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - tag: A word that goes with the identifier.
    ///   - name: The name.
    ///   - callSign: Its call sign.
    ///   - number: Its number, as text.
    public init(
        id: EntityID<BroadcastChannel>,
        tag: String = "",
        name: Name,
        callSign: String? = nil,
        number: String? = nil
    ) {
        self.id = id
        self.tag = tag
        self.name = name
        self.callSign = callSign
        self.number = number
    }
}

extension BroadcastChannel {
    /// Reads a channel; a list, and a tag, that are not there are empty.
    ///
    /// - Throws: `DecodingError` if the data is not a channel. Numbers must be text, because `5.10` is not `5.1`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(EntityID<BroadcastChannel>.self, forKey: .id),
            tag: try values.decodeIfPresent(String.self, forKey: .tag) ?? "",
            name: try values.decode(Name.self, forKey: .name),
            callSign: try values.decodeIfPresent(String.self, forKey: .callSign),
            number: try values.decodeIfPresent(String.self, forKey: .number)
        )
        icon = try values.decodeIfPresent(String.self, forKey: .icon)
        address = try values.decodeIfPresent(String.self, forKey: .address)
        externalIdentifiers = try values.decodeIfPresent([ExternalIdentifier].self, forKey: .externalIdentifiers) ?? []
    }
}
