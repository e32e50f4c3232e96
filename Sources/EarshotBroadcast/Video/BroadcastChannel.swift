public import EarshotMusic

/// A television or radio channel.
public struct BroadcastChannel: Hashable, Sendable, Codable {
    /// The origin of a channel's identifier, for a channel that is created from an identifier rather than taken from a
    /// match.
    public enum IdentifierSource: String, Hashable, Sendable, Codable, CaseIterable {
        /// The service.
        case televisionChannel
        /// An XMLTV program guide.
        case xmltv
    }

    /// The identifier.
    public let id: EntityID<BroadcastChannel>
    /// A text that accompanies the identifier; channels with another tag are other channels. Empty if there is none.
    public var tag: String
    /// The name.
    public var name: Name
    /// The call sign; `nil` if there is none.
    public var callSign: String?
    /// The channel number as text, such as `5.1`; `nil` if there is none.
    public var number: String?
    /// The address of the logo; `nil` if there is none.
    public var icon: String?
    /// The address of the web page; `nil` if there is none.
    public var address: String?
    /// The identifiers in other catalogs; empty unless requested.
    public var externalIdentifiers: [ExternalIdentifier] = []

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - tag: A text that accompanies the identifier.
    ///   - name: The name.
    ///   - callSign: The call sign.
    ///   - number: The channel number, as text.
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
    /// Decodes a channel. Missing lists and a missing tag are empty.
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
