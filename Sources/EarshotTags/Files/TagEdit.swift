public import EarshotCore
public import EarshotMedia

/// A change of the tags of a file. Fields that it does not name are unchanged.
///
/// ```swift
/// var edit = TagEdit()
/// try edit.set("ARTIST", to: ["One", "Other"])
/// edit.remove("COMMENT")
/// edit.set(TagPicture(bytes: cover))
/// ```
public struct TagEdit: Hashable, Sendable {
    /// The properties changed, with their new values; one without any is removed.
    public private(set) var properties: [String: [String]] = [:]
    /// Pictures put in; those of the same kind go.
    public private(set) var pictures: [TagPicture] = []
    /// Kinds of which every picture goes.
    public private(set) var removedPictures: Set<TagPicture.Kind> = []

    /// Items that are neither properties nor pictures, to be added; only ID3v2 takes them.
    var others: [TagItem] = []

    /// Creates an edit without changes.
    public init() {}

    /// `true` if nothing is changed.
    public var isEmpty: Bool {
        properties.isEmpty && pictures.isEmpty && removedPictures.isEmpty && others.isEmpty
    }

    /// Gives a property new values in the place of all that it has.
    ///
    /// - Parameters:
    ///   - name: Its name in any case, as TagLib's property map has it: `TITLE`, `ALBUMARTIST`, `TRACKNUMBER`, `DATE`,
    ///     `MUSICBRAINZ_TRACKID`. Names of one's own are kept too.
    ///   - values: The values; empty ones are left out, and without any the property is removed.
    /// - Throws: `metadataInvalid` for a name that no tag can have, and a value with a zero character in it.
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

    /// Gives a property one new value in the place of all that it has.
    ///
    /// - Throws: The errors of ``set(_:to:)-(_,[String])``.
    public mutating func set(_ name: String, to value: String) throws(EarshotError) {
        try set(name, to: [value])
    }

    /// Removes a property.
    public mutating func remove(_ name: String) {
        properties[name.uppercased()] = []
    }

    /// Puts a picture in, in the place of all of its kind that the file has.
    public mutating func set(_ picture: TagPicture) {
        pictures.append(picture)
        removedPictures.insert(picture.kind)
    }

    /// Removes the pictures of a kind, or all.
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
