import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Webhooks")
struct WebhookQueueTests {
    private static func change(_ sequence: Int, _ event: PlayEvent = .playEnded, on channel: String = "one")
        -> PlayChange
    {
        let play = PlaylogSamples.play("r\(sequence)", on: channel, at: Double(sequence))
        return PlayChange(sequence: sequence, event: event, subject: .play(play))
    }

    private static let now = PlaylogSamples.evening

    @Test("Changes are sent a hundred at a time, in order, one request under way, and the position follows")
    func batches() {
        var generator = SeededGenerator(seed: 1)
        var queue = WebhookQueue(WebhookSettings(consumer: "shop"), position: 10)
        #expect(queue.next(at: Self.now) == .idle)
        queue.add((5...260).map { Self.change($0) })
        queue.add((200...260).map { Self.change($0) })
        var sent: [Int] = []
        var ids: [String] = []
        while case .send(let delivery) = queue.next(at: Self.now) {
            #expect(queue.next(at: Self.now) == .underWay)
            sent += delivery.changes.map(\.sequence)
            ids.append(delivery.id)
            let last = delivery.changes.last?.sequence ?? 0
            let result = queue.finished(.status(204), at: Self.now, using: &generator)
            #expect(result == .delivered(position: last, wasReported: false))
        }
        #expect(sent == Array(11...260) && ids == ["shop-11-110", "shop-111-210", "shop-211-260"])
        #expect(queue.position == 260 && queue.next(at: Self.now) == .idle)
        #expect(queue.finished(.status(200), at: Self.now, using: &generator) == .ignored)
    }

