public import EarshotCatalogs
public import EarshotCore

/// The position of a recording on a reference, with the reference's name.
///
/// Members of the ``placement`` are members: `found.confidence` is `found.placement.confidence`. As JSON it has the form of
/// `PlacementRecord`.
@dynamicMemberLookup
public struct ReferencePlacement: Hashable, Sendable {
    /// The reference's name in its catalog.
    public var reference: ReferenceID
    /// The position of the recording on it.
    public var placement: Placement

    /// Creates a position on a reference.
    public init(reference: ReferenceID, placement: Placement) {
        self.reference = reference
        self.placement = placement
    }

    /// A member of the placement.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Placement, Value>) -> Value {
        get { placement[keyPath: path] }
        set { placement[keyPath: path] = newValue }
    }
}

extension ReferencePlacement: Codable {
    /// Reads the form of `PlacementRecord`.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { self = try PlacementRecord(from: decoder).value }

    /// Writes the form of `PlacementRecord`.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws { try PlacementRecord(self).encode(to: encoder) }
}
