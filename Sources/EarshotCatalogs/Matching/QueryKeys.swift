import EarshotSignatures

/// The pairs and triplets of a query's landmarks, ready to be looked up under any hypothesis.
///
/// A value near the edge of its cell is looked up in the neighboring cell too. So the query pays for quantization, and
/// the index has each posting once.
struct QueryKeys {
    /// A range of keys to look up, and the frame of their first landmark.
    struct Lookup {
        var keys: Range<UInt32>
        var frame: Int32
    }

    /// A whole key to look up, the frame of its first landmark, and its distance from the likeliest key.
    struct TripletLookup {
        var key: UInt32
        var frame: Int32
        var distance: UInt8
    }

    private struct Anchor {
        var time: Int32
        var frequency: Int32
        var targets: Range<Int>
    }

    /// A later landmark relative to its anchor, in steps.
    private struct Target {
        var rise: Int32
        var delay: Int32
    }

    private var anchors: [Anchor] = []
    private var targets: [Target] = []
    /// The number of landmarks after the second that may be the third. A query has more landmarks between two that a
    /// reference keeps.
    private let thirds: Int
    /// The largest number of values of a key that are looked up in the neighboring cell too.
    private static let probes = 2

    init(_ landmarks: [Landmark], fanOut: Int, thirds: Int = 3) {
        self.thirds = thirds
        var found: [Int] = []
        anchors.reserveCapacity(landmarks.count)
        targets.reserveCapacity(landmarks.count * fanOut)
        landmarks.withUnsafeBufferPointer { landmarks in
            for index in landmarks.indices {
                let first = landmarks[index]
                LandmarkKey.findTargets(of: index, in: landmarks, count: fanOut, slack: 0.12, &found)
                let start = targets.count
                for other in found {
                    targets.append(
                        Target(
                            rise: Int32(landmarks[other].frequency) - Int32(first.frequency),
                            delay: Int32(landmarks[other].time) - Int32(first.time)
                        )
                    )
                }
                anchors.append(
                    Anchor(
                        time: Int32(first.time),
                        frequency: Int32(first.frequency),
                        targets: start..<targets.count
                    )
                )
            }
        }
    }

    /// Calls `body` with the pairs under a hypothesis. Each stands for all keys that begin with it.
    @inline(__always)
    func forEachPair(under hypothesis: Hypothesis, _ body: (Lookup) -> Void) {
        forEachAnchor(under: hypothesis) { cell, frequency, frame, anchor in
            for number in anchor.targets {
                let rise = Quantized(Int(targets[number].rise), cell: Landmark.stepsPerBin)
                let delay = Quantized(scaled(targets[number].delay, hypothesis), cell: Landmark.stepsPerFrame)
                // Neighboring delays are adjacent in the index and are read at once.
                let first = min(delay.cell, delay.cell + delay.side)
                let last = max(delay.cell, delay.cell + delay.side)
                guard last >= LandmarkKey.nearest, first <= LandmarkKey.farthest else { continue }
                for frequencyProbe in 0..<(frequency == 0 ? 1 : 2) {
                    for riseProbe in 0..<(rise.side == 0 ? 1 : 2) {
                        guard
                            let pair = LandmarkKey.pair(
                                frequency: cell + frequencyProbe * frequency,
                                rise: rise.cell + riseProbe * rise.side,
                                delay: max(first, LandmarkKey.nearest)
                            )
                        else { continue }
                        let count = UInt32(min(last, LandmarkKey.farthest) - max(first, LandmarkKey.nearest) + 1)
                        let shift = UInt32(LandmarkKey.thirdBits)
                        body(Lookup(keys: pair << shift..<(pair + count) << shift, frame: frame))
                    }
                }
            }
        }
    }

    /// Calls `body` with the whole keys under a hypothesis, and the distance of each from the likeliest key: two for
    /// each value moved to a neighboring cell, one for each landmark skipped before the third.
    @inline(__always)
    func forEachTriplet(under hypothesis: Hypothesis, _ body: (Lookup, Int) -> Void) {
        forEachAnchor(under: hypothesis) { cell, frequency, frame, anchor in
            for second in anchor.targets.dropLast() {
                let rise = Quantized(Int(targets[second].rise), cell: Landmark.stepsPerBin)
                let delay = Quantized(scaled(targets[second].delay, hypothesis), cell: Landmark.stepsPerFrame)
                for third in second + 1..<min(second + 1 + thirds, anchor.targets.upperBound) {
                    let thirdRise = Quantized(Int(targets[third].rise), cell: LandmarkKey.thirdRiseCell)
                    let thirdDelay = Quantized(
                        scaled(targets[third].delay, hypothesis),
                        cell: LandmarkKey.thirdDelayCell
                    )
                    // The values nearest to an edge, as a set of bits.
                    let chosen = Self.nearestEdges(
                        frequency == 0 ? .max : 0,
                        rise.margin,
                        delay.margin,
                        thirdRise.margin,
                        thirdDelay.margin
                    )
                    var probe = chosen
                    // Visits all subsets of the chosen values, the empty one last.
                    while true {
                        func side(_ bit: Int, _ side: Int) -> Int { probe >> bit & 1 == 1 ? side : 0 }
                        if let pair = LandmarkKey.pair(
                            frequency: cell + side(0, frequency),
                            rise: rise.cell + side(1, rise.side),
                            delay: delay.cell + side(2, delay.side)
                        ) {
                            let key = LandmarkKey.key(
                                pair: pair,
                                rise: thirdRise.cell + side(3, thirdRise.side),
                                delay: max(0, thirdDelay.cell + side(4, thirdDelay.side))
                            )
                            body(
                                Lookup(keys: key..<key + 1, frame: frame),
                                2 * probe.nonzeroBitCount + third - second - 1
                            )
                        }
                        if probe == 0 { break }
                        probe = (probe - 1) & chosen
                    }
                }
            }
        }
    }

