public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures

/// A signature in a bundle, with its media item and metadata.
public struct BundleReference: Hashable, Sendable, Identifiable {
    /// The name, 1 to 512 bytes; no two references of a bundle share it.
    public var id: ReferenceID
    /// The signature, not empty. A bundle keeps the strongest 48 landmarks a second, as catalogs do.
    public var signature: Signature
    /// The media item of the reference.
    public var item: MediaItem
    /// The title that a match shows; `nil` for the title of the ``item``.
    public var title: String?
    /// A second line to show; `nil` for the subtitle of the ``item``.
    public var subtitle: String?
    /// The work that the signature belongs to, which must be in the bundle; `nil` if there is none.
    public var workID: EntityID<VideoWork>?
    /// The custom data that the bundle's author attached; `nil` if there is none.
    public var customData: CustomData?

    /// Creates a reference.
    ///
    /// - Parameters:
    ///   - id: The name.
    ///   - signature: The signature.
    ///   - item: The media item of the reference.
    ///   - title: The title that a match shows.
    ///   - subtitle: A second line to show.
    ///   - workID: The work that it is of.
    ///   - customData: The custom data to attach.
    public init(
        id: ReferenceID,
        signature: Signature,
        item: MediaItem = MediaItem(),
        title: String? = nil,
        subtitle: String? = nil,
        workID: EntityID<VideoWork>? = nil,
        customData: CustomData? = nil
    ) {
        self.id = id
        self.signature = signature
        self.item = item
        self.title = title
        self.subtitle = subtitle
        self.workID = workID
        self.customData = customData
    }
}
