import Dispatch
public import EarshotCore
import EarshotMedia
public import Foundation

/// The loudness of an album: of each track, and of all tracks together.
public struct AlbumLoudness: Sendable {
    /// A track of the album.
    public struct Track: Sendable {
        /// The address of the track's file.
        public let url: URL
        /// The loudness, or the error of the measurement.
        public let loudness: Result<Loudness, EarshotError>
    }

    /// The tracks, in the order in which they were given.
    public let tracks: [Track]
    /// The loudness of all measured tracks together.
    public let album: Loudness

    /// Measures the files of an album, one after the other. A file that cannot be read is reported with its track, and
    /// left out of the album's loudness.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - heard: Called after each file, on any thread, with its duration in seconds.
    /// - Throws: `cancelled` when the task is.
    public static func measure(
        _ files: [URL],
        heard: @escaping @Sendable (URL, Double) -> Void = { _, _ in }
    ) async throws(EarshotError) -> AlbumLoudness {
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: .global(qos: .utility), cancelling: cancellation) {
            () throws(EarshotError) in
            var (tracks, meters): ([Track], [LoudnessMeter]) = ([], [])
            for url in files {
                do throws(EarshotError) {
                    let (meter, seconds) = try measure(url, cancellation)
                    meters.append(meter)
                    tracks.append(Track(url: url, loudness: .success(meter.loudness)))
                    heard(url, seconds)
                } catch {
                    if error.code == .cancelled { throw error }
                    tracks.append(Track(url: url, loudness: .failure(error)))
                    heard(url, 0)
                }
            }
            return AlbumLoudness(tracks: tracks, album: LoudnessMeter.loudness(of: meters))
        }
        return try result.get()
    }

    private static func measure(
        _ url: URL,
        _ cancellation: Cancellation
    ) throws(EarshotError) -> (LoudnessMeter, seconds: Double) {
        let decoder = try AudioDecoder(url, cancellation: cancellation)
        let format = decoder.format
        let meter = try LoudnessMeter(sampleRate: format.sampleRate, channelCount: format.channelCount)
        var frames = 0
        while let block = try decoder.next() {
            meter.append(block.buffer)
            frames += block.buffer.frameCount
        }
        return (meter, Double(frames) / Double(max(1, format.sampleRate)))
    }
}
