import EarshotCore
import TestSupport
import Testing

@Suite("Pauses between attempts")
struct BackoffTests {
    private func seconds(_ value: Double) -> MediaTime { MediaTime(seconds: value) }

    @Test("Pauses grow by the factor up to the longest and begin anew after a success")
    func growth() {
        var backoff = Backoff(initial: seconds(0.5), factor: 3, cap: seconds(10))
        #expect((0..<5).map { _ in backoff.failed(random: 0).seconds } == [0.5, 1.5, 4.5, 10, 10])
        #expect(backoff.failures == 5)
        backoff.reset()
        #expect(backoff.failures == 0 && backoff.failed(random: 0).seconds == 0.5)
    }

    @Test("The jitter spreads pauses evenly between its bounds")
    func jitter() {
        let backoff = Backoff(cap: seconds(60), jitter: 0.5...1.5)
        #expect([0, 0.5, 1].map { backoff.pause(afterFailure: 3, random: $0).seconds } == [2, 4, 6])
        #expect(backoff.pause(afterFailure: 1, random: .nan).seconds == 1)
        #expect(backoff.pause(afterFailure: 1, random: 7).seconds == 1.5)
        property("pauses stay within the jitter") { generator in
            let count = Int.random(in: 1...200, using: &generator)
            let pause = backoff.pause(afterFailure: count, random: .random(in: 0...1, using: &generator)).seconds
            let plain = count > 6 ? 60 : Double(1 << (count - 1))
            return pause >= plain / 2 && pause <= plain * 1.5
        }
    }

    @Test("A pause of zero stays zero, and a first pause beyond the longest is cut")
    func bounds() {
        #expect(Backoff(initial: .zero, cap: seconds(60)).pause(afterFailure: 1_000_000, random: 1) == .zero)
        #expect(Backoff(initial: seconds(90), cap: seconds(60)).pause(afterFailure: 1, random: 1) == seconds(60))
        #expect(Backoff(initial: seconds(-1), cap: seconds(60)).pause(afterFailure: 1, random: 1) == .zero)
    }
}
