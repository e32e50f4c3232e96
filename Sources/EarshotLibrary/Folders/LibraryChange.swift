public import Foundation

/// What a scan found of an item.
public struct LibraryChange: Hashable, Sendable {
    /// What became of it.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// It is new.
        case added
        /// Its tags or its sound changed; with other sound it is another item.
        case changed
        /// Its file has another name or stands elsewhere; the item is the same.
        case moved
        /// Its file is gone.
        case removed
    }

    /// What became of it.
    public let kind: Kind
    /// The item.
    public let item: ItemID
    /// Its file.
    public let url: URL
    /// Where it was before, when it moved.
    public let oldURL: URL?

    init(_ kind: Kind, _ item: ItemID, _ path: String, from old: String? = nil) {
        self.kind = kind
        self.item = item
        url = URL(fileURLWithPath: path, isDirectory: false)
        oldURL = old.map { URL(fileURLWithPath: $0, isDirectory: false) }
    }
}
