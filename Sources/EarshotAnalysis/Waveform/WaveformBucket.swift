/// The lowest and highest sample and the level of an interval.
public struct WaveformBucket: Hashable, Sendable {
    /// The lowest sample; full scale is -1.
    public var minimum: Float
    /// The highest sample; full scale is 1.
    public var maximum: Float
    /// The level: the root mean square of the samples, as a fraction of full scale.
    public var rms: Float

    /// Creates a bucket.
    public init(minimum: Float, maximum: Float, rms: Float) {
        self.minimum = minimum
        self.maximum = maximum
        self.rms = rms
    }

    /// Merges several buckets. The result is silence if there are none.
    ///
    /// - Parameter buckets: The buckets, with the number of frames of each.
    init(merging buckets: some Sequence<(bucket: WaveformBucket, frames: Int)>) {
        var (low, high) = (Float.infinity, -Float.infinity)
        var (squares, count) = (0.0, 0)
        for (bucket, frames) in buckets {
            low = min(low, bucket.minimum)
            high = max(high, bucket.maximum)
            squares += Double(bucket.rms) * Double(bucket.rms) * Double(frames)
            count += frames
        }
        guard count > 0 else {
            self.init(minimum: 0, maximum: 0, rms: 0)
            return
        }
        self.init(minimum: low, maximum: high, rms: Float((squares / Double(count)).squareRoot()))
    }
}
