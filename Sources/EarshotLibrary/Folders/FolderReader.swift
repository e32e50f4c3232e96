import Dispatch
import EarshotCore
import EarshotMedia
import EarshotMusic
import Foundation

/// Reads files for a library: the only place where they are opened, so that a test can count it.
struct FolderReader: Sendable {
    /// What is read of a file.
    struct Reading: Sendable {
        let tags: Tags
        let duration: MediaTime
        let audio: AudioKey
    }

    /// Reads a file; blocks.
    let read: @Sendable (String, LegacyEncoding?, Cancellation) throws(EarshotError) -> Reading
    /// The digest of all the encoded audio of a file, which takes as long as reading it; blocks.
    let digest: @Sendable (String, Cancellation) throws(EarshotError) -> AudioKey

    /// The reader of real files.
    static let files = FolderReader(
        read: { (path, encoding, cancellation) throws(EarshotError) in
            let url = URL(fileURLWithPath: path, isDirectory: false)
            let facts = try MusicFileInfo(blocking: url, legacyEncoding: encoding, cancellation: cancellation)
            return Reading(tags: facts.tags, duration: facts.duration, audio: AudioKey(facts.digest))
        },
        digest: { (path, cancellation) throws(EarshotError) in
            let url = URL(fileURLWithPath: path, isDirectory: false)
            return AudioKey(try AudioDigest.blocking(url, cancellation: cancellation))
        }
    )

    /// The result for a file, read on a thread of its own.
    static func result(
        of path: String,
        _ encoding: LegacyEncoding?,
        with reader: FolderReader
    ) async -> Result<Reading, EarshotError> {
        let cancellation = Cancellation()
        return await BlockingWork.run(on: .global(qos: .utility), cancelling: cancellation) { () throws(EarshotError) in
            try reader.read(path, encoding, cancellation)
        }
    }
}

extension MusicItem {
    /// The item of a file.
    init(_ id: ItemID, path: String, _ reading: FolderReader.Reading) {
        let tags = reading.tags
        let fields = TrackTags(
            Dictionary(tags.names.map { ($0, tags[$0] ?? "") }, uniquingKeysWith: { first, _ in first })
        )
        self.init(
            id: id,
            assetURL: URL(fileURLWithPath: path, isDirectory: false),
            kind: Self.kind(path, tags),
            title: tags.title,
            artist: tags.artist,
            album: tags.album,
            albumArtist: tags.albumArtist,
            composer: tags.composer,
            genre: tags.genre,
            discNumber: fields.disc.number,
            trackNumber: fields.place.number,
            year: fields.date?.year,
            duration: reading.duration
        )
    }

    /// The same item under another identifier.
    func identified(as id: ItemID) -> MusicItem {
        MusicItem(
            id: id,
            assetURL: assetURL,
            kind: kind,
            title: title,
            artist: artist,
            album: album,
            albumArtist: albumArtist,
            albumID: albumID,
            composer: composer,
            genre: genre,
            discNumber: discNumber,
            trackNumber: trackNumber,
            year: year,
            duration: duration
        )
    }

    private static func kind(_ path: String, _ tags: Tags) -> MediaKind {
        let genre = tags.genre?.lowercased() ?? ""
        if genre == "podcast" || tags["podcast"] == "1" || tags["media_type"] == "21" { return .podcast }
        if ["audiobook", "audiobooks", "audio book", "hörbuch", "speech"].contains(genre) || path.hasSuffix(".m4b")
            || tags["media_type"] == "2"
        {
            return .audiobook
        }
        return .song
    }
}
