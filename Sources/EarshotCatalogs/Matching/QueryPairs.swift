import EarshotSignatures

/// The pairs of a query, ready to be looked up under any hypothesis.
struct QueryPairs {
    struct Pair {
        /// The first landmark's time, in steps.
        var time: Int32
        /// Its frequency, in steps.
        var frequency: Int32
        /// From the first to the second landmark, in steps.
        var rise: Int32
        var delay: Int32
    }

    private(set) var pairs: [Pair] = []

    init(_ landmarks: [Landmark], fanOut: Int) {
        pairs.reserveCapacity(landmarks.count * fanOut)
        PairKey.forEachPair(in: landmarks, fanOut: fanOut, slack: 0.12) { anchor, target in
            pairs.append(
                Pair(
                    time: Int32(anchor.time),
                    frequency: Int32(anchor.frequency),
                    rise: Int32(target.frequency) - Int32(anchor.frequency),
                    delay: Int32(target.time) - Int32(anchor.time)
                )
            )
        }
    }

    /// Calls `body` with each key to be looked up and the frame of its anchor, both under a hypothesis.
    ///
    /// A value near the edge of its cell is looked up in the neighbouring cell too: the query pays for quantisation, so
    /// that the index need not.
    @inline(__always)
    func forEachKey(under hypothesis: Hypothesis, _ body: (UInt32, Int) -> Void) {
        let shift = Int((hypothesis.pitch * Double(Landmark.stepsPerBin)).rounded())
        let speed = hypothesis.speed
        let bin = Landmark.stepsPerBin
        let frame = Landmark.stepsPerFrame
        let cell = PairKey.frequencyCell
        for pair in pairs {
            let anchorFrame = Int((Double(pair.time) * speed / Double(frame)).rounded(.down))
            let frequency = Int(pair.frequency) - shift
            guard frequency >= 0 else { continue }
            let delay = Int((Double(pair.delay) * speed).rounded())
            let rise = Int(pair.rise)
            let (riseCell, riseSide) = PairKey.quantise(rise, steps: bin)
            let (delayCell, delaySide) = PairKey.quantise(delay, steps: frame)
            let frequencyCell = frequency / cell
            let place = frequency % cell
            // Three quarters of a bin from the edge.
            let frequencySide = place < 6 ? -1 : place >= cell - 6 ? 1 : 0
            let riseProbes = abs(rise - riseCell * bin) >= 1 ? 2 : 1
            let delayProbes = abs(delay - delayCell * frame) >= 1 ? 2 : 1
            for frequencyProbe in 0..<(frequencySide == 0 ? 1 : 2) {
                for riseProbe in 0..<riseProbes {
                    for delayProbe in 0..<delayProbes {
                        guard
                            let key = PairKey.key(
                                frequency: frequencyCell + frequencyProbe * frequencySide,
                                rise: riseCell + riseProbe * riseSide,
                                delay: delayCell + delayProbe * delaySide
                            )
                        else { continue }
                        body(key, anchorFrame)
                    }
                }
            }
        }
    }
}
