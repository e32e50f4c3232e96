public import EarshotCore
public import EarshotMedia

/// A change of the tags of a file. Properties and pictures that it does not name are unchanged.
///
/// ```swift
/// var edit = TagEdit()
/// try edit.set("ARTIST", to: ["One", "Other"])
/// edit.remove("COMMENT")
/// edit.set(TagPicture(bytes: cover))
/// ```
public struct TagEdit: Hashable, Sendable {
    /// The changed properties by name in capitals, with their new values. A property without values is removed.
    public private(set) var properties: [String: [String]] = [:]
    /// The pictures to add. They replace the file's pictures of the same kind.
    public private(set) var pictures: [TagPicture] = []
    /// The kinds of pictures that are removed from the file.
    public private(set) var removedPictures: Set<TagPicture.Kind> = []

    /// Items that are neither properties nor pictures, to be added; only ID3v2 takes them.
    var others: [TagItem] = []

    /// Creates an edit without changes.
    public init() {}

    /// `true` if the edit changes nothing.
    public var isEmpty: Bool {
        properties.isEmpty && pictures.isEmpty && removedPictures.isEmpty && others.isEmpty
    }

    /// Replaces all values of a property.
    ///
    /// - Parameters:
    ///   - name: The name in any case, as in TagLib's property map: `TITLE`, `ALBUMARTIST`, `TRACKNUMBER`, `DATE`,
    ///     `MUSICBRAINZ_TRACKID`. Other names are written too.
    ///   - values: The new values. Empty ones are left out; without any the property is removed.
    /// - Throws: `metadataInvalid` for a name that tags do not allow, and a value with a zero character.
    public mutating func set(_ name: String, to values: [String]) throws(EarshotError) {
        let key = name.uppercased()
        guard !key.isEmpty, key.utf8.allSatisfy({ (0x20...0x7D).contains($0) && $0 != UInt8(ascii: "=") }) else {
            throw EarshotError(
                .metadataInvalid,
                "A tag cannot have the name \"\(name)\": use letters, digits and spaces of ASCII."
            )
        }
        // ID3v2 puts zero characters between values.
        if values.contains(where: { $0.utf8.contains(0) }) {
            throw EarshotError(.metadataInvalid, "A value of \(key) has a zero character in it: take it out.")
        }
        properties[key] = values.filter { !$0.isEmpty }
    }

    /// Replaces all values of a property by one.
    ///
    /// - Throws: The errors of ``set(_:to:)-(_,[String])``.
    public mutating func set(_ name: String, to value: String) throws(EarshotError) {
        try set(name, to: [value])
    }

    /// Removes a property, by its name in any case.
    public mutating func remove(_ name: String) {
        properties[name.uppercased()] = []
    }

    /// Adds a picture, which replaces the file's pictures of its kind.
    public mutating func set(_ picture: TagPicture) {
        pictures.append(picture)
        removedPictures.insert(picture.kind)
    }

    /// Removes all pictures of a kind, or all pictures if it is `nil`.
    public mutating func removePictures(_ kind: TagPicture.Kind? = nil) {
        removedPictures.formUnion(kind.map { [$0] } ?? TagPicture.Kind.allCases)
        pictures.removeAll { kind == nil || $0.kind == kind }
    }

    /// The properties of a file after the edit.
    func applied(to old: [String: [String]]) -> [String: [String]] {
        old.merging(properties) { $1 }.filter { !$0.value.isEmpty }
    }

    /// The pictures of a file after the edit.
    func applied(to old: [TagPicture]) -> [TagPicture] {
        old.filter { !removedPictures.contains($0.kind) } + pictures
    }
}
