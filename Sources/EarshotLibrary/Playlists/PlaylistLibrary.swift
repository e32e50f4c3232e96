public import EarshotCore

/// A library whose items are the entries of a playlist. Read-only.
public struct PlaylistLibrary: MusicLibrary {
    private let all: MemoryMusicLibrary

    /// Creates a library from the entries of a playlist.
    ///
    /// - Parameters:
    ///   - playlist: The playlist. An entry that occurs several times is one item.
    ///   - identify: Returns the identifier of an entry, commonly from a hash of its audio. `nil` for one from the
    ///     address, or from the texts of an entry without an address, which is as stable as these.
    public init(_ playlist: Playlist, identify: (PlaylistEntry) -> ItemID? = { _ in nil }) {
        all = MemoryMusicLibrary(
            playlist.entries.map { entry in
                MusicItem(
                    id: identify(entry) ?? Self.id(of: entry),
                    assetURL: entry.url,
                    title: entry.title,
                    artist: entry.artist,
                    album: entry.album,
                    trackNumber: entry.trackNumber,
                    duration: entry.duration
                )
            }
        )
    }

    /// Returns the items in the order of the playlist.
    public func items() async throws(EarshotError) -> [MusicItem] { try await all.items() }

    /// Returns the item with an identifier; `nil` if there is none.
    public func item(_ id: ItemID) async throws(EarshotError) -> MusicItem? { try await all.item(id) }

    private static func id(of entry: PlaylistEntry) -> ItemID {
        if let url = entry.url { return ItemID(address: url) }
        let number = entry.trackNumber.map { String($0) } ?? ""
        let texts = [entry.artist, entry.album, entry.title].map { $0 ?? "" }
        return ItemID(library: "playlist", key: (texts + [number]).joined(separator: "\u{1F}"))
    }
}
