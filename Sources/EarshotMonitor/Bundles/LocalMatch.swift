public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore

/// A reference of a ``BundleStore`` in which a query was found.
public struct LocalMatch: Hashable, Sendable {
    /// The reference's name in its bundle.
    public let reference: ReferenceID
    /// The bundle that it comes from.
    public let bundle: String
    /// The alignment of the query with the reference: offset, speed and pitch, score, confidence.
    public let match: ReferenceMatch
    /// The title to show; `nil` if the bundle has none.
    public let title: String?
    /// A second line.
    public let subtitle: String?
    /// The work that the reference is of.
    public let work: VideoWork?
    /// The custom data that the bundle's author attached, unchanged.
    public let customData: CustomData?
}
