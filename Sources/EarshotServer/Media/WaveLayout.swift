import EarshotAPI
import EarshotAnalysis
import EarshotCore
import EarshotMedia
import Foundation

/// The correspondence of the bytes of a WAVE file to frames of audio, so that a part of the file can be sent without
/// creating all of it.
struct WaveLayout: Hashable, Sendable {
    /// The bytes before the samples.
    static let headSize = 44
    /// The most bytes of samples that the header can state.
    private static let sizeLimit = Int(UInt32.max) - headSize
    /// The sample rate of files that state none, in hertz.
    private static let usualRate = 44_100
    /// The durations of audio that are decoded at once, in seconds: short at the start, so that playback begins soon.
    private static let (firstRun, laterRun) = (4, 20)

    /// The sample rate, in hertz.
    let rate: Int
    /// The number of channels: 1 or 2.
    let channels: Int
    /// The number of frames of the file.
    let frames: Int

    /// The number of bytes of a frame.
    var frameSize: Int { 2 * channels }
    /// The number of bytes of the file.
    var size: Int { Self.headSize + frames * frameSize }

    /// Creates the layout for some audio. A very long duration gets a lower rate and one channel.
    ///
    /// - Parameters:
    ///   - seconds: The duration, in seconds.
    ///   - rate: The sample rate of the file, in hertz; 0 if unknown.
    ///   - channels: The number of channels; 0 if unknown.
    /// - Returns: `nil` for audio that is empty, or too long for any WAVE file.
    init?(seconds: Double, rate: Int, channels: Int) {
        guard seconds.isFinite, seconds > 0 else { return nil }
        let own = rate == 0 ? Self.usualRate : min(96_000, max(8_000, rate))
        for (rate, channels) in [(own, channels == 1 ? 1 : 2), (min(own, 32_000), 1), (8_000, 1)] {
            guard let frames = Int(exactly: (seconds * Double(rate)).rounded()),
                frames <= Self.sizeLimit / (2 * channels)
            else { continue }
            (self.rate, self.channels, self.frames) = (rate, channels, frames)
            return
        }
        return nil
    }

    /// Returns the layout of a file of a media folder.
    ///
    /// - Throws: Errors of decoding; `noAudioStream`; `audioFormatInvalid` for audio that is empty or too long.
    static func of(_ place: MediaRoots.Place, _ media: MediaService) async throws(EarshotError) -> WaveLayout {
        let record = try await media.value(AssetRecord.self, .record, of: place)
        guard let track = record.tracks.first(where: \.isDefault) ?? record.tracks.first else {
            throw EarshotError(.noAudioStream, "\(place.id) has no audio stream: choose another file.")
        }
        var seconds = record.duration?.seconds ?? 0
        if seconds <= 0 {
            // A file that does not state its duration must be decoded to count its frames.
            let waveform = try await media.waveform(of: place, frames: 256)
            seconds = Double(waveform.frameCount) / Double(max(1, waveform.sampleRate))
        }
        guard let layout = WaveLayout(seconds: seconds, rate: track.sampleRate, channels: track.channels) else {
            throw EarshotError(
                .audioFormatInvalid,
                "\(place.id) is empty, or too long for WAVE: ask for samples of it."
            )
        }
        return layout
    }

    /// The bytes before the samples.
    var head: [UInt8] {
        var bytes: [UInt8] = []
        func number(_ value: Int, _ size: Int) {
            // bounded: sizes are below 4 GiB by the limit, rates by the initializer.
            for place in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
        }
        bytes += Array("RIFF".utf8)
        number(size - 8, 4)
        bytes += Array("WAVEfmt ".utf8)
        for (value, size) in [
            (16, 4), (1, 2), (channels, 2), (rate, 4), (rate * frameSize, 4), (frameSize, 2), (16, 2),
        ] {
            number(value, size)
        }
        bytes += Array("data".utf8)
        number(frames * frameSize, 4)
        return bytes
    }

    /// Returns a range of bytes, cut into runs that are decoded one after the other.
    func runs(of range: Range<Int>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let seconds = place == 0 ? Self.firstRun : Self.laterRun
            let end = min(range.upperBound, place + seconds * rate * frameSize)
            runs.append(place..<end)
            place = end
        }
        return runs
    }

    /// Returns the frames that contain a range of bytes.
    func frames(of range: Range<Int>) -> Range<Int> {
        let first = max(0, range.lowerBound - Self.headSize) / frameSize
        let end = (max(0, range.upperBound - Self.headSize) + frameSize - 1) / frameSize
        return first..<max(first, end)
    }

    /// Returns the bytes of a range. Audio that ends before its stated duration is filled up with silence.
    ///
    /// - Throws: Errors of decoding.
    func bytes(
        of range: Range<Int>,
        in place: MediaRoots.Place,
        _ media: MediaService
    ) async throws(EarshotError) -> [UInt8] {
        let wanted = frames(of: range)
        var bytes =
            range.lowerBound < Self.headSize ? Array(head[range.lowerBound..<min(range.upperBound, Self.headSize)]) : []
        guard !wanted.isEmpty else { return bytes }
        let request = SampleRequest(
            start: Int64(wanted.lowerBound),
            length: Int64(wanted.count),
            rate: rate,
            channels: channels,
            format: "int16"
        )
        let file = try await media.samples(request, of: place)
        let samples = try await BlockingWork.run { () throws(EarshotError) -> [UInt8] in
            let size = try file.size()
            guard size > 0 else { return [] }
            let (_, begin) = try FileHead.read(SampleRequest.Head.self, try file.read(FileHead.limit, at: 0))
            return try file.read(max(0, size - begin), at: begin)
        }
        // The range may begin and end inside of a frame.
        let skipped = max(0, range.lowerBound - Self.headSize) - wanted.lowerBound * frameSize
        bytes += samples.dropFirst(skipped).prefix(range.count - bytes.count)
        bytes += [UInt8](repeating: 0, count: range.count - bytes.count)
        return bytes
    }
}
