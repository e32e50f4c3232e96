public import EarshotCatalogs
public import EarshotCore

/// The alignment of a recording with a reference, and the reference's name.
///
/// Members of the ``placement`` can be accessed directly: `found.confidence` is `found.placement.confidence`. Its JSON
/// form is that of `PlacementRecord`.
@dynamicMemberLookup
public struct ReferencePlacement: Hashable, Sendable {
    /// The name of the reference in its catalog.
    public var reference: ReferenceID
    /// The alignment of the recording with the reference.
    public var placement: Placement

    /// Creates the alignment with a reference.
    public init(reference: ReferenceID, placement: Placement) {
        self.reference = reference
        self.placement = placement
    }

    /// Accesses a member of ``placement``.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Placement, Value>) -> Value {
        get { placement[keyPath: path] }
        set { placement[keyPath: path] = newValue }
    }
}

extension ReferencePlacement: Codable {
    /// Decodes the JSON form of `PlacementRecord`.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { self = try PlacementRecord(from: decoder).value }

    /// Encodes the JSON form of `PlacementRecord`, which omits the score.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws { try PlacementRecord(self).encode(to: encoder) }
}
