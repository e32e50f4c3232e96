/// Counts how many terms each fingerprint shares with a query, in memory that goes with the hits and not with the fingerprints.
///
/// An open table, kept at most half full, because hits scatter over millions of fingerprints: a place is looked up once, and
/// the table stays in the processor's cache. Raw memory, since this is the innermost loop of a search.
final class HitCounter {
    /// Number of a fingerprint plus one above the count; zero where there is none.
    private var slots: UnsafeMutableBufferPointer<UInt64>
    private var shift: UInt64
    private var used = 0

    /// - Parameter expected: Hits that are expected at most; more are taken too.
    init(expected: Int) {
        var bits: UInt64 = 8
        while bits < 26, 1 << bits < 2 * expected { bits += 1 }
        slots = .allocate(capacity: 1 << Int(bits))
        slots.initialize(repeating: 0)
        shift = 64 - bits
    }

    deinit { slots.deallocate() }

    /// Counts one hit.
    @inline(__always)
    func add(_ number: UInt32) {
        let key = UInt64(number) + 1
        var place = home(of: key)
        while true {
            let slot = slots[place]
            if slot >> 32 == key {
                slots[place] = slot &+ 1
                return
            }
            if slot == 0 {
                slots[place] = key << 32 | 1
                used &+= 1
                if used &* 2 > slots.count { grow() }
                return
            }
            place = (place &+ 1) & (slots.count &- 1)
        }
    }

    /// The place at which a key stands unless others took it.
    @inline(__always)
    private func home(of key: UInt64) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    private func grow() {
        let old = slots
        slots = .allocate(capacity: old.count * 2)
        slots.initialize(repeating: 0)
        shift -= 1
        for slot in old where slot != 0 {
            var place = home(of: slot >> 32)
            while slots[place] != 0 { place = (place &+ 1) & (slots.count &- 1) }
            slots[place] = slot
        }
        old.deallocate()
    }

    /// The fingerprints with the most hits, those with more first, then in order of their numbers.
    ///
    /// - Parameters:
    ///   - most: The largest number of results.
    ///   - isWanted: Returns `true` for a fingerprint that may be returned; only asked of those with the most hits.
    func best(_ most: Int, where isWanted: (UInt32) -> Bool) -> [UInt32] {
        var counts = [Int](repeating: 0, count: FingerprintTerms.length * 25 + 1)
        for slot in slots where slot != 0 { counts[min(counts.count - 1, Int(slot & 0xFFFF_FFFF))] += 1 }
        // Those with the fewest hits are the most by far, and mere chance: they are looked at when there are few of them.
        var least = counts.count - 1
        var sum = counts[least]
        while least > 1, sum == 0 || sum + counts[least - 1] <= Self.mostExamined {
            least -= 1
            sum += counts[least]
        }
        var found: [UInt64] = []
        found.reserveCapacity(sum)
        for slot in slots where slot & 0xFFFF_FFFF >= UInt64(least) && slot != 0 { found.append(slot) }
        found.sort { ($0 & 0xFFFF_FFFF, $1 >> 32) > ($1 & 0xFFFF_FFFF, $0 >> 32) }
        var best: [UInt32] = []
        for slot in found {
            let number = UInt32(truncatingIfNeeded: slot >> 32) - 1
            guard isWanted(number) else { continue }
            best.append(number)
            if best.count == most { break }
        }
        return best
    }

    /// Fingerprints of which the duration is looked up, more or less.
    private static let mostExamined = 4_096
}
