package import EarshotCore
package import Foundation

/// The tags and duration of a file, and a digest of its audio, read by opening the file once.
package struct MusicFileInfo: Sendable {
    /// The tags of the container and the audio stream.
    package let tags: Tags
    /// The duration; indefinite if it is not known.
    package let duration: MediaTime
    /// The digest of parts of the audio, of the kind ``AudioDigest/Content/excerpts``.
    package let digest: AudioDigest

    /// Reads a file on the caller's thread.
    ///
    /// - Parameters:
    ///   - url: A file.
    ///   - encoding: The encoding of text in tags that do not state their own. It is never guessed.
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
