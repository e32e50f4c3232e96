import Dispatch
public import EarshotCore
public import EarshotMedia
public import Foundation

/// All tags of a file: properties by name, pictures, and items that are neither.
///
/// `Asset.tags` of `EarshotMedia` shows what a player shows, of any format; this shows what can be edited, in formats that TagLib writes.
public struct TagFile: Hashable, Sendable {
    /// The file.
    public let url: URL
    /// The container of the file.
    public let container: TagContainer
    /// The properties by name in capitals: `TITLE`, `ALBUM`, `ALBUMARTIST`, `TRACKNUMBER`, `MUSICBRAINZ_TRACKID`.
    public let properties: [String: [String]]
    /// The pictures.
    public let pictures: [TagPicture]
    /// The items that are neither properties nor pictures.
    public let others: [TagItem]

    /// The values of a property; the case of its name is ignored. Empty if the file does not have the property.
    public subscript(name: String) -> [String] { properties[name.uppercased()] ?? [] }

    /// A digest of the tags: equal for equal tags.
    public var state: TagState { TagState(self) }

    /// Opens a file and reads its tags.
    ///
    /// - Parameter url: A file.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable` for a file that is damaged or cannot be read,
    ///   `mediaTypeUnsupported` for a type whose tags cannot be read.
    public static func load(_ url: URL) async throws(EarshotError) -> TagFile {
        let queue = DispatchQueue(label: "earshot.media.tags", qos: .userInitiated)
        let result = await BlockingWork.run(on: queue, cancelling: Cancellation()) { () throws(EarshotError) in
            try loadBlocking(url)
        }
        return try result.get()
    }

    /// The same as ``load(_:)``, on the caller's thread.
    package static func loadBlocking(_ url: URL) throws(EarshotError) -> TagFile {
        try load(RawFile(reading: url.path), as: url)
    }

    /// Reads the tags of an open file.
    ///
    /// - Parameter url: The address of the file in the result and in messages.
    static func load(_ file: RawFile, as url: URL) throws(EarshotError) -> TagFile {
        try TagLibFile(file, name: url.path).contents(url)
    }
}
