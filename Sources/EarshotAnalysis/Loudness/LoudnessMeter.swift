import CEBUR128
public import EarshotCore
import Foundation

/// Measures the loudness of audio block by block, through libebur128.
///
/// Memory does not grow with the audio. Not thread-safe.
public final class LoudnessMeter {
    /// The sample rates in hertz and the numbers of channels that can be measured.
    private static let (sampleRates, channelCounts) = (16...2_822_400, 1...64)

    private let sampleRate: Int
    private let channelCount: Int
    private var state: UnsafeMutablePointer<ebur128_state>?

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the audio, in hertz.
    ///   - channelCount: Its channels: one counts as if it came from both sides' loudspeakers in mono, five and six as 5.0 and 5.1.
    /// - Throws: `audioFormatInvalid` for a format that cannot be measured.
    public init(sampleRate: Int, channelCount: Int) throws(EarshotError) {
        (self.sampleRate, self.channelCount) = (sampleRate, channelCount)
        // Histograms instead of lists: the memory does not grow with time.
        let modes =
            EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
            | EBUR128_MODE_SAMPLE_PEAK.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
        guard Self.sampleRates.contains(sampleRate), Self.channelCounts.contains(channelCount),
            let state = ebur128_init(UInt32(channelCount), UInt(sampleRate), Int32(bitPattern: modes))
        else {
            throw EarshotError(
                .audioFormatInvalid,
                "The loudness of \(channelCount) channels at \(sampleRate) Hz cannot be measured: give 1 to 64 channels at 16 Hz or more."
            )
        }
        self.state = state
        // FFmpeg and files have the channels of 5.1 in the order that the library takes for granted, but for four and five.
        if channelCount == 6 {
            for (index, place) in [
                EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER, EBUR128_UNUSED, EBUR128_LEFT_SURROUND,
                EBUR128_RIGHT_SURROUND,
            ]
            .enumerated() {
                ebur128_set_channel(state, UInt32(index), Int32(place.rawValue))
            }
        }
    }

    /// The version of libebur128, for example `1.2.6`.
    package static var libraryVersion: String {
        var (major, minor, patch) = (Int32(0), Int32(0), Int32(0))
        ebur128_get_version(&major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }

    deinit {
        if state != nil { ebur128_destroy(&state) }
    }

    /// Adds audio of the meter's rate and channels. Buffers of other formats are ignored, and samples that are not
    /// numbers count as silence.
    public func append(_ buffer: AudioBuffer) {
        guard buffer.sampleRate == sampleRate, buffer.channelCount == channelCount else { return }
        switch buffer.samples {
        case .int16(let samples): ebur128_add_frames_short(state, samples, buffer.frameCount)
        case .float32(let samples):
            let isWhole = samples.allSatisfy(\.isFinite)
            ebur128_add_frames_float(state, isWhole ? samples : samples.map { $0.isFinite ? $0 : 0 }, buffer.frameCount)
        }
    }

    /// The loudness of all audio so far.
    public var loudness: Loudness {
        func measured(_ measure: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>) -> Int32)
            -> Double?
        {
            var value = 0.0
            guard measure(state, &value) == Int32(EBUR128_SUCCESS.rawValue), value.isFinite else { return nil }
            return value
        }
        func peak(_ measure: (UnsafeMutablePointer<ebur128_state>?, UInt32, UnsafeMutablePointer<Double>) -> Int32)
            -> Double?
        {
            let highest = (0..<UInt32(channelCount)).compactMap { channel in measured { measure($0, channel, $1) } }
                .max()
            return highest.flatMap { $0 > 0 ? $0 : nil }
        }
        let integrated = measured(ebur128_loudness_global)
        return Loudness(
            integrated: integrated,
            // The library says 0 where there is nothing to measure.
            range: integrated == nil ? nil : measured(ebur128_loudness_range),
            truePeak: peak(ebur128_true_peak).map { 20 * log10($0) },
            samplePeak: peak(ebur128_sample_peak)
        )
    }

    /// Returns the loudness of several recordings together, such as an album.
    ///
    /// - Parameter meters: The meters of the recordings.
    public static func loudness(of meters: [LoudnessMeter]) -> Loudness {
        guard !meters.isEmpty else { return Loudness(integrated: nil, range: nil, truePeak: nil, samplePeak: nil) }
        var states = meters.map(\.state)
        let parts = meters.map(\.loudness)
        func measured(
            _ measure: (UnsafeMutablePointer<UnsafeMutablePointer<ebur128_state>?>?, Int, UnsafeMutablePointer<Double>?)
                -> Int32
        ) -> Double? {
            var value = 0.0
            let result = states.withUnsafeMutableBufferPointer { measure($0.baseAddress, $0.count, &value) }
            guard result == Int32(EBUR128_SUCCESS.rawValue), value.isFinite else { return nil }
            return value
        }
        let integrated = measured(ebur128_loudness_global_multiple)
        return Loudness(
            integrated: integrated,
            range: integrated == nil ? nil : measured(ebur128_loudness_range_multiple),
            truePeak: parts.compactMap(\.truePeak).max(),
            samplePeak: parts.compactMap(\.samplePeak).max()
        )
    }
}
