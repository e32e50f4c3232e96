public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures

/// A signature in a bundle, and what goes with it.
public struct BundleReference: Hashable, Sendable, Identifiable {
    /// The name, 1 to 512 bytes; no two references of a bundle share it.
    public var id: ReferenceID
    /// The signature, not empty. A bundle keeps the strongest 48 landmarks a second, as catalogs do.
    public var signature: Signature
    /// The media item of the reference.
    public var item: MediaItem
    /// The title that a match shows; `nil` for the title of the ``item``.
    public var title: String?
    /// A second line; without it the subtitle of the ``item``.
    public var subtitle: String?
    /// The work that the signature is of, which the bundle holds too.
    public var workID: EntityID<VideoWork>?
    /// The custom data that the bundle's author attached.
    public var customData: CustomData?

    /// A reference.
    ///
    /// - Parameters:
    ///   - id: The name.
    ///   - signature: The signature.
    ///   - item: The media item of the reference.
    ///   - title: The title that a match shows.
    ///   - subtitle: A second line.
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
