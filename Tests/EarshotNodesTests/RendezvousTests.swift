import EarshotNodes
import TestSupport
import Testing

@Suite("Placement of segments on nodes")
struct RendezvousTests {
    private func holders(_ count: Int, weight: (Int) -> Double = { _ in 1 }) -> [Rendezvous.Holder] {
        (0..<count).map { Rendezvous.Holder(place: PlaceID(rawValue: "place-\($0)"), weight: weight($0)) }
    }

    private func names(_ count: Int, _ random: inout SeededGenerator) -> [String] {
        (0..<count).map { "\($0)-\(UInt64.random(in: 0...UInt64.max, using: &random))" }
    }

    @Test("is the same on all machines and in all versions")
    func vector() {
        let order = Rendezvous(holders(5) { Double($0 + 1) }).order(of: "segment").map(\.rawValue)
        #expect(order == ["place-2", "place-4", "place-1", "place-3", "place-0"])
    }

    @Test("does not depend on the order in which nodes are named, and counts a node once")
    func order() {
        property("placement does not depend on the order of nodes", rounds: 100) { random in
            let nodes = holders(Int.random(in: 1...12, using: &random)) { Double($0 % 3 + 1) }
            let name = names(1, &random)[0]
            let order = Rendezvous(nodes).order(of: name)
            let shuffled = Rendezvous((nodes + nodes).shuffled(using: &random)).order(of: name)
            return shuffled == order && Set(order) == Set(nodes.map(\.place)) && order.count == nodes.count
        }
    }

    @Test("moves exactly the copies of a node that goes, each to the next in its order")
    func loss() {
        property("a lost node moves its copies only", rounds: 50) { random in
            let nodes = holders(Int.random(in: 3...10, using: &random)) { Double($0 % 4 + 1) }
            let lost = nodes.randomElement(using: &random)!.place
            let all = Rendezvous(nodes)
            let rest = Rendezvous(nodes.filter { $0.place != lost })
            return names(100, &random).allSatisfy { rest.order(of: $0) == all.order(of: $0).filter { $0 != lost } }
        }
    }

    @Test("gives each node copies by its weight")
    func balance() {
        property("copies follow weights", rounds: 10) { random in
            let nodes = holders(6) { $0 == 0 ? 2 : 1 }
            let rendezvous = Rendezvous(nodes)
            let names = names(7_000, &random)
            var firsts: [PlaceID: Int] = [:]
            var copies: [PlaceID: Int] = [:]
            for name in names {
                let order = rendezvous.order(of: name)
                firsts[order[0], default: 0] += 1
                for place in order.prefix(2) { copies[place, default: 0] += 1 }
            }
            // Of 7,000 a share of 1/7 is 1,000 ± 29; six deviations are left to chance.
            let isFair = nodes.allSatisfy { abs(Double(firsts[$0.place] ?? 0) / $0.weight - 1_000) < 180 }
            let light = nodes.dropFirst().map { copies[$0.place] ?? 0 }
            return isFair && (copies[nodes[0].place] ?? 0) > light.max()!
        }
    }

    @Test("gives nothing to nodes without room")
    func weightless() {
        let nodes = [-1, 0, .nan, .infinity, 1.0].enumerated().map { number, weight in
            Rendezvous.Holder(place: PlaceID(rawValue: "place-\(number)"), weight: weight)
        }
        #expect(Rendezvous(nodes).order(of: "segment") == [nodes[4].place])
        #expect(Rendezvous([]).order(of: "segment").isEmpty)
    }
}
