/// The tags of an asset, by name without regard to case.
public struct Tags: Hashable, Sendable {
    private var values: [String: String] = [:]
    private var spellings: [String: String] = [:]

    /// No tags.
    public init() {}

    /// Tags from pairs of name and value; of two names that differ only in case, the first stays.
    public init(_ pairs: some Sequence<(String, String)>) {
        for (name, value) in pairs { add(name, value) }
    }

    /// The value of a tag, under any spelling of its name in upper and lower case.
    public subscript(name: String) -> String? { values[name.lowercased()] }

    /// The names as the file spells them, in order.
    public var names: [String] { spellings.values.sorted() }

    /// `true` if there is no tag at all.
    public var isEmpty: Bool { values.isEmpty }

    /// The title of the piece.
    public var title: String? { self["title"] }
    /// The artist.
    public var artist: String? { self["artist"] }
    /// The record it is on.
    public var album: String? { self["album"] }
    /// The album artist.
    public var albumArtist: String? { self["album_artist"] ?? self["albumartist"] ?? self["album artist"] }
    /// The kind of music.
    public var genre: String? { self["genre"] }
    /// The date of release, as the file writes it: often only a year.
    public var date: String? { self["date"] ?? self["year"] }
    /// Its place on the record, as the file writes it: `3` or `3/12`.
    public var track: String? { self["track"] ?? self["tracknumber"] }
    /// The number of the disc in a set, as the file writes it.
    public var disc: String? { self["disc"] ?? self["discnumber"] }
    /// The recording's international code.
    public var isrc: String? { self["isrc"] ?? self["tsrc"] }
    /// The composer.
    public var composer: String? { self["composer"] }
    /// A remark.
    public var comment: String? { self["comment"] ?? self["description"] }

    /// Adds a tag unless there is one of that name, or it is empty.
    mutating func add(_ name: String, _ value: String) {
        let key = name.lowercased()
        guard values[key] == nil, !value.isEmpty else { return }
        values[key] = value
        spellings[key] = name
    }
}
