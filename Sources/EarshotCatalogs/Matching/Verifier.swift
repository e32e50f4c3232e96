import EarshotSignatures
import Foundation

/// Compares a query's landmarks with a reference, refines place, speed and pitch of an alignment, and counts the
/// landmarks that match.
struct Verifier {
    /// The number of landmarks inside the reference, and of those with a counterpart there.
    struct Tally {
        var inside = 0
        var matched = 0
        var share: Double { inside > 0 ? Double(matched) / Double(inside) : 0 }
    }

    /// The largest distance of a counterpart, in steps: 2 frames and 1.2 bins.
    static let timeTolerance = 16.0
    static let frequencyTolerance = 9.6
    /// The range around a hypothesis within which its speed is refined: a little more than half a step of the grid.
    private static let nearSpeeds = 0.03
    /// The range within which the speed is refined once the match is certain. A strong match is also found from a
    /// neighboring hypothesis, so its true speed may be further away. Before the match is certain, so large a range
    /// would mainly help chance.
    private static let farSpeeds = 0.1
    /// The largest number of refinements of a certain match. At a speed that is 7 % off, one second of five fits, and
    /// each round reaches a little further.
    private static let followingRounds = 40

    let times: [Double]
    let frequencies: [Double]
    let tiers: [Int]

    init(_ landmarks: [Landmark]) {
        times = landmarks.map { Double($0.time) }
        frequencies = landmarks.map { Double($0.frequency) }
        tiers = landmarks.map { min(Int($0.tier), DamageModel.queryTiers - 1) }
    }

    /// The time of the last landmark, in steps.
    var lastTime: Double { times.last ?? 0 }

    /// Calls `body` for each query landmark inside the window with its nearest counterpart, if any.
    @inline(__always)
    private func forEach(
        on window: ReferenceWindow,
        _ alignment: Alignment,
        time: Double,
        frequency: Double,
        _ body: (_ index: Int, _ timeError: Double, _ frequencyError: Double, _ isMatched: Bool) -> Void
    ) {
        let low = Double(window.steps.lowerBound)
        let high = Double(window.steps.upperBound)
        window.times.withUnsafeBufferPointer { references in
            window.frequencies.withUnsafeBufferPointer { heights in
                var first = 0
                for index in times.indices {
                    let place = alignment.offset + alignment.speed * times[index]
                    guard place >= low else { continue }
                    guard place <= high else { break }
                    let height = frequencies[index] - alignment.pitch
                    while first < references.count, Double(references[first]) < place - time { first += 1 }
                    var next = first
                    var nearest = Double.infinity
                    var timeError = 0.0
                    var frequencyError = 0.0
                    while next < references.count {
                        let gap = Double(references[next]) - place
                        guard gap <= time else { break }
                        let rise = Double(heights[next]) - height
                        if abs(rise) <= frequency {
                            let distance = abs(gap) / time + abs(rise) / frequency
                            if distance < nearest {
                                nearest = distance
                                timeError = gap
                                frequencyError = rise
                            }
                        }
                        next += 1
                    }
                    body(index, timeError, frequencyError, nearest < .infinity)
                }
            }
        }
    }

    /// Calls `body` for each query landmark inside the window, and tells whether it has a counterpart there. Does not
    /// search for the nearest one, which makes it faster.
    @inline(__always)
    func forEachFit(
        on window: ReferenceWindow,
        _ alignment: Alignment,
        _ body: (_ index: Int, _ isMatched: Bool) -> Void
    ) {
        let low = Double(window.steps.lowerBound)
        let high = Double(window.steps.upperBound)
        let (time, frequency) = (Self.timeTolerance, Self.frequencyTolerance)
        times.withUnsafeBufferPointer { times in
            frequencies.withUnsafeBufferPointer { frequencies in
                window.times.withUnsafeBufferPointer { references in
                    window.frequencies.withUnsafeBufferPointer { heights in
                        var first = 0
                        for index in times.indices {
                            let place = alignment.offset + alignment.speed * times[index]
                            guard place >= low else { continue }
                            guard place <= high else { break }
                            let height = frequencies[index] - alignment.pitch
                            while first < references.count, Double(references[first]) < place - time { first += 1 }
                            var next = first
                            var isMatched = false
                            while next < references.count, Double(references[next]) - place <= time {
                                if abs(Double(heights[next]) - height) <= frequency {
                                    isMatched = true
                                    break
                                }
                                next += 1
                            }
                            body(index, isMatched)
                        }
                    }
                }
            }
        }
    }

    /// Counts the landmarks inside the window and those that match.
    func tally(on window: ReferenceWindow, _ alignment: Alignment) -> Tally {
        var tally = Tally()
        forEachFit(on: window, alignment) { _, isMatched in
            tally.inside += 1
            if isMatched { tally.matched += 1 }
        }
        return tally
    }

    // MARK: - Refinement

