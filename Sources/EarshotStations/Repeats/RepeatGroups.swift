import EarshotCatalogs
import EarshotClassification
import EarshotCore
import EarshotSignatures

/// All known repeats, and the catalog in which they are found again.
struct RepeatGroups: Sendable {
    private(set) var groups: [Int: RepeatGroup] = [:]
    private(set) var nextNumber = 1
    /// The signatures of the groups, by their numbers.
    private(set) var catalog: Catalog
    private(set) var changeCount = 0

    private static let prefix = "#"

    init(limits: QueryLimits) { catalog = Catalog(queryLimits: limits) }

    static func number(of id: ReferenceID) -> Int? {
        id.rawValue.hasPrefix(prefix) ? Int(id.rawValue.dropFirst()) : nil
    }

    static func id(_ number: Int) -> ReferenceID { ReferenceID("\(prefix)\(number)") }

    mutating func restore(_ kept: [RepeatGroup], nextNumber: Int) {
        for group in kept {
            guard groups[group.number] == nil, let signature = try? Signature(data: group.signature),
                !signature.isEmpty,
                (try? catalog.add(signature, representing: [], id: Self.id(group.number))) != nil
            else { continue }
            groups[group.number] = group
            self.nextNumber = max(self.nextNumber, group.number + 1)
        }
        self.nextNumber = max(self.nextNumber, nextNumber)
    }

    /// Adds an occurrence to a group.
    mutating func add(_ place: RepeatGroup.Place, to number: Int) {
        if groups[number]?.add(place) == true { changeCount += 1 }
    }

    /// Records that two places have the same audio: adds them to a group, merges their groups, or creates one.
    ///
    /// - Parameter signature: The signature of the first.
    mutating func join(
        _ first: RepeatGroup.Place,
        _ second: RepeatGroup.Place,
        signature: Signature,
        kind: AudioKind?
    ) {
        let known = groups.values.filter { group in
            group.places.contains { $0.isSame(as: first) || $0.isSame(as: second) }
        }.map(\.number).sorted()
        if let number = known.first {
            for other in known.dropFirst() { merge(other, into: number) }
            add(first, to: number)
            add(second, to: number)
            return
        }
        // If both lie inside two occurrences of one audio, they are a phrase that it repeats.
        let isPhrase = groups.values.contains { group in
            group.places.contains(where: first.isInside) && group.places.contains(where: second.isInside)
        }
        guard !isPhrase, !signature.isEmpty,
            (try? catalog.add(signature, representing: [], id: Self.id(nextNumber))) != nil
        else { return }
        groups[nextNumber] = RepeatGroup(
            number: nextNumber,
            signature: signature,
            kind: kind,
            places: [second, first]
        )
        nextNumber += 1
        changeCount += 1
    }

    /// Merges two groups that turned out to be the same. A name or dismissal of either applies to both.
    mutating func merge(_ other: Int, into number: Int) {
        guard let gone = groups[other], number != other, groups[number] != nil else { return }
        for place in gone.places { _ = groups[number]?.add(place) }
        if groups[number]?.status == .open { groups[number]?.status = gone.status }
        drop(other)
    }

    mutating func mark(_ number: Int, _ status: RepeatGroup.Status) {
        groups[number]?.status = status
        changeCount += 1
    }

    /// Removes occurrences before a step, open groups without occurrences, and open groups beyond the limit.
    mutating func expire(before step: Int64, limit: Int) {
        for number in groups.keys { groups[number]?.expire(before: step) }
        for (number, group) in groups where group.status == .open && group.places.isEmpty { drop(number) }
        guard groups.count > limit else { return }
        let open = groups.values.filter { $0.status == .open }
            .sorted { ($0.places.map(\.end).max() ?? 0, $0.number) < ($1.places.map(\.end).max() ?? 0, $1.number) }
        for group in open.prefix(groups.count - limit) { drop(group.number) }
    }

    private mutating func drop(_ number: Int) {
        groups[number] = nil
        try? catalog.remove(Self.id(number))
        changeCount += 1
    }
}
