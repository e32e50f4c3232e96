import EarshotClassification
import EarshotCore
import EarshotSignatures

extension RepeatEngine.Channel {
    /// Returns the landmarks that are compared, on a timeline.
    static func points(_ signature: Signature, from begin: Int64) -> [RepeatComparison.Point] {
        signature.landmarks.lazy.filter { $0.tier < RepeatComparison.tiers }
            .map { RepeatComparison.Point($0, from: begin) }
    }

    /// Appends the landmarks after a known step.
    mutating func take(_ signature: Signature, at step: Int64, behind known: Int64) {
        if recentEnd == 0 { (recentBegin, analyzedTo) = (step, step) }
        let end = step + LiveTime.steps(signature.duration)
        recentEnd = max(recentEnd, end)
        for landmark in signature.landmarks {
            let place = step + Int64(landmark.time)
            guard place >= known, place < end else { continue }
            recent.append(RepeatComparison.Point(landmark, from: step))
            recentTiers.append(landmark.tier)
        }
    }

    /// Removes landmarks before a step.
    mutating func forget(before step: Int64) {
        guard step > recentBegin else { return }
        let count = recent.partitioningIndex { $0.time >= step }
        recent.removeFirst(count)
        recentTiers.removeFirst(count)
        kinds.removeAll { $0.range.upperBound < step }
        recentBegin = step
    }

    private func indices(_ range: Range<Int64>) -> Range<Int> {
        let low = recent.partitioningIndex { $0.time >= range.lowerBound }
        return low..<max(low, recent.partitioningIndex { $0.time >= range.upperBound })
    }

    func points(in range: Range<Int64>) -> [RepeatComparison.Point] {
        indices(range).lazy.filter { recentTiers[$0] < RepeatComparison.tiers }.map { recent[$0] }
    }

    func signature(_ range: Range<Int64>) -> Signature {
        Signature(
            configuration: .standard,
            duration: LiveTime.time(max(0, range.upperBound - range.lowerBound)),
            landmarks: indices(range).map { index in
                Landmark(
                    time: UInt32(recent[index].time - range.lowerBound),
                    frequency: UInt16(recent[index].frequency),
                    tier: recentTiers[index]
                )
            }
        )
    }

    /// Returns the kind of audio that most of an interval is; `nil` if unknown.
    func kind(of range: Range<Int64>) -> AudioKind? {
        var sums: [AudioKind: Int] = [:]
        for (part, kind) in kinds { sums[kind, default: 0] += part.clamped(to: range).count }
        return sums.filter { $0.value > 0 }.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key
    }
}
