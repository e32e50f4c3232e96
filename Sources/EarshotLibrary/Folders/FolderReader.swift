import Dispatch
package import EarshotCore
package import EarshotMedia
import EarshotMusic
import Foundation

/// Reads the tags and digests of files for a library. Tests and services can replace it.
package struct FolderReader: Sendable {
    /// The properties that are read from a file.
    package struct Reading: Sendable {
        /// The tags.
        package let tags: Tags
        /// The duration.
        package let duration: MediaTime
        /// The first bits of the digest of its audio.
        package let audio: AudioKey

        /// Creates the result of reading a file.
        package init(tags: Tags, duration: MediaTime, audio: AudioKey) {
            (self.tags, self.duration, self.audio) = (tags, duration, audio)
        }
    }

    /// Reads the file at a path, with the encoding for tags that state none.
    package let read: @Sendable (String, LegacyEncoding?) async throws(EarshotError) -> Reading
    /// Returns the digest of all encoded audio of a file. It reads the whole file.
    package let digest: @Sendable (String) async throws(EarshotError) -> AudioKey

    /// Creates a reader from its two functions.
    package init(
        read: @escaping @Sendable (String, LegacyEncoding?) async throws(EarshotError) -> Reading,
        digest: @escaping @Sendable (String) async throws(EarshotError) -> AudioKey
    ) {
        (self.read, self.digest) = (read, digest)
    }

    /// The reader of files on disk. It uses threads of its own; canceling the task ends a read.
    package static let files = FolderReader { (path, encoding) throws(EarshotError) in
        try await blocking { cancellation throws(EarshotError) in
            let url = URL(fileURLWithPath: path, isDirectory: false)
            let facts = try MusicFileInfo(blocking: url, legacyEncoding: encoding, cancellation: cancellation)
            return Reading(tags: facts.tags, duration: facts.duration, audio: AudioKey(facts.digest))
        }
    } digest: { path throws(EarshotError) in
        try await blocking { cancellation throws(EarshotError) in
            let url = URL(fileURLWithPath: path, isDirectory: false)
            return AudioKey(try AudioDigest.blocking(url, cancellation: cancellation))
        }
    }

    private static func blocking<Value: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        let cancellation = Cancellation()
        return try await BlockingWork.run(on: .global(qos: .utility), cancelling: cancellation) {
            () throws(EarshotError) in
            try work(cancellation)
        }.get()
    }

    /// The result for a file.
    func result(of path: String, _ encoding: LegacyEncoding?) async -> Result<Reading, EarshotError> {
        do throws(EarshotError) {
            return .success(try await read(path, encoding))
        } catch {
            return .failure(error)
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
