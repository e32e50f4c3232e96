public import EarshotCore
public import EarshotSignatures

extension Catalog {
    /// How a recording longer than a query is cut: 10 s every 5 s, within the limits of the catalog.
    private var sliceDuration: MediaTime {
        max(queryLimits.minimum, min(queryLimits.maximum, MediaTime(value: 10, timescale: 1)))
    }

    /// Looks for every reference in a recording of any length.
    ///
    /// A recording no longer than a query is matched as one. A longer one is cut into overlapping slices; answers of
    /// neighbouring slices that lie on one line of recording time against reference time are one play.
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
        guard recording.duration > queryLimits.maximum else {
            guard let match = try match(recording) else { return [] }
            progress(1)
            return PlayMerger.plays(of: match, at: .zero)
        }
        guard !recording.isEmpty else {
            throw EarshotError(
                .signatureInvalid,
                "The recording has nothing to recognise: its audio is silent. Check the source."
            )
        }
        var merger = PlayMerger()
        let duration = sliceDuration
        let stride = MediaTime(value: duration.value, timescale: duration.timescale * 2)
        let last = recording.duration - duration
        var start = MediaTime.zero
        while true {
            let slice = recording.slice(from: start, duration: duration)
            // A silent slice says nothing; the rest of the recording may.
            if !slice.signature.isEmpty, let match = try match(slice.signature) {
                merger.add(match, at: slice.offset)
            }
            progress(min(1, (start + duration).seconds / recording.duration.seconds))
            guard start < last else { break }
            start = min(start + stride, last)
        }
        return merger.plays
    }
}
