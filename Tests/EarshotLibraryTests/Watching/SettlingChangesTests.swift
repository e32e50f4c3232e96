import EarshotCore
import TestSupport
import Testing

@testable import EarshotLibrary

@Suite("Changes that settle")
struct SettlingChangesTests {
    private func time(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 10) }
    private var changes: SettlingChanges { SettlingChanges(quiet: time(10), longest: time(100)) }

    @Test("changes are told together once nothing more happens")
    func settles() {
        var changes = changes
        #expect(changes.deadline == nil && changes.settled(at: time(99)) == nil)
        changes.noticed("a", at: time(1))
        changes.noticed("b", at: time(5))
        changes.noticed("a", at: time(9))
        #expect(changes.settled(at: time(18)) == nil)
        #expect(changes.deadline == time(19))
        #expect(changes.settled(at: time(19)) == FolderWatcher.Change(paths: ["a", "b"], needsRescan: false))
        #expect(changes.deadline == nil && changes.settled(at: time(200)) == nil)
    }

    @Test("changes that never settle are told after a while all the same")
    func longest() {
        var changes = changes
        for step in 0..<200 {
            changes.noticed("a", at: time(Int64(step)))
            if changes.settled(at: time(Int64(step))) != nil {
                #expect(step == 100)
                return
            }
        }
        Issue.record("nothing was told")
    }

    @Test("where it is not known what changed, all has to be looked at")
    func overflow() {
        var changes = changes
        changes.noticed("a", at: time(0))
        changes.noticed(nil, at: time(1))
        changes.noticed("b", at: time(2))
        #expect(changes.settled(at: time(12)) == FolderWatcher.Change(paths: [], needsRescan: true))
        for number in 0...10_000 { changes.noticed("\(number)", at: time(20)) }
        #expect(changes.settled(at: time(30))?.needsRescan == true)
    }

    @Test("in any order of events each path is told, and nothing before it was quiet")
    func random() {
        property("settling changes") { random in
            var changes = changes
            var (now, last): (Int64, Int64) = (0, 0)
            var (noticed, told): (Set<String>, Set<String>) = ([], [])
            var first: Int64?
            for _ in 0..<60 {
                now += Int64.random(in: 0...15, using: &random)
                if let change = changes.settled(at: time(now)) {
                    guard now - last >= 10 || now - (first ?? now) >= 100 else { return false }
                    told.formUnion(change.paths)
                    first = nil
                }
                if Bool.random(using: &random) {
                    let path = "\(Int.random(in: 0...5, using: &random))\(now)"
                    changes.noticed(path, at: time(now))
                    noticed.insert(path)
                    (first, last) = (first ?? now, now)
                }
            }
            told.formUnion(changes.settled(at: time(now + 10))?.paths ?? [])
            return told == noticed
        }
    }

    @Test("whoever waits is told by the clock, and again after that")
    func clock() async {
        let clock = ManualClock()
        let (stream, continuation) = AsyncStream.makeStream(of: FolderWatcher.Change.self)
        let settler = ChangeSettler(changes, clock: clock.clock) { continuation.yield($0) }
        var told = stream.makeAsyncIterator()
        for path in ["a", "b"] {
            settler.noticed(path)
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: 1)
            #expect(await told.next()?.paths == [path])
        }
    }
}