    @Test("What is not wanted is passed over, and the position goes over it")
    func filters() {
        var generator = SeededGenerator(seed: 1)
        var settings = WebhookSettings(consumer: "shop")
        settings.channels = ["one"]
        var queue = WebhookQueue(settings, position: 0)
        queue.add([Self.change(1, .playUpdated), Self.change(2, on: "two")])
        #expect(queue.position == 2 && queue.next(at: Self.now) == .idle)
        queue.add([Self.change(3), Self.change(4, .playUpdated)])
        guard case .send(let delivery) = queue.next(at: Self.now) else {
            Issue.record("nothing is sent")
            return
        }
        #expect(delivery.changes.map(\.sequence) == [3] && queue.position == 2)
        #expect(
            queue.finished(.status(200), at: Self.now, using: &generator) == .delivered(position: 4, wasReported: false)
        )
    }

    @Test("Failures are waited for, twice as long each time up to ten minutes, without end, and told")
    func backOff() {
        var generator = SeededGenerator(seed: 7)
        var settings = WebhookSettings(consumer: "shop")
        settings.reportedFailures = 5
        var queue = WebhookQueue(settings, position: 0)
        queue.add([Self.change(1), Self.change(2)])
        var now = Self.now
        var reports: [Int] = []
        var first: WebhookDelivery?
        for failure in 1...40 {
            guard case .send(let delivery) = queue.next(at: now) else {
                Issue.record("nothing is sent")
                return
            }
            first = first ?? delivery
            // The same bytes under the same name, though more has come meanwhile.
            #expect(delivery == first)
            queue.add([Self.change(2 + failure)])
            let answers: [WebhookQueue.Answer] = [.none, .status(500), .status(301), .status(404), .status(503)]
            let result = queue.finished(answers[failure % 5], at: now, using: &generator)
            guard case .failed(let retryAt, failure, let isReported) = result else {
                Issue.record("\(result)")
                return
            }
            let longest = failure > 10 ? 600 : min(600, Double(1 << (failure - 1)))
            let wait = retryAt.timeIntervalSince(now)
            #expect(wait >= longest / 2 - 1e-3 && wait <= longest + 1e-3)
            if isReported { reports.append(failure) }
            #expect(queue.next(at: retryAt.addingTimeInterval(-0.01)) == .wait(until: retryAt))
            #expect(queue.position == 0)
            now = retryAt
        }
        #expect(reports == Array(stride(from: 5, through: 40, by: 5)))
        _ = queue.next(at: now)
        #expect(queue.finished(.status(200), at: now, using: &generator) == .delivered(position: 2, wasReported: true))
        #expect(queue.failures == 0)
        guard case .send(let delivery) = queue.next(at: now) else {
            Issue.record("nothing is sent")
            return
        }
        #expect(delivery.changes.map(\.sequence) == Array(3...42))
    }

    @Test("A receiver's wish to wait is obeyed for 429 and 503, up to a day; 410 ends the deliveries")
    func wishes() {
        var generator = SeededGenerator(seed: 7)
        let date = "Fri, 01 May 2026 18:40:00 GMT"
        let cases: [(Int, String?, Double)] = [
            (429, "120", 120), (503, date, 599.75), (429, "999999999", 86_400), (503, "soon", 1), (503, "-5", 1),
            (500, "120", 1), (429, "0", 1), (503, "Fri, 01 May 2020 18:40:00 GMT", 1),
        ]
        for (status, field, expected) in cases {
            var queue = WebhookQueue(WebhookSettings(consumer: "shop"), position: 0)
            queue.add([Self.change(1)])
            _ = queue.next(at: Self.now)
            let answer = WebhookQueue.Answer.status(status, retryAfter: field)
            guard case .failed(let retryAt, 1, false) = queue.finished(answer, at: Self.now, using: &generator) else {
                Issue.record("\(status)")
                continue
            }
            let wait = retryAt.timeIntervalSince(Self.now)
            #expect(
                expected == 1 ? (0.499...1.001).contains(wait) : abs(wait - expected) < 1e-3,
                "\(status) \(field ?? "")"
            )
        }
        var queue = WebhookQueue(WebhookSettings(consumer: "shop"), position: 0)
        queue.add([Self.change(1)])
        _ = queue.next(at: Self.now)
        #expect(queue.finished(.status(410), at: Self.now, using: &generator) == .disabled)
        #expect(queue.next(at: Self.now) == .disabled && queue.position == 0 && queue.room == 0)
        queue.enable()
        guard case .send(let delivery) = queue.next(at: Self.now) else {
            Issue.record("nothing is sent")
            return
        }
        #expect(delivery.changes.map(\.sequence) == [1])
    }

    @Test("Whatever fails and whenever it is started again, a receiver gets every change, of each channel in order")
    func restarts() async throws {
        for seed in 0..<30 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let store = MemoryPlaylogStore()
            var settings = WebhookSettings(consumer: "shop")
            settings.batchSize = 3
            settings.capacity = 7
            var queue = WebhookQueue(settings, position: try await store.position(of: "shop") ?? 0)
            var now = Self.now
            var received: [PlayChange] = []
            var written = 0
            for _ in 0..<400 {
                if written < 40 {
                    written += 1
                    try await store.put(PlaylogSamples.play("r\(written)", on: "c\(written % 3)", at: Double(written)))
                }
                if Int.random(in: 0..<10, using: &generator) == 0 {
                    queue = WebhookQueue(settings, position: try await store.position(of: "shop") ?? 0)
                }
                queue.add(try await store.changes(after: queue.lastAdded, limit: queue.room).changes)
                switch queue.next(at: now) {
                case .send(let delivery):
                    let arrives = Bool.random(using: &generator)
                    if arrives { received += delivery.changes }
                    // An answer may be lost behind what has arrived.
                    let isTold = arrives && Int.random(in: 0..<4, using: &generator) > 0
                    let answer = isTold ? WebhookQueue.Answer.status(200) : .none
                    if case .delivered(let position, _) = queue.finished(answer, at: now, using: &generator) {
                        try await store.setPosition(position, of: "shop")
                    }
                case .wait(let instant): now = instant
                default: break
                }
            }
            var seen: Set<Int> = []
            let once = received.filter { seen.insert($0.sequence).inserted }.map(\.sequence)
            #expect(once == Array(1...40), "seed \(seed)")
            #expect(try await store.position(of: "shop") == 40)
        }
    }

    @Test("The body is JSON of the delivery and its events")
    func body() throws {
        var queue = WebhookQueue(WebhookSettings(consumer: "shop"), position: 0)
        let gap = StreamGap(channel: PlaylogSamples.channel(), start: Self.now)
        queue.add([Self.change(1), PlayChange(sequence: 2, event: .streamLost, subject: .gap(gap))])
        guard case .send(let delivery) = queue.next(at: Self.now) else {
            Issue.record("nothing is sent")
            return
        }
        struct Body: Decodable {
            let delivery: String
            let events: [PlayChange]
            let version: Int
        }
        let body = try PlaylogJSON.decode(Body.self, from: delivery.body())
        #expect(body.delivery == "shop-1-2" && body.events == delivery.changes && body.version == 1)
        let text = String(decoding: try delivery.body(), as: UTF8.self)
        #expect(text.contains(#""event":"stream.lost","gap":{"channel":{"id":"one","name":"Channel one"}"#))
    }

    @Test("A signature is over time and body, and comes back from its field")
    func signatures() throws {
        let content = WebhookSignature.signedContent(timestamp: 1_777_660_200, body: Data("{}".utf8))
        #expect(content == Data("1777660200.{}".utf8))
        let digests = [Data((0..<32).map { UInt8($0) }), Data(repeating: 0xAB, count: 32)]
        let signature = WebhookSignature(timestamp: 1_777_660_200, digests: digests)
        #expect(signature.description.hasPrefix("t=1777660200,v1=000102030405"))
        #expect(WebhookSignature(signature.description) == signature)
        #expect(WebhookSignature("v0=x, \(signature)") == signature)
        #expect(signature.isValid(digest: digests[1], at: Self.now))
        #expect(!signature.isValid(digest: Data(count: 32), at: Self.now))
        #expect(!signature.isValid(digest: digests[1], at: Self.now.addingTimeInterval(302)))
        for field in ["", "t=1", "v1=00", "t=x,v1=\(String(repeating: "0", count: 64))", "t=1,v1=zz", "t=1,t=2"] {
            #expect(WebhookSignature(field) == nil, "\(field)")
        }
    }

    @Test("Dates of HTTP are read in their three forms")
    func dates() {
        let now = PlaylogTime.date("1994-11-06T08:49:07Z") ?? Self.now
        let forms = [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "30",
        ]
        for form in forms { #expect(RetryAfter.seconds(form, at: now) == 30, "\(form)") }
        for form in [
            "", "x", "Sun, 06 Nov 1994 08:49:37", "Sun, 32 Nov 1994 08:49:37 GMT", "1.5", "-1", "99999999999999999",
        ] {
            #expect(RetryAfter.seconds(form, at: now) == nil, "\(form)")
        }
    }
}
