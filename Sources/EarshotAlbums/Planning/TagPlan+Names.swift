import EarshotMedia
import EarshotTags
import Foundation

extension TagPlan {
    /// Resolves the names of all files of a run, so that the plan shows the names that are written.
    ///
    /// A number is added to a name that is in use. A name that another file of the run gives up becomes free: the plans
    /// are returned in an order that allows this. Of files that would exchange names in a circle, one gets a number.
    /// Names that differ only in case count as equal, as on many file systems.
    ///
    /// - Parameter plans: The plans.
    /// - Returns: The plans that are left to be carried out, in the order in which they have to be.
    public static func settled(_ plans: [TagPlan]) -> [TagPlan] {
        let places = plans.map { (try? StagedTags.resolved($0.change.file)) ?? $0.change.file.path }
        let wishes = plans.map { plan in plan.change.destination.map { WholePath.of($0.path) } }
        var names = Names()
        return order(places, wishes).compactMap { index in
            var plan = plans[index]
            guard let wish = wishes[index] else { return plan }
            let found = names.settle(wish, for: places[index])
            plan.change.isDestinationFixed = true
            if found == places[index] {
                (plan.change.destination, plan.path) = (nil, nil)
            } else {
                let name = (found as NSString).lastPathComponent
                plan.change.destination = URL(fileURLWithPath: found)
                plan.path = plan.path.map { path in
                    let folder = (path as NSString).deletingLastPathComponent
                    return folder.isEmpty ? name : folder + "/" + name
                }
            }
            return plan.isEmpty ? nil : plan
        }
    }

    /// The files in such an order that whoever has a name that another one wants goes first.
    private static func order(_ places: [String], _ wishes: [String?]) -> [Int] {
        let owners = Dictionary(places.enumerated().map { (Names.key($1), $0) }) { first, _ in first }
        var order: [Int] = []
        var seen: Set<Int> = []
        for start in places.indices {
            // Each file waits for one other at most: a way that ends, or comes back to where it has been.
            var way: [Int] = []
            var next: Int? = start
            while let index = next, seen.insert(index).inserted {
                way.append(index)
                next = wishes[index].flatMap { owners[Names.key($0)] }
            }
            order += way.reversed()
        }
        return order
    }

    /// The names that are free and in use while files are renamed one after the other.
    private struct Names {
        private var left: Set<String> = []
        private var taken: Set<String> = []

        static func key(_ path: String) -> String { path.precomposedStringWithCanonicalMapping.lowercased() }

        mutating func settle(_ wish: String, for place: String) -> String {
            let folder = StagedFile.folder(of: wish)
            let name = FileName((wish as NSString).lastPathComponent)
            for number in 1...9_999 {
                let candidate = folder + "/" + name.numbered(number)
                guard candidate != place else { return place }
                guard isFree(candidate, for: place) else { continue }
                left.insert(Self.key(place))
                taken.remove(Self.key(place))
                left.remove(Self.key(candidate))
                taken.insert(Self.key(candidate))
                return candidate
            }
            // Whoever writes it refuses it.
            return wish
        }

        private func isFree(_ candidate: String, for place: String) -> Bool {
            let key = Self.key(candidate)
            if key == Self.key(place) { return true }
            if taken.contains(key) { return false }
            if left.contains(key) { return true }
            var status = stat()
            return lstat(candidate, &status) != 0
        }
    }
}
