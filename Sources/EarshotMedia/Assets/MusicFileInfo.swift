package import EarshotCore
package import Foundation

/// What a library wants to know of a file, read with one opening of it: tags, length and a digest of the sound.
package struct MusicFileInfo: Sendable {
    /// The tags.
    package let tags: Tags
    /// How long it lasts; indefinite where that is not known.
    package let duration: MediaTime
    /// The digest over ``AudioDigest/Content/excerpts``.
    package let digest: AudioDigest

    /// Reads a file. The call blocks.
    ///
    /// - Parameters:
    ///   - url: A file.
    ///   - encoding: The encoding of texts that do not say theirs; nothing guesses it.
    ///   - cancellation: What ends it.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`, `noAudioStream`, `cancelled`.
    package init(
        blocking url: URL,
        legacyEncoding encoding: LegacyEncoding? = nil,
        cancellation: Cancellation = .init()
    ) throws(EarshotError) {
        let demuxer = try Demuxer(url, cancellation: cancellation)
        let best = demuxer.bestAudioStream
        tags = Asset.tags(demuxer, best, encoding)
        duration = demuxer.duration(of: best)
        digest = AudioDigest(content: .excerpts, bytes: try AudioDigest.excerpts(demuxer, cancellation))
    }
}
