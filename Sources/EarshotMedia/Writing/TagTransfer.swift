package import EarshotCore
package import Foundation

/// Reads the tags of an ``ExportSession``'s source and writes them to the new file.
///
/// `EarshotTags` has the only implementation, `.tagLib`. This module uses only FFmpeg, which reads one value of a
/// property, one picture, and no format-specific data.
public struct TagTransfer: Sendable {
    /// The tags of a file, in the form of its container.
    package struct Contents: Sendable {
        /// The text properties by TagLib's names, such as `ALBUMARTIST`.
        package var properties: [String: [String]]
        package var pictures: [TagPicture]
        package var items: [TagItem]
        /// The comments and lyrics of ID3v2 with their languages. Their texts are also in ``properties``.
        package var spoken: [TagItem]
        /// The tag format of the items; `nil` if there are none.
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

    /// Reads the tags of a file; returns `nil` if the file type is not supported.
    package let read: @Sendable (URL) -> Contents?
    /// Writes tags to an open file, which is called by the given name in error messages. Returns the names of tags that
    /// its format does not support.
    package let write: @Sendable (Contents, RawFile, String) -> Result<[String], EarshotError>

    package init(
        read: @escaping @Sendable (URL) -> Contents?,
        write: @escaping @Sendable (Contents, RawFile, String) -> Result<[String], EarshotError>
    ) {
        (self.read, self.write) = (read, write)
    }
}
