public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore

/// A reference of a ``BundleStore`` in which a query was found.
public struct LocalMatch: Hashable, Sendable {
    /// The reference's name in its bundle.
    public let reference: ReferenceID
    /// The bundle that it comes from.
    public let bundle: String
    /// How the query lies on the reference: offset, speed and pitch, score, confidence.
    public let match: ReferenceMatch
    /// What to show; `nil` if the bundle says nothing.
    public let title: String?
    /// A second line.
    public let subtitle: String?
    /// The work that the reference is of.
    public let work: VideoWork?
    /// What the bundle's maker put beside the reference, unchanged.
    public let customData: CustomData?
}
