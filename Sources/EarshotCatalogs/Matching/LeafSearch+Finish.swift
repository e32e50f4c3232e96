import EarshotSignatures

// The last step of a search.
extension LeafSearch {
    /// Returns the candidates found and other places in the answered references, best first, with map and bits read
    /// where they matter.
    mutating func finish() -> [Candidate] {
        let length = verifier.lastTime
        var found = found
        found += repeats(of: matcher.distinct(found, length: length, by: \.evidence))
        var places = matcher.distinct(found, length: length, by: \.evidence)
        guard let first = places.byReference().first else { return [] }
        if parameters.isClear(first) {
            // The reference is certain, but not the place: a recording may nearly repeat itself.
            let alike = parameters.alike(first, among: places)
            if alike.count > 1, soft.isThere() {
                for index in alike.prefix(parameters.alikeReadings) { soft.readBits(&places[index]) }
                places.sort { $0.fit > $1.fit }
            }
        } else if soft.isThere() {
            soft.read(&found)
            for index in found.indices {
                found[index].landmarkScore = found[index].score
                found[index].score = found[index].together(leastBits: parameters.leastBits)
            }
            places = matcher.distinct(found, length: length, by: \.fit)
        }
        var ordered = places.byReference().consistent()
        for index in ordered.indices where parameters.isAnswer(ordered[index]) {
            ordered[index].sharedMaterial = sharedMaterial(ordered[index])
        }
        return ordered
    }

    private func sharedMaterial(_ candidate: Candidate) -> SharedMaterial? {
        let segment = matcher.targets[candidate.segment].segment
        let window = matcher.window(
            segment,
            candidate.reference,
            candidate.alignment,
            verifier,
            margin: Landmark.stepsPerSecond
        )
        return verifier.spread(on: window, candidate.alignment).sharedMaterial
    }

    /// Returns other places in the references that are answers.
    private func repeats(of candidates: [Candidate]) -> [Candidate] {
        var seen: Set<Candidate.Key> = []
        var found: [Candidate] = []
        var densities = Densities()
        for candidate in candidates where parameters.isAnswer(candidate) {
            guard seen.count < parameters.repeatReferences else { break }
            guard seen.insert(candidate.key).inserted else { continue }
            let segment = matcher.targets[candidate.segment].segment
            let around = matcher.window(
                segment,
                candidate.reference,
                candidate.alignment,
                verifier,
                margin: Verifier.repeatReach
            )
            let limit = parameters.repeatCount
            for offset in verifier.offsets(like: candidate.alignment, on: around, limit: limit) {
                let isKnown = candidates.contains {
                    $0.segment == candidate.segment && $0.reference == candidate.reference
                        && abs($0.alignment.offset - offset) < 0.1 * Double(Landmark.stepsPerSecond)
                        && abs($0.alignment.speed - candidate.alignment.speed) < 0.005
                }
                guard !isKnown else { continue }
                var other = candidate
                other.alignment.offset = offset
                let near = matcher.window(
                    segment,
                    other.reference,
                    other.alignment,
                    verifier,
                    margin: Landmark.stepsPerSecond
                )
                other.alignment = verifier.refine(other.alignment, on: near)
                let tally = verifier.tally(on: near, other.alignment)
                guard tally.inside >= Verifier.leastInside, SearchRange.contains(other.alignment) else { continue }
                // It stands for as many tried hypotheses as the first place.
                found.append(matcher.weigh(other, candidate.tried, verifier, &densities))
            }
        }
        return found
    }
}
