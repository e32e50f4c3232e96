import CFFmpeg
import Dispatch
public import EarshotCore
public import Foundation

/// A media file or stream: its tracks, duration, tags, picture and chapters.
public struct Asset: Hashable, Sendable {
    /// The address that the asset was loaded from.
    public let url: URL
    /// The container's short names as FFmpeg gives them, for example `wav`, `mp3` or `mov,mp4,m4a,3gp,3g2,mj2`.
    public let formatName: String
    /// The duration of the asset; indefinite if it is not known.
    public let duration: MediaTime
    /// The bit rate of all streams together, in bits per second; `nil` if unknown.
    public let bitRate: Int?
    /// The tags of the container and of the audio stream that a player would choose.
    public let tags: Tags
    /// The embedded picture, preferably the front cover; `nil` if there is none.
    public let artwork: Artwork?
    /// The chapters in the order of the file.
    public let chapters: [Chapter]
    /// The audio tracks in the order of the file.
    public let streams: [AudioStream]
    /// `true` if the asset has video. An embedded cover does not count.
    public let hasVideo: Bool

    /// Opens an address and reads its metadata, without decoding audio.
    ///
    /// - Parameters:
    ///   - url: A file, or an address that FFmpeg can open.
    ///   - encoding: The encoding of text in tags that do not state their own. It is never guessed.
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable` or `cancelled`. A file without audio is not an
    ///   error here: its ``streams`` are empty.
    public static func load(
        _ url: URL,
        legacyEncoding encoding: LegacyEncoding? = nil
    ) async throws(EarshotError) -> Asset {
        let cancellation = Cancellation()
        // A queue for each file: one that waits for a slow disk holds no other up.
        let queue = DispatchQueue(label: "earshot.media.asset", qos: .userInitiated)
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { () throws(EarshotError) in
            try Asset(Demuxer(url, cancellation: cancellation), legacyEncoding: encoding)
        }
        return try result.get()
    }

    /// Returns `true` if an address can be opened and has audio.
    public static func canOpen(_ url: URL) async -> Bool {
        do {
            return try await !load(url).streams.isEmpty
        } catch {
            return false
        }
    }

    /// Opens an address and reads its metadata on the caller's thread, as ``load(_:legacyEncoding:)`` does.
    ///
    /// - Throws: The errors of ``load(_:legacyEncoding:)``.
    package static func loadBlocking(_ url: URL, cancellation: Cancellation = .init()) throws(EarshotError) -> Asset {
        try Asset(Demuxer(url, cancellation: cancellation))
    }

    init(_ demuxer: Demuxer, legacyEncoding: LegacyEncoding? = nil) {
        let best = demuxer.bestAudioStream
        url = demuxer.url
        formatName = demuxer.formatName
        duration = demuxer.duration(of: best)
        bitRate = Self.positive(demuxer.context.pointee.bit_rate)
        tags = Self.tags(demuxer, best, legacyEncoding)
        artwork = Self.artwork(demuxer)
        chapters = Self.chapters(demuxer)
        streams = demuxer.audioStreams.map { Self.audioStream($0, in: demuxer) }
        hasVideo = !demuxer.videoStreams.isEmpty
    }
}
