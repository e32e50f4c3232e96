import Testing

@testable import EarshotMonitor

@Suite("Readers of a monitor")
struct MailboxListTests {
    @Test("A reader that is gone leaves nothing behind, and one that is there gets all")
    func owned() async {
        var list = MailboxList<Int>()
        let kept = EventMailbox<Int>()
        list.append(kept)
        for _ in 0..<100 { list.append(EventMailbox()) }
        #expect(list.all.count == 1)
        for number in 0..<3 { list.all.forEach { $0.append(number) } }
        kept.finish()
        var read: [Int] = []
        while let number = await kept.next() { read.append(number) }
        #expect(read == [0, 1, 2])
    }
}
