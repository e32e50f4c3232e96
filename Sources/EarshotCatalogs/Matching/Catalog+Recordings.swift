public import EarshotCore
public import EarshotSignatures

extension Catalog {
    /// How a recording longer than a query is cut: 10 s every 5 s, within the limits of the catalog.
    private var sliceDuration: MediaTime {
        max(queryLimits.minimum, min(queryLimits.maximum, MediaTime(value: 10, timescale: 1)))
    }

    /// Looks for every reference in a recording of any length.
    ///
    /// A recording no longer than a query is matched as one. A longer one is looked at in overlapping slices, and what
    /// they answer is followed through the whole recording: a play begins and ends where the landmarks say so, goes on
    /// after pauses of up to 20 s on the same line, and may overlap others. A play whose audio a surer play explains is
    /// left out, or, when it is as much of a recording as that, marked with ``Play/duplicateOf``.
    ///
    /// - Parameters:
    ///   - recording: The signature of the whole recording.
    ///   - progress: Called after each slice with the share that is done, from 0 to 1.
    /// - Returns: The plays in order of the recording.
    /// - Throws: `signatureDurationInvalid` when the recording is shorter than the shortest query; `signatureInvalid`
    ///   when all of it is silent; `catalogInvalid`.
    public func plays(
        in recording: Signature,
        progress: (Double) -> Void = { _ in }
    ) throws(EarshotError) -> [Play] {
        try plays(in: recording, from: .zero, progress: progress)
    }

    /// The same, with the slices after the first beginning at another place; the plays hardly differ.
    package func plays(
        in recording: Signature,
        from phase: MediaTime,
        progress: (Double) -> Void = { _ in }
    ) throws(EarshotError) -> [Play] {
        guard recording.duration > queryLimits.maximum else {
            guard let match = try match(recording) else { return [] }
            progress(1)
            return Play.plays(of: match)
        }
        guard !recording.isEmpty else {
            throw EarshotError(
                .signatureInvalid,
                "The recording has nothing to recognise: its audio is silent. Check the source."
            )
        }
        let parameters = MatchingParameters()
        var finder = PlayFinder(recording, targets: try matchTargets(), parameters: parameters)
        let duration = sliceDuration
        let stride = MediaTime(value: duration.value, timescale: duration.timescale * 2)
        let last = recording.duration - duration
        var start = MediaTime.zero
        while true {
            let slice = recording.slice(from: start, duration: duration)
            // A silent slice says nothing; the rest of the recording may.
            if !slice.signature.isEmpty {
                finder.add(try search(slice.signature, parameters: parameters), at: slice.offset)
            }
            // Slices are nine tenths of the work.
            progress(min(1, (start + duration).seconds / recording.duration.seconds) * 0.9)
            guard start < last else { break }
            start = min(start == .zero && phase > .zero ? phase : start + stride, last)
        }
        let plays = try finder.plays { progress(0.9 + 0.1 * $0) }
        progress(1)
        return plays
    }
}
