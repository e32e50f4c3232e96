import EarshotCore
import Testing

@Suite("Groups of a sequence")
struct GroupedTests {
    @Test("groups keep the order of their first elements, and elements their own")
    func order() {
        let groups = ["b1", "a1", "", "b2", "c1", "a2"].grouped { $0.first }
        #expect(groups.map(\.key) == ["b", "a", "c"])
        #expect(groups.map(\.elements) == [["b1", "b2"], ["a1", "a2"], ["c1"]])
        #expect([Int]().grouped { $0 }.isEmpty)
    }
}
