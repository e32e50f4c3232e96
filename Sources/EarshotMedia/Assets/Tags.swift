/// The tags of an asset as text values by name. Case does not distinguish names.
public struct Tags: Hashable, Sendable {
    private var values: [String: String] = [:]
    private var spellings: [String: String] = [:]

    /// Creates an empty set of tags.
    public init() {}

    /// Creates tags from pairs of name and value. Of names that differ only in case, the first is kept; empty values
    /// are ignored.
    public init(_ pairs: some Sequence<(String, String)>) {
        for (name, value) in pairs { add(name, value) }
    }

    /// The value of a tag by name, in any case; `nil` if there is no such tag.
    public subscript(name: String) -> String? { values[name.lowercased()] }

    /// The names of all tags as spelled in the file, sorted.
    public var names: [String] { spellings.values.sorted() }

    /// `true` if there are no tags.
    public var isEmpty: Bool { values.isEmpty }

    /// The title of the track; `nil` if the file has none.
    public var title: String? { self["title"] }
    /// The name of the artist; `nil` if the file has none.
    public var artist: String? { self["artist"] }
    /// The title of the album; `nil` if the file has none.
    public var album: String? { self["album"] }
    /// The name of the album artist; `nil` if the file has none.
    public var albumArtist: String? { self["album_artist"] ?? self["albumartist"] ?? self["album artist"] }
    /// The genre as text; `nil` if the file has none.
    public var genre: String? { self["genre"] }
    /// The release date as written in the file, often only a year; `nil` if the file has none.
    public var date: String? { self["date"] ?? self["year"] }
    /// The track number as written in the file, such as `3` or `3/12`; `nil` if the file has none.
    public var track: String? { self["track"] ?? self["tracknumber"] }
    /// The disc number in a set as written in the file, such as `1` or `1/2`; `nil` if the file has none.
    public var disc: String? { self["disc"] ?? self["discnumber"] }
    /// The ISRC, the international code of the recording; `nil` if the file has none.
    public var isrc: String? { self["isrc"] ?? self["tsrc"] }
    /// The name of the composer; `nil` if the file has none.
    public var composer: String? { self["composer"] }
    /// The comment; `nil` if the file has none.
    public var comment: String? { self["comment"] ?? self["description"] }

    /// Adds a tag unless there is one of that name, or it is empty.
    mutating func add(_ name: String, _ value: String) {
        let key = name.lowercased()
        guard values[key] == nil, !value.isEmpty else { return }
        values[key] = value
        spellings[key] = name
    }
}
