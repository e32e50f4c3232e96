public import Foundation

/// A change of an item that a scan found.
public struct LibraryChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// The item is new.
        case added
        /// The tags or the audio of the file changed. With other audio, it is an item with another identifier.
        case changed
        /// The file was renamed or moved; the item is the same.
        case moved
        /// The file is gone.
        case removed
    }

    /// The kind of change.
    public let kind: Kind
    /// The item.
    public let item: ItemID
    /// The address of the item's file.
    public let url: URL
    /// The previous address of a moved file; `nil` for other changes.
    public let oldURL: URL?

    init(_ kind: Kind, _ item: ItemID, _ path: String, from old: String? = nil) {
        self.kind = kind
        self.item = item
        url = URL(fileURLWithPath: path, isDirectory: false)
        oldURL = old.map { URL(fileURLWithPath: $0, isDirectory: false) }
    }
}
