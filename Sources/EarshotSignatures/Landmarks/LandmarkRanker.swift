import EarshotDSP

/// Keeps the peaks that stand out most, by a quota a second that slides with the audio.
///
/// A peak's rank is the number of stronger peaks within 31 frames to either side, about one second in all. Because the
/// window moves with the peak, a recording that begins anywhere ranks its peaks as the original does, and because ranks
/// are relative, a quiet passage keeps as many as a loud one.
struct LandmarkRanker: Sendable {
    static let reach = 31

    private var peaks: [PeakPicker.Peak] = []
    /// Index, in `peaks`, of the first peak that has no rank yet.
    private var next = 0
    private let maximumRank: Int

    init(maximumRank: Int) {
        self.maximumRank = maximumRank
    }

    /// Takes peaks in order of frame.
    mutating func append(_ new: [PeakPicker.Peak]) {
        peaks.append(contentsOf: new)
    }

    /// Adds landmarks for all peaks whose surroundings are known.
    ///
    /// - Parameters:
    ///   - settledFrames: Frames whose peaks have all been appended.
    ///   - isEnd: `true` if no more will come.
    mutating func rank(settledFrames: Int, isEnd: Bool, to landmarks: inout [Landmark]) {
        while next < peaks.count {
            let peak = peaks[next]
            guard isEnd || peak.frame + Self.reach < settledFrames else { break }
            if let landmark = landmark(for: peak, frameCount: settledFrames) { landmarks.append(landmark) }
            next += 1
        }
        // Peaks out of reach of the next one are done with.
        guard next > 256 else { return }
        let frame = next < peaks.count ? peaks[next].frame : settledFrames
        if let spent = peaks.firstIndex(where: { $0.frame >= frame - Self.reach }), spent > 0 {
            peaks.removeFirst(spent)
            next -= spent
        }
    }

    private func landmark(for peak: PeakPicker.Peak, frameCount: Int) -> Landmark? {
        var stronger = 0
        var index = next - 1
        while index >= 0, peaks[index].frame >= peak.frame - Self.reach {
            if peaks[index].contrast >= peak.contrast { stronger += 1 }
            index -= 1
        }
        index = next + 1
        while index < peaks.count, peaks[index].frame <= peak.frame + Self.reach {
            if peaks[index].contrast > peak.contrast { stronger += 1 }
            index += 1
        }
        // At the ends fewer frames compete; the quota is one of peaks a second all the same.
        let first = max(0, peak.frame - Self.reach)
        let last = min(frameCount - 1, peak.frame + Self.reach)
        let rank = stronger * (2 * Self.reach + 1) / (last - first + 1)
        guard rank < maximumRank else { return nil }
        // A row stands for the middle of its window, half a window after its first sample.
        let middle = FrequencyAxis.frameSize / 2 / Spectrogram.hop * Landmark.stepsPerFrame
        return Landmark(
            time: UInt32(clamping: peak.time + middle),
            frequency: UInt16(clamping: min(max(peak.frequency, 0), FrequencyAxis.binCount * Landmark.stepsPerBin - 1)),
            tier: UInt8(rank / Landmark.ranksPerTier)
        )
    }
}
