import Dispatch
public import EarshotCore
public import EarshotMedia
public import Foundation

/// The editable tags of a file: text properties by name, pictures, and other items.
///
/// `Asset.tags` of `EarshotMedia` has the tags that a player shows, of any format. This type has the tags that can be
/// edited, of formats that TagLib writes.
public struct TagFile: Hashable, Sendable {
    /// The address of the file.
    public let url: URL
    /// The type of the file, which decides the format of its tags.
    public let container: TagContainer
    /// The values of the text properties by name in capitals: `TITLE`, `ALBUM`, `ALBUMARTIST`, `TRACKNUMBER`,
    /// `MUSICBRAINZ_TRACKID`.
    public let properties: [String: [String]]
    /// The pictures in the tags, in the order of the file.
    public let pictures: [TagPicture]
    /// The items that are neither text properties nor pictures, such as private frames of ID3v2.
    public let others: [TagItem]

    /// The values of a property by its name in any case; empty if the file does not have the property.
    public subscript(name: String) -> [String] { properties[name.uppercased()] ?? [] }

    /// A digest of the tags, which is equal for equal tags.
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

    /// Opens a file and reads its tags on the caller's thread, as ``load(_:)`` does.
    ///
    /// - Throws: The errors of ``load(_:)``.
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
