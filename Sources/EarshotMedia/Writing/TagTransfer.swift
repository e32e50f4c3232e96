package import EarshotCore
package import Foundation

/// A library that an ``ExportSession`` reads the tags of the source with, and writes those of the new file with.
///
/// `EarshotTags` has the only implementation, `.tagLib`. This module uses only FFmpeg, which reads one value of a
/// property, one picture, and no format-specific data.
public struct TagTransfer: Sendable {
    /// The tags of a file, in the form of its container.
    package struct Contents: Sendable {
        /// Properties by TagLib's names.
        package var properties: [String: [String]]
        package var pictures: [TagPicture]
        package var items: [TagItem]
        /// Comments and lyrics of ID3v2 with their languages, whose texts are properties too.
        package var spoken: [TagItem]
        /// The format of the items.
        package var format: TagContainer.Format?

        package init(
            properties: [String: [String]],
            pictures: [TagPicture],
            items: [TagItem],
            spoken: [TagItem] = [],
            format: TagContainer.Format? = nil
        ) {
            (self.properties, self.pictures, self.items) = (properties, pictures, items)
            (self.spoken, self.format) = (spoken, format)
        }
    }

    /// Reads the tags of a file; `nil` if they cannot be edited.
    package let read: @Sendable (URL) -> Contents?
    /// Writes tags into an open file that messages call by a name, and returns the names of those that its format cannot hold.
    package let write: @Sendable (Contents, RawFile, String) -> Result<[String], EarshotError>

    package init(
        read: @escaping @Sendable (URL) -> Contents?,
        write: @escaping @Sendable (Contents, RawFile, String) -> Result<[String], EarshotError>
    ) {
        (self.read, self.write) = (read, write)
    }
}
