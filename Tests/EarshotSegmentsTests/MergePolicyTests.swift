import EarshotSegments
import TestSupport
import Testing

@Suite("When segments are merged")
struct MergePolicyTests {
    /// A store that is but its sizes.
    private struct Model {
        var policy = MergePolicy()
        var sizes: [MergePolicy.Size] = []
        var written = 0
        var added = 0

        mutating func add(_ bytes: Int) {
            sizes.append(MergePolicy.Size(size: bytes, entryCount: max(1, bytes / 10_000)))
            added += bytes
            written += bytes
        }

        /// Whether every merge keeps to the rules.
        mutating func settle() -> Bool {
            var steps = 0
            while let range = policy.plan(sizes) {
                let parts = sizes[range]
                let total = parts.reduce(0) { $0 + $1.liveSize }
                let isWorn = range.count == 1 && parts.allSatisfy(\.isMostlyRemoved)
                guard isWorn || parts.allSatisfy({ $0.liveSize < policy.sealed }) && range.count >= policy.fanIn,
                    isWorn || total <= policy.fanIn * policy.sealed, steps < 1_000
                else { return false }
                let live = parts.reduce(0) { $0 + $1.entryCount - $1.removedCount }
                written += total
                sizes.replaceSubrange(
                    range,
                    with: live == 0 ? [] : [MergePolicy.Size(size: total, entryCount: live)]
                )
                steps += 1
            }
            return true
        }

        var sealedCount: Int { sizes.count { $0.size >= policy.sealed } }
    }

    @Test(
        "Of equal additions few segments stay, and each byte is written a few times",
        arguments: [1_000, 100_000, 5_000_000]
    )
    func equal(bytes: Int) {
        var model = Model()
        for _ in 0..<1_500 {
            model.add(bytes)
            let isFine = model.settle()
            #expect(isFine)
            // Seven tiers below the largest, three segments each.
            #expect(model.sizes.count - model.sealedCount <= 21)
        }
        #expect(model.written <= 12 * model.added || bytes < 64 << 10 / 4)
        #expect(model.sealedCount <= model.added / model.policy.sealed)
    }

    @Test("Of additions of any size too")
    func random() {
        property("merge policy", rounds: 15) { generator in
            var model = Model()
            model.policy.sealed = 1 << 24
            var (isFine, worst) = (true, 0)
            for _ in 0..<600 {
                let exponent = Double.random(in: 3...7.6, using: &generator)
                model.add(Int(exp10(exponent)))
                if Int.random(in: 0..<10, using: &generator) == 0,
                    let index = model.sizes.indices.randomElement(using: &generator)
                {
                    model.sizes[index].removedCount = Int.random(
                        in: 0...model.sizes[index].entryCount,
                        using: &generator
                    )
                }
                isFine = isFine && model.settle()
                worst = max(worst, model.sizes.count - 4 * model.sealedCount)
            }
            return isFine && worst <= 24 && model.written <= 12 * model.added
        }
    }

    @Test("A segment of which more than half is gone is written anew, a half-empty one not")
    func worn() {
        let policy = MergePolicy()
        func size(_ removed: Int, bytes: Int = 1_000) -> MergePolicy.Size {
            MergePolicy.Size(size: bytes, entryCount: 10, removedCount: removed)
        }
        #expect(policy.plan([size(5), size(0)]) == nil)
        #expect(policy.plan([size(0), size(6)]) == 1..<2)
        #expect(policy.plan([size(0), size(6, bytes: 1 << 32)]) == 1..<2)
        #expect(policy.plan([size(0), size(0), size(0), size(0)]) == 0..<4)
        #expect(policy.plan(Array(repeating: size(0, bytes: 1 << 31), count: 9)) == nil)
        #expect(policy.compaction([size(0), size(0), size(0)]) == 0..<3)
        #expect(policy.compaction([size(0)]) == nil)
        #expect(policy.compaction([size(1)]) == 0..<1)
        #expect(policy.compaction([size(0, bytes: 1 << 32), size(0, bytes: 1 << 32)]) == nil)
    }

    private func exp10(_ exponent: Double) -> Double {
        var (value, rest) = (1.0, exponent)
        while rest >= 1 {
            value *= 10
            rest -= 1
        }
        return value * (1 + 9 * rest * rest)
    }
}
