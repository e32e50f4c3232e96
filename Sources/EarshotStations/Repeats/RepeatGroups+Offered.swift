extension RepeatGroups {
    /// The distance between the starts of two occurrences below which they are a loop of music, in steps: 60 s.
    private static let loopDistance = 60 * LiveTime.stepsPerSecond

    /// The open groups that were heard twice and are not phrases. A phrase lies mostly within longer repeated audio,
    /// even if that is named, or follows itself as loops do.
    var offered: [RepeatGroup] {
        var places: [String: [(place: RepeatGroup.Place, number: Int)]] = [:]
        for group in groups.values {
            for place in group.places { places[place.channel, default: []].append((place, group.number)) }
        }
        var (inside, near): ([Int: Int], [Int: Int]) = ([:], [:])
        for list in places.values {
            let list = list.sorted { ($0.place.begin, $0.number) < ($1.place.begin, $1.number) }
            for (index, one) in list.enumerated() {
                let others = neighbours(of: index, in: list)
                if others.contains(where: { isPart(one, of: $0) }) { inside[one.number, default: 0] += 1 }
                let follows = others.contains {
                    $0.number == one.number && abs($0.place.begin - one.place.begin) < Self.loopDistance
                }
                if follows { near[one.number, default: 0] += 1 }
            }
        }
        return groups.values.filter { group in
            let count = group.places.count
            return group.status == .open && count >= 2 && 2 * near[group.number, default: 0] <= count
                && 10 * inside[group.number, default: 0] < 8 * count
        }
    }

    private func isPart(
        _ one: (place: RepeatGroup.Place, number: Int),
        of other: (place: RepeatGroup.Place, number: Int)
    ) -> Bool {
        guard one.number != other.number, one.place.isInside(other.place) else { return false }
        let (length, whole) = (groups[one.number]?.length ?? 0, groups[other.number]?.length ?? 0)
        return (whole, one.number) > (length, other.number)
    }

    /// Returns other places of the channel that may overlap a place, or begin shortly before or after it.
    private func neighbours(
        of index: Int,
        in list: [(place: RepeatGroup.Place, number: Int)]
    ) -> [(place: RepeatGroup.Place, number: Int)] {
        let place = list[index].place
        var found: [(place: RepeatGroup.Place, number: Int)] = []
        var other = index - 1
        while other >= 0, list[other].place.begin > place.begin - RepeatEngine.recentLength {
            found.append(list[other])
            other -= 1
        }
        other = index + 1
        while other < list.count, list[other].place.begin < max(place.end, place.begin + Self.loopDistance) {
            found.append(list[other])
            other += 1
        }
        return found
    }
}
