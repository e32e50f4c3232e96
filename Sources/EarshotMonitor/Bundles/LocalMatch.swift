public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore

/// A reference of a ``BundleStore`` in which a query was found.
public struct LocalMatch: Hashable, Sendable {
    /// The reference's name in its bundle.
    public let reference: ReferenceID
    /// The identifier of the bundle that contains the reference.
    public let bundle: String
    /// The alignment of the query with the reference: offset, speed and pitch, score, confidence.
    public let match: ReferenceMatch
    /// The title to show; `nil` if the bundle has none.
    public let title: String?
    /// A second line to show; `nil` if the bundle has none.
    public let subtitle: String?
    /// The work that the reference belongs to; `nil` if the bundle names none.
    public let work: VideoWork?
    /// The custom data that the bundle's author attached, unchanged; `nil` if there is none.
    public let customData: CustomData?
}
