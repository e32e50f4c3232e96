public import EarshotCore

/// A waveform for drawing: the lowest and highest sample and the level of each short interval, called a bucket.
///
/// Coarser views are made of finer ones by merging whole runs, so that a peak is as high in every view.
public struct Waveform: Hashable, Sendable {
    /// The sample rate of the audio, in hertz.
    public let sampleRate: Int
    /// The number of channels, each with buckets of its own.
    public let channelCount: Int
    /// The number of frames in a bucket; the last bucket may have fewer.
    public let framesPerBucket: Int
    /// The number of frames of the audio.
    public let frameCount: Int64
    /// The buckets in order of time, with those of all channels interleaved.
    public let buckets: [WaveformBucket]

    /// The number of buckets of each channel.
    public var length: Int { buckets.count / max(1, channelCount) }
    /// The duration of the audio.
    public var duration: MediaTime { MediaTime(frames: frameCount, sampleRate: sampleRate) }

    /// Creates a waveform from buckets.
    package init(sampleRate: Int, channelCount: Int, framesPerBucket: Int, frameCount: Int64, buckets: [WaveformBucket])
    {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.framesPerBucket = framesPerBucket
        self.frameCount = frameCount
        self.buckets = buckets
    }

    /// Returns the bucket of a channel at an index; `nil` if either is out of range.
    public subscript(index: Int, channel channel: Int) -> WaveformBucket? {
        guard (0..<length).contains(index), (0..<channelCount).contains(channel) else { return nil }
        return buckets[index * channelCount + channel]
    }

    /// Frames of one run.
    private func frames(_ index: Int) -> Int {
        Int(min(Int64(framesPerBucket), frameCount - Int64(index) * Int64(framesPerBucket)))
    }

    /// Returns a coarser waveform, which merges the given number of buckets into one.
    ///
    /// - Parameter factor: The number of buckets to merge; less than 2 returns the same waveform.
    public func coarser(by factor: Int) -> Waveform {
        guard factor > 1, length > 0 else { return self }
        var merged: [WaveformBucket] = []
        merged.reserveCapacity((length + factor - 1) / factor * channelCount)
        for first in stride(from: 0, to: length, by: factor) {
            let runs = first..<min(first + factor, length)
            for channel in 0..<channelCount {
                merged.append(
                    WaveformBucket(
                        merging: runs.lazy.map {
                            (bucket: buckets[$0 * channelCount + channel], frames: self.frames($0))
                        }
                    )
                )
            }
        }
        let (frames, overflow) = framesPerBucket.multipliedReportingOverflow(by: factor)
        return Waveform(
            sampleRate: sampleRate,
            channelCount: channelCount,
            framesPerBucket: overflow ? .max : frames,
            frameCount: frameCount,
            buckets: merged
        )
    }

    /// Returns a waveform of at most the given number of buckets.
    ///
    /// - Parameter count: The largest number of buckets; at least 1.
    public func fitted(to count: Int) -> Waveform {
        coarser(by: (length + max(1, count) - 1) / max(1, count))
    }

    /// Returns this waveform and coarser ones, each by a factor of four, until one has at most the given number of buckets.
    ///
    /// - Parameter count: The largest number of buckets of the last one.
    public func levels(downTo count: Int = 256) -> [Waveform] {
        var levels = [self]
        while let last = levels.last, last.length > max(1, count) { levels.append(last.coarser(by: 4)) }
        return levels
    }

    /// The waveform as one channel, with the extremes of all channels and their mean level.
    public var mono: Waveform {
        guard channelCount > 1 else { return self }
        let merged = (0..<length).map { index in
            let runs = buckets[index * channelCount..<(index + 1) * channelCount]
            return WaveformBucket(merging: runs.lazy.map { (bucket: $0, frames: 1) })
        }
        return Waveform(
            sampleRate: sampleRate,
            channelCount: 1,
            framesPerBucket: framesPerBucket,
            frameCount: frameCount,
            buckets: merged
        )
    }
}