    /// Returns the best alignment near a first guess.
    ///
    /// The guess comes from a bin of votes. It may be off by half a tenth of a second and by more than a bin of pitch.
    /// The densest spot among the differences of all near pairs corrects this. Then rounds of least squares over the
    /// matching landmarks give offset, speed and pitch.
    func refine(_ guess: Alignment, on window: ReferenceWindow) -> Alignment {
        var alignment = densest(guess, on: window)
        for (time, frequency) in [(28.0, 12.0), (20.0, 10.0), (16.0, 9.6)] {
            alignment = fit(
                alignment,
                around: guess,
                on: window,
                time: time,
                frequency: frequency,
                limit: Self.nearSpeeds
            )
        }
        return alignment
    }

    /// Refines the speed of a certain match along the whole query. If the speed was off, only the middle of the query
    /// fits at first. Each round reaches further out, until nothing moves.
    func follow(_ match: Alignment, on window: ReferenceWindow) -> Alignment {
        var alignment = match
        for _ in 0..<Self.followingRounds {
            let before = alignment
            alignment = fit(
                alignment,
                around: match,
                on: window,
                time: 20,
                frequency: Self.frequencyTolerance,
                limit: Self.farSpeeds
            )
            let drift = abs(alignment.speed - before.speed) * lastTime
            if drift < 0.5, abs(alignment.offset - before.offset) < 0.5 { break }
        }
        return fit(
            alignment,
            around: match,
            on: window,
            time: Self.timeTolerance,
            frequency: Self.frequencyTolerance,
            limit: Self.farSpeeds
        )
    }

    private func densest(_ guess: Alignment, on window: ReferenceWindow) -> Alignment {
        // 17 bins of one frame by 13 of half a bin.
        let (timeCells, frequencyCells) = (17, 13)
        let timeReach = Double(timeCells * Landmark.stepsPerFrame) / 2
        let frequencyReach = Double(frequencyCells * 4) / 2
        let counts = withUnsafeTemporaryAllocation(of: Int32.self, capacity: timeCells * frequencyCells) { cells in
            cells.initialize(repeating: 0)
            count(guess, on: window, timeReach: timeReach, frequencyReach: frequencyReach) { gap, rise in
                let column = min(Int((gap + timeReach) / 8), timeCells - 1)
                let row = min(Int((rise + frequencyReach) / 4), frequencyCells - 1)
                cells[row * timeCells + column] += 1
            }
            return Array(cells)
        }
        var best = (score: Int32(-1), column: timeCells / 2, row: frequencyCells / 2)
        for row in 1..<frequencyCells - 1 {
            for column in 1..<timeCells - 1 {
                var sum: Int32 = 0
                for y in row - 1...row + 1 {
                    for x in column - 1...column + 1 { sum += counts[y * timeCells + x] }
                }
                if sum > best.score { best = (sum, column, row) }
            }
        }
        var alignment = guess
        alignment.offset += (Double(best.column) + 0.5) * 8 - timeReach
        alignment.pitch -= (Double(best.row) + 0.5) * 4 - frequencyReach
        return alignment
    }

    /// Calls `body` with the differences in time and frequency of all near pairs of a query and a reference landmark,
    /// in steps.
    private func count(
        _ alignment: Alignment,
        on window: ReferenceWindow,
        timeReach: Double,
        frequencyReach: Double,
        _ body: (Double, Double) -> Void
    ) {
        window.times.withUnsafeBufferPointer { references in
            window.frequencies.withUnsafeBufferPointer { heights in
                var first = 0
                for index in times.indices {
                    let place = alignment.offset + alignment.speed * times[index]
                    let height = frequencies[index] - alignment.pitch
                    while first < references.count, Double(references[first]) < place - timeReach { first += 1 }
                    var next = first
                    while next < references.count {
                        let gap = Double(references[next]) - place
                        guard gap < timeReach else { break }
                        let rise = Double(heights[next]) - height
                        // A damaged catalog may have landmarks out of order.
                        if gap >= -timeReach, abs(rise) < frequencyReach { body(gap, rise) }
                        next += 1
                    }
                }
            }
        }
    }

    private func fit(
        _ alignment: Alignment,
        around guess: Alignment,
        on window: ReferenceWindow,
        time: Double,
        frequency: Double,
        limit: Double
    ) -> Alignment {
        var (n, sumX, sumY, sumXX, sumXY, sumRise) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        forEach(on: window, alignment, time: time, frequency: frequency) { index, gap, rise, matched in
            guard matched else { return }
            let x = times[index]
            n += 1
            sumX += x
            sumY += gap
            sumXX += x * x
            sumXY += x * gap
            sumRise += rise
        }
        guard n >= 8 else { return alignment }
        var result = alignment
        result.pitch -= sumRise / n
        let spread = sumXX - sumX * sumX / n
        var slope = spread > 0 ? (sumXY - sumX * sumY / n) / spread : 0
        let low = guess.speed - limit - alignment.speed
        let high = guess.speed + limit - alignment.speed
        slope = min(max(slope, low), high)
        result.speed += slope
        result.offset += (sumY - slope * sumX) / n
        return result
    }

    // MARK: - Pictures

    /// Returns `true` for each landmark of the query that has a counterpart.
    func matchedLandmarks(on window: ReferenceWindow, _ alignment: Alignment) -> [Bool] {
        var matched = [Bool](repeating: false, count: times.count)
        forEachFit(on: window, alignment) { index, isMatched in matched[index] = isMatched }
        return matched
    }
}
