public import EarshotCore

extension Signature {
    /// A part of a signature, and its position in the whole.
    public struct Slice: Hashable, Sendable {
        /// The offset of the slice in the recording, a multiple of 2 ms.
        public let offset: MediaTime
        /// The signature of the part; its times begin at 0.
        public let signature: Signature
    }

    /// Cuts the signature into slices of equal duration.
    ///
    /// Only whole slices are returned: 60 s in slices of 12 s every 6 s make nine. Starts are rounded down to multiples
    /// of 2 ms, the time steps of landmarks.
    ///
    /// - Parameters:
    ///   - duration: The duration of each slice; greater than zero.
    ///   - stride: The time from the start of a slice to the start of the next; greater than zero. `nil` for slices
    ///     without overlap.
    /// - Returns: The slices in order; empty if the recording is shorter than one, or a parameter is not positive.
    public func slices(duration: MediaTime, stride: MediaTime? = nil) -> some Sequence<Slice> {
        let stride = stride ?? duration
        let isUsable = duration.isNumeric && stride.isNumeric && duration > .zero && stride > .zero
        return sequence(state: Int64(0)) { (index: inout Int64) -> Slice? in
            guard isUsable else { return nil }
            let start = stride * index
            guard start.isNumeric, start + duration <= self.duration else { return nil }
            index += 1
            // Down, because up might leave less than a whole piece.
            let place = start.converted(toTimescale: Int32(Landmark.stepsPerSecond), rounding: .towardNegativeInfinity)
            return self.slice(from: place, duration: duration)
        }
    }

    /// Returns the slice from a time on. A part outside the audio is left out.
    ///
    /// - Parameters:
    ///   - start: The beginning of the slice, rounded to 2 ms. A time that is not numeric gives an empty slice.
    ///   - duration: The longest duration of the slice; an infinity reaches to the end.
    public func slice(from start: MediaTime, duration: MediaTime) -> Slice {
        let scale = Int32(Landmark.stepsPerSecond)
        let place = start.converted(toTimescale: scale)
        guard place.isNumeric, (place + duration).isNumeric || duration == .positiveInfinity else {
            return Slice(
                offset: .zero,
                signature: Signature(configuration: configuration, duration: .zero, landmarks: [])
            )
        }
        let begin = max(.zero, place)
        let end = min(place + duration, self.duration)
        let first = UInt32(clamping: begin.value)
        let last = UInt32(clamping: end.converted(toTimescale: scale).value)
        let lower = landmarks.partitioningIndex { $0.time >= first }
        let upper = landmarks.partitioningIndex { $0.time >= last }
        let cut = lower < upper ? landmarks[lower..<upper] : []
        let isWhole = begin == .zero && end == self.duration
        let part = Signature(
            configuration: configuration,
            duration: max(.zero, end - begin),
            landmarks: cut.map { Landmark(time: $0.time - first, frequency: $0.frequency, tier: $0.tier) },
            bits: isWhole ? bits : nil,
            levels: isWhole && levels?.isWhole == true
                ? levels : levels?.part(from: Int(first), steps: Int(last) - Int(first))
        )
        return Slice(offset: begin, signature: canAddSpectrogram ? part.withSpectrogramElsewhere() : part)
    }
}

extension RandomAccessCollection {
    /// Returns the first index whose element satisfies a condition, by binary search; `endIndex` if none does. All
    /// elements after one that satisfies it must satisfy it too.
    package func partitioningIndex(where belongsToTail: (Element) throws -> Bool) rethrows -> Index {
        var (low, count) = (startIndex, self.count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try belongsToTail(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
