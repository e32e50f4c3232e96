public import EarshotCore
public import EarshotSignatures

extension Catalog {
    /// The length of the slices of a long recording: 10 s, within the query limits. A slice begins every half of it.
    private var sliceDuration: MediaTime {
        max(queryLimits.minimum, min(queryLimits.maximum, MediaTime(value: 10, timescale: 1)))
    }

    /// Searches a recording of any length for every reference.
    ///
    /// A recording no longer than the longest query is matched as one. A longer one is searched in overlapping slices,
    /// and the matches are traced through the whole recording.
    ///
    /// A play begins and ends with its matching landmarks. It continues after pauses of up to 20 s on the same
    /// alignment, and may overlap other plays. A play whose audio is explained by a more certain play is left out, or
    /// marked with ``Play/duplicateOf`` if both cover as much of the recording.
    ///
    /// Music that is too quiet to leave landmarks of its own, such as music under a speaker, is found if the signature
    /// has the whole spectrogram (`SignatureGenerator.SpectrogramExtent.all`).
    ///
    /// - Parameters:
    ///   - recording: The signature of the whole recording.
    ///   - isThorough: `true` to search again without the landmarks of the plays found. This finds quieter songs, and a
    ///     second song whose speed or pitch was changed under one that was not; it takes about twice as long.
    ///   - progress: Called after each slice with the share of the work that is done, from 0 to 1. An error that it
    ///     throws ends the search.
    /// - Returns: The plays in order of time.
    /// - Throws: `signatureDurationInvalid` if the recording is shorter than the shortest query; `signatureInvalid` if
    ///   all of it is silent; `catalogInvalid` if a reference found is damaged; the errors of `progress`.
    public func plays(
        in recording: Signature,
        isThorough: Bool = false,
        progress: (Double) throws(EarshotError) -> Void = { _ in }
    ) throws(EarshotError) -> [Play] {
        try plays(in: recording, from: .zero, isThorough: isThorough, progress: progress)
    }

    /// Does the same, but the second slice begins at `phase`. The plays hardly differ.
    package func plays(
        in recording: Signature,
        from phase: MediaTime,
        isThorough: Bool = false,
        progress: (Double) throws(EarshotError) -> Void = { _ in }
    ) throws(EarshotError) -> [Play] {
        guard recording.duration > queryLimits.maximum else {
            guard let match = try match(recording, isThorough: isThorough) else { return [] }
            try progress(1)
            return Play.plays(of: match)
        }
        guard !recording.isEmpty else {
            throw EarshotError(
                .signatureInvalid,
                "The recording has no landmarks: its audio is silent or has no tones that stand out. Check the source."
            )
        }
        let (targets, parameters) = (try matchTargets(), MatchingParameters())
        let matcher = Matcher(targets, parameters: parameters.forSlices)
        // Only every other slice scans all references with the contrast map: quiet music lasts longer than a slice.
        var unscanned = parameters.forSlices
        unscanned.scans = false
        let other = Matcher(targets, parameters: unscanned)
        var isOdd = false
        var finder = PlayFinder(recording, targets: targets, parameters: parameters)
        let duration = sliceDuration
        let stride = MediaTime(value: duration.value, timescale: duration.timescale * 2)
        let last = recording.duration - duration
        // Searching the slices takes about nine tenths of the time.
        let share = isThorough ? 0.45 : 0.9
        var start = MediaTime.zero
        while true {
            search(recording, from: start, with: isOdd ? other : matcher, into: &finder)
            isOdd.toggle()
            try progress(min(1, (start + duration).seconds / recording.duration.seconds) * share)
            guard start < last else { break }
            start = min(start == .zero && phase > .zero ? phase : start + stride, last)
        }
        if isThorough {
            let (rest, stretches) = finder.rest(of: recording)
            for stretch in stretches {
                start = min(stretch.lowerBound, last)
                while start < stretch.upperBound {
                    search(rest, from: start, with: matcher, into: &finder)
                    try progress(share + min(1, (start + duration).seconds / recording.duration.seconds) * share)
                    start += duration
                }
            }
        }
        let plays = try finder.plays { try? progress(0.9 + 0.1 * $0) }
        try progress(1)
        return plays
    }

    /// Searches for one slice. A slice without landmarks is skipped.
    private func search(
        _ recording: Signature,
        from start: MediaTime,
        with matcher: Matcher,
        into finder: inout PlayFinder
    ) {
        let cut = recording.slice(from: start, duration: sliceDuration)
        let (slice, offset) = (cut.signature, cut.offset)
        guard !slice.isEmpty, slice.duration >= queryLimits.minimum else { return }
        let begin = Int((offset.seconds * Double(Landmark.stepsPerSecond)).rounded())
        let length = Int(slice.duration.seconds * Double(Landmark.stepsPerSecond))
        finder.add(matcher.search(slice), in: begin..<begin + length)
    }
}
