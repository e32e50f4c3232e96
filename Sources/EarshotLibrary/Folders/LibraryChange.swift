public import Foundation

/// A change of an item that a scan found.
public struct LibraryChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// It is new.
        case added
        /// Its tags or its audio changed; with other audio it is another item.
        case changed
        /// Its file was renamed or moved; the item is the same.
        case moved
        /// Its file is gone.
        case removed
    }

    /// The kind of change.
    public let kind: Kind
    /// The item.
    public let item: ItemID
    /// Its file.
    public let url: URL
    /// The previous address, for a moved file.
    public let oldURL: URL?

    init(_ kind: Kind, _ item: ItemID, _ path: String, from old: String? = nil) {
        self.kind = kind
        self.item = item
        url = URL(fileURLWithPath: path, isDirectory: false)
        oldURL = old.map { URL(fileURLWithPath: $0, isDirectory: false) }
    }
}
