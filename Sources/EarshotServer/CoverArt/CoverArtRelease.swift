import EarshotCore
import EarshotMusic

/// A release with pictures, found by an identifier of MusicBrainz.
struct CoverArtRelease: Sendable {
    /// A picture and its number.
    struct Entry: Sendable {
        let number: UInt64
        let picture: Picture
    }

    /// The MBID of the release. The identifier by which it was found may be another one.
    let id: String
    /// Its pictures, in their order.
    let entries: [Entry]

    /// The cover: the first picture that is no back; `nil` if there is none.
    var front: Entry? { entries.first { $0.picture.kind != .back } }
    /// The back: the first picture of that kind; `nil` if there is none.
    var back: Entry? { entries.first { $0.picture.kind == .back } }

    /// Returns the chosen picture; `nil` if there is none.
    func entry(_ choice: CoverArtName.Choice) -> Entry? {
        switch choice {
        case .front: front
        case .back: back
        case .number(let number): entries.first { $0.number == number }
        }
    }

    /// Returns the release of an identifier. Of a release group, returns the earliest release with a cover, or else with any picture.
    ///
    /// - Throws: `entityNotFound` if there is no picture; what the store throws.
    static func find(_ identifier: MusicIdentifier, in music: any MusicStore) async throws(EarshotError)
        -> CoverArtRelease
    {
        var albums = try await music.albums(with: identifier)
        // Albums that were imported from MusicBrainz have MBIDs as their own ids, and the store resolves those of merged albums.
        if identifier.scheme == .musicBrainzRelease, let album = try await music.album(EntityID(identifier.value)),
            !albums.contains(where: { $0.id == album.id })
        {
            albums.append(album)
        }
        var releases: [CoverArtRelease] = []
        for album in albums.sorted(by: isEarlier) {
            let release = CoverArtRelease(
                id: id(of: album, asked: identifier),
                entries: try await entries(album, music)
            )
            if release.front != nil { return release }
            if !release.entries.isEmpty { releases.append(release) }
        }
        guard let release = releases.first else {
            let kind = identifier.scheme == .musicBrainzRelease ? "release" : "release group"
            throw EarshotError(
                .entityNotFound,
                "There is no picture of the \(kind) \(identifier.value): check the identifier."
            )
        }
        return release
    }

    /// Returns `true` if an album is sorted before another: by date, albums without one last; for equal dates by id.
    private static func isEarlier(_ left: Album, _ right: Album) -> Bool {
        switch (left.date, right.date) {
        case (let first?, let second?) where first != second: first < second
        case (_?, nil): true
        case (nil, _?): false
        default: left.id.rawValue < right.id.rawValue
        }
    }

    private static func id(of album: Album, asked identifier: MusicIdentifier) -> String {
        if album.identifiers.contains(identifier), identifier.scheme == .musicBrainzRelease { return identifier.value }
        let own = album.identifiers.filter { $0.scheme == .musicBrainzRelease }.map(\.value).sorted().first
        return own ?? MusicIdentifier(.musicBrainzRelease, album.id.rawValue)?.value ?? identifier.value
    }

    private static func entries(_ album: Album, _ music: any MusicStore) async throws(EarshotError) -> [Entry] {
        var entries: [Entry] = []
        for id in album.pictures {
            guard let (picture, _) = try await music.picture(id) else { continue }
            entries.append(Entry(number: number(of: id), picture: picture))
        }
        return entries
    }

    /// Returns the number of a picture, which never changes, because clients of the archive expect numbers. It has 53 bits, so that
    /// floating-point numbers represent it exactly.
    static func number(of id: EntityID<Picture>) -> UInt64 {
        // FNV-1a.
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id.rawValue.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (value >> 11) ^ (value & 0x7FF)
    }
}
