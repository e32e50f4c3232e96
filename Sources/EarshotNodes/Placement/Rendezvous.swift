import Foundation

/// Decides which nodes hold what, without a table: each node computes the same order from the same nodes (weighted rendezvous hashing).
///
/// Each pair of a node and a thing has a number that is random, but always the same. The nodes with the greatest numbers hold the thing.
/// If a node goes, only the things that it held move; a new node takes its share from all others.
package struct Rendezvous: Sendable {
    /// A node that may hold something.
    package struct Holder: Hashable, Sendable {
        /// The folder of the node's data: a node that starts again holds what it held.
        package var place: PlaceID
        /// The share of the node in relation to that of others, such as the bytes it has room for. Nothing is held at 0 or below.
        package var weight: Double

        package init(place: PlaceID, weight: Double) { (self.place, self.weight) = (place, weight) }
    }

    private let holders: [(place: PlaceID, seed: UInt64, weight: Double)]

    /// A placement among some nodes, in any order. Of several with the same place one counts.
    package init(_ holders: [Holder]) {
        var seen: Set<PlaceID> = []
        self.holders = holders.filter { $0.weight > 0 && $0.weight.isFinite && seen.insert($0.place).inserted }
            .map { ($0.place, Self.hash($0.place.rawValue), $0.weight) }
    }

    /// Returns the nodes in the order in which they hold a thing: the first ones hold it, and each next one takes the place of one that goes.
    ///
    /// - Parameter name: The name of the thing.
    package func order(of name: String) -> [PlaceID] {
        let hash = Self.hash(name)
        return holders.map { holder -> (place: PlaceID, score: Double) in
            // The middle of one of 2^53 equal parts of 0...1: never 0 or 1, whose logarithms are infinite or 0 whatever the weight.
            let part = (Double(Self.mixed(holder.seed ^ Self.mixed(hash)) >> 11) + 0.5) / 0x1p53
            // By this score, each node comes first as often as its share of the weights (Schindelhauer and Schomaker).
            return (holder.place, -holder.weight / log(part))
        }
        .sorted { ($1.score, $0.place.rawValue) < ($0.score, $1.place.rawValue) }
        .map(\.place)
    }

    /// Returns a hash that is the same on all machines and in all versions (FNV-1a).
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Spreads a change of any bit over all bits (the end of SplitMix64). The hash alone leaves names alike that differ in the last letter.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
