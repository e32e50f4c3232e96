import EarshotCatalogs
import EarshotCore
import EarshotSessions
import EarshotSignatures
import TestSupport
import Testing

@Suite("Streams")
struct StreamTests {
    @Test("A clip fed as it comes is matched, and its position runs on", .requirements("R-CC-045", "R-CC-062"))
    func found() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: 6)
        let heard = try await broadcast.heard(by: Broadcast.catalog())
        let first = try #require(heard.first)
        #expect(first.id == "one")
        #expect(first.change == .appeared)
        #expect(first.time <= 2)
        for one in heard {
            let position = try #require(one.position)
            #expect(abs(position - 20 - one.time) < 0.02)
        }
        // The item of the first match has gone on by itself.
        let item = try #require(first.match?.mediaItems.first)
        #expect(abs(item.predictedCurrentMatchOffset.seconds - 26) < 0.05)
    }

    @Test("The session turns to the next item by itself", .requirements("R-CC-046"))
    func next() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: 8)
        broadcast.play(1, from: 5, seconds: 6)
        let heard = try await broadcast.heard(by: Broadcast.catalog())
        let second = try #require(heard.first { $0.id == "two" })
        #expect(second.change == .appeared)
        #expect(second.time < 18)
        #expect(abs(try #require(second.position) - (second.time - 8 + 5)) < 0.05)
        #expect(heard.contains { $0.isLost })
        #expect(!heard.contains { $0.time > 12 && $0.id == "one" })
    }

    @Test(
        "Rewinding and skipping are followed within five seconds of audio",
        .requirements("R-CC-068", "R-CC-069"),
        arguments: [[60, 14], [10, 22, 48]] as [[Double]]
    )
    func seeks(places: [Double]) async throws {
        var broadcast = Broadcast()
        for place in places { broadcast.play(0, from: place, seconds: 6) }
        let heard = try await broadcast.heard(by: Broadcast.catalog())
        for (index, place) in places.enumerated() {
            let begin = Double(index) * 6
            let right = heard.first { one in
                one.time > begin && one.time <= begin + 6
                    && one.position.map { abs($0 - place - (one.time - begin)) < 0.1 } ?? false
            }
            #expect(try #require(right, "place \(place) was not found").time - begin < 3)
            if index > 0 {
                guard case .moved(let distance) = right?.change else {
                    Issue.record("a seek is reported as one: \(String(describing: right?.change))")
                    continue
                }
                #expect(abs(distance.seconds - (place - places[index - 1] - 6)) < 0.1)
            }
        }
        #expect(!heard.contains { $0.isLost })
    }

    @Test("Of two places that are nearly alike the right one is found in noise", arguments: [0, 1], [0.1, 0.14])
    func nearRepeat(place: Int, difference: Double) async throws {
        // The same passage twice, the second time with another piece softly beside it.
        let passage = Broadcast.pieces[0].samples(from: 10, seconds: 25, sampleRate: Broadcast.rate)
        let beside = Broadcast.pieces[1].samples(from: 20, seconds: 25, sampleRate: Broadcast.rate)
        let again = zip(passage, beside).map { $0 + Float(difference) * $1 }
        var generator = SignatureGenerator()
        try generator.append(AudioBuffer(passage + again, sampleRate: Broadcast.rate))
        var catalog = Catalog()
        try catalog.add(
            generator.signature(),
            representing: [MediaItem(properties: [.title: "Again"])],
            id: "again"
        )
        var broadcast = Broadcast()
        let heardPart = (place == 0 ? passage : again)[4 * Broadcast.rate..<18 * Broadcast.rate]
        broadcast.add(Array(heardPart))
        broadcast.mix(signalToNoise: 0)
        let heard = try await broadcast.heard(by: catalog)
        let last = try #require(heard.last { $0.position != nil })
        let begin = place == 0 ? 4.0 : 29
        #expect(abs(try #require(last.position) - begin - last.time) < 0.1)
        // It may be named at the other place first, but not for long.
        let right = heard.first { abs(($0.position ?? -1) - begin - $0.time) < 0.1 }
        #expect(try #require(right).time <= 5)
    }

    @Test("Short breaks in the audio move the position by as much, and nowhere else")
    func breaks() async throws {
        var broadcast = Broadcast()
        for part in 0..<4 {
            broadcast.play(0, from: 20 + Double(part) * 4, seconds: 4)
            broadcast.silence(0.2)
        }
        let heard = try await broadcast.heard(by: Broadcast.catalog())
        for one in heard {
            let part = min(3, Int(one.time / 4.2))
            let within = one.time - Double(part) * 4.2
            // Until the break is noticed the position may be off by it.
            let reach = within < 1.6 ? 0.25 : 0.03
            #expect(abs(try #require(one.position) - 20 - Double(part) * 4 - min(within, 4)) < reach, "at \(one.time)")
            for case .moved in one.changes { Issue.record("nothing was moved, at \(one.time)") }
        }
        #expect(heard.count > 10)
    }

    @Test("Without times a stream is matched too", .requirements("R-CC-049"))
    func untimed() async throws {
        let session = MatchSession(catalog: try Broadcast.catalog(), options: .init(repeats: .all))
        var broadcast = Broadcast()
        broadcast.play(1, from: 30, seconds: 4)
        let results = session.results
        for block in broadcast.blocks { session.matchStreamingBuffer(block.buffer) }
        session.finish()
        var ids: [ReferenceID] = []
        for await result in results {
            if case .match(let match) = result { ids.append(match.references[0].id) }
        }
        #expect(ids.first == "two")
    }

    @Test("How the audio was cut into buffers changes nothing", arguments: [160, 1_024, 24_000])
    func blockSize(size: Int) async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: 5)
        let catalog = try Broadcast.catalog()
        func summary(_ heard: [Broadcast.Heard]) -> [String] {
            heard.map { "\($0.match?.references.map { "\($0.id) \($0.offset) \($0.score)" } ?? [])" }
        }
        let reference = summary(try await broadcast.heard(by: catalog))
        let other = summary(try await broadcast.heard(by: catalog, blocks: broadcast.blocks(of: size)))
        #expect(reference == other)
        #expect(!reference.isEmpty)
    }

    @Test("Silence and noise match nothing, and are no error", .requirements("R-CC-054"))
    func nothing() async throws {
        var broadcast = Broadcast()
        broadcast.silence(5)
        broadcast.noise(9)
        let heard = try await broadcast.heard(by: Broadcast.catalog())
        #expect(heard.count == 1)
        guard case .notMatched(let query)? = heard.first?.event else {
            Issue.record("nothing is to be said but that nothing matched")
            return
        }
        #expect(query.duration.seconds > 1)
    }

    private static func limits(_ minimum: Int64, _ maximum: Int64) -> QueryLimits {
        .init(minimum: MediaTime(value: minimum, timescale: 1), maximum: MediaTime(value: maximum, timescale: 1))
    }

    @Test("That nothing matches is said as soon as a query can last no longer", .requirements("R-CC-054"))
    func shortQueries() async throws {
        var broadcast = Broadcast()
        broadcast.noise(10)
        var catalog = try Broadcast.catalog()
        catalog.queryLimits = Self.limits(2, 4)
        let heard = try await broadcast.heard(by: catalog)
        #expect(heard.map { $0.time.rounded() } == [4, 8])
    }

    @Test("A catalog that takes only long queries is matched once so much has been heard")
    func longQueries() async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 10, seconds: 24)
        var catalog = try Broadcast.catalog()
        catalog.queryLimits = Self.limits(20, 60)
        let first = try #require(try await broadcast.heard(by: catalog).first)
        #expect(first.id == "one")
        #expect(first.time >= 20 && first.time < 21)
    }

    @Test(
        "Played faster, the position runs at the measured speed",
        .requirements("R-CC-066"),
        arguments: [0.90, 0.97, 1.03, 1.10]
    )
    func speed(speed: Double) async throws {
        var broadcast = Broadcast()
        broadcast.play(0, from: 10, seconds: 14, change: .played(speed))
        let heard = try await broadcast.heard(by: Broadcast.catalog())
        let last = try #require(heard.last)
        #expect(last.id == "one")
        let match = try #require(last.match?.references.first)
        #expect(abs(match.speedSkew - (speed - 1)) < 0.002)
        #expect(abs(match.pitchSkew - (speed - 1)) < 0.003)
        let position = try #require(last.position)
        #expect(abs(position - 10 - last.time * speed) < 0.02)
    }
}
