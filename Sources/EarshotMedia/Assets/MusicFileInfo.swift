package import EarshotCore
package import Foundation

/// The tags, the duration and a digest of the audio of a file, read by opening it once.
package struct MusicFileInfo: Sendable {
    /// The tags.
    package let tags: Tags
    /// The duration; indefinite if it is not known.
    package let duration: MediaTime
    /// The digest over ``AudioDigest/Content/excerpts``.
    package let digest: AudioDigest

    /// Reads a file. The call blocks.
    ///
    /// - Parameters:
    ///   - url: A file.
    ///   - encoding: The encoding of texts that do not say theirs; nothing guesses it.
    ///   - cancellation: Cancels reading.
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