    /// Returns the whole keys under a hypothesis, ascending, each once for a frame.
    ///
    /// Every segment is searched for them. In order of the keys, each read is near the previous one.
    func triplets(under hypothesis: Hypothesis) -> [TripletLookup] {
        var packed: [UInt64] = []
        packed.reserveCapacity(targets.count * thirds * 4)
        forEachTriplet(under: hypothesis) { lookup, distance in
            packed.append(
                UInt64(lookup.keys.lowerBound) << 34 | UInt64(UInt32(bitPattern: lookup.frame) & 0xFF_FFFF) << 10
                    | UInt64(distance)
            )
        }
        packed.sort()
        var before = UInt64.max
        var lookups: [TripletLookup] = []
        lookups.reserveCapacity(packed.count)
        for one in packed where one >> 10 != before {
            before = one >> 10
            lookups.append(
                TripletLookup(
                    key: UInt32(truncatingIfNeeded: one >> 34),
                    frame: Int32(truncatingIfNeeded: one >> 10 & 0xFF_FFFF),
                    distance: UInt8(truncatingIfNeeded: one & 0xFF)
                )
            )
        }
        return lookups
    }

    /// Calls `body` with the cell of each anchor's frequency, the side on which a neighboring cell is near (−1, 1, or 0
    /// for none), and its frame.
    @inline(__always)
    private func forEachAnchor(under hypothesis: Hypothesis, _ body: (Int, Int, Int32, Anchor) -> Void) {
        let shift = Int((hypothesis.pitch * Double(Landmark.stepsPerBin)).rounded())
        let cell = LandmarkKey.frequencyCell
        for anchor in anchors {
            let frequency = Int(anchor.frequency) - shift
            guard frequency >= 0 else { continue }
            let place = frequency % cell
            // Three quarters of a bin from the edge.
            let side = place < 6 ? -1 : place >= cell - 6 ? 1 : 0
            let frame = Int32(Double(anchor.time) * hypothesis.speed / Double(Landmark.stepsPerFrame))
            body(frequency / cell, side, frame, anchor)
        }
    }

    @inline(__always)
    private func scaled(_ delay: Int32, _ hypothesis: Hypothesis) -> Int {
        Int(Double(delay) * hypothesis.speed + 0.5)
    }

    /// Returns the ``probes`` smallest of five distances from an edge, as bits; values without a near edge are left
    /// out.
    @inline(__always)
    private static func nearestEdges(_ first: Int, _ second: Int, _ third: Int, _ fourth: Int, _ fifth: Int) -> Int {
        var margins = (first, second, third, fourth, fifth)
        return withUnsafeMutableBytes(of: &margins) { bytes in
            let margins = bytes.bindMemory(to: Int.self)
            var chosen = 0
            for _ in 0..<probes {
                var best = 0
                for index in 1..<5 where margins[index] < margins[best] { best = index }
                guard margins[best] < .max else { break }
                chosen |= 1 << best
                margins[best] = .max
            }
            return chosen
        }
    }
}

/// A value as the number of its cell, with the nearer neighboring cell.
private struct Quantized {
    let cell: Int
    /// The side of the nearer neighbor, −1 or 1; 0 in the middle of the cell.
    let side: Int
    /// The distance to the edge on that side, in steps; the largest number if the edge is too far to matter.
    let margin: Int

    /// The distance from an edge, in steps, up to which the neighboring cell is looked up: landmarks usually move by no
    /// more.
    private static let reach = 5

    @inline(__always)
    init(_ value: Int, cell size: Int) {
        cell = LandmarkKey.quantize(value, steps: size)
        let rest = value - cell * size
        side = rest.signum()
        let edge = size / 2 - abs(rest)
        margin = rest == 0 || edge > Self.reach ? .max : edge
    }
}
