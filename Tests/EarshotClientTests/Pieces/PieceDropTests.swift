import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

/// The same for a drop from the app's own interface and from a share sheet.
@Suite("Dropping pieces")
struct PieceDropTests {
    @Test(
        "A drop with everything comes to its end, step by step",
        .requirements("R-PC-073", "R-PC-070", "R-PC-078", "R-PC-083", "R-PC-090", "R-PC-055"),
        arguments: DropEntry.allCases
    )
    func everything(entry: DropEntry) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service) { $0.uploadSize = 700 }
            let parent = service.publish(try PieceSamples.draft(), parts: [])
            let draft = try PieceSamples.draft(basedOn: [parent.id])
            let providers = TestProviders.all()
            let flow = entry.begin(client, draft, providers, description: "Made at night.", visibility: .unlisted)
            let events = await flow.all()
            let piece = try await flow.piece
            #expect(providers.closings == [true])
            #expect(providers.drafts == Array(repeating: draft, count: 5))
            // The steps, each once and in order.
            var phases: [DropState.Phase] = []
            for event in events where phases.last != event.phase { phases.append(event.phase) }
            #expect(phases == [.validating, .rendering, .uploading, .finishing, .done])
            let rendered = events.compactMap { if case .rendering(let part) = $0 { part } else { nil } }
            #expect(rendered == [.stem, .preview, .cover, .attachment])
            for part in PartKind.allCases {
                let shares = events.compactMap { event -> Double? in
                    if case .uploading(part, let share) = event { share } else { nil }
                }
                #expect(shares.first == 0 && shares.last == 1 && shares == shares.sorted(), "\(part)")
                #expect(shares.count >= 3, "\(part)")
            }
            // What is published is what was given.
            #expect(piece.title == draft.title && piece.length == draft.length && piece.tempo == draft.tempo)
            #expect(piece.loop == draft.loop && piece.timeSignature == draft.timeSignature)
            #expect(piece.basedOn == [parent.id] && piece.tonality == draft.tonality)
            #expect(piece.description == "Made at night." && piece.visibility == .unlisted)
            #expect(piece.hasCover && piece.hasPreview && piece.attachmentName == "song.xyz")
            #expect(try await client.fetch(piece.id) == piece)
            #expect(service.exchanges.allSatisfy { $0.spot != .unknown })
        }
    }

    @Test(
        "Nobody is asked but the service, wherever its answers point",
        .requirements("R-PC-009"),
        arguments: DropEntry.allCases
    )
    func alone(entry: DropEntry) async throws {
        try await PieceServiceDouble.with { other in
            try await PieceServiceDouble.with { service in
                // The addresses in its answers are those of somebody else.
                let port = try #require(other.url.port)
                service.state.withLock { $0.port = port }
                let client = try await PieceSamples.client(service)
                let piece = try await entry.begin(client, try PieceSamples.draft(), TestProviders.all()).piece
                #expect(piece.address.port == port)
                let opened = try await client.open(piece.id)
                _ = try await opened.audio()
                _ = try await opened.audio(kind: .preview)
                _ = try await opened.cover()
                _ = try await opened.attachment()
                _ = try await client.search(PieceQuery())
                _ = try await client.ancestors(of: piece.id)
                // What sends elsewhere is not followed.
                let place = "\(other.url)/v1/pieces/\(piece.id)"
                let elsewhere = PieceServiceDouble.Fault.answer(
                    status: 307,
                    body: Data(),
                    headers: [("location", place)]
                )
                service.fail(.fetch, elsewhere)
                await #expect(throws: EarshotError.self) { try await client.fetch(piece.id) }
                service.fail(.audio, elsewhere)
                await #expect(throws: EarshotError.self) { try await client.audio(of: piece.id) }
                for spot in [PieceServiceDouble.Spot.create, .put(.stem), .publish] {
                    service.fail(spot, elsewhere)
                    let error = await entry.begin(client, try PieceSamples.draft(), TestProviders()).failure()
                    #expect(error?.code == (spot == .put(.stem) ? .uploadFailed : .serviceFailure))
                }
                #expect(other.exchanges.isEmpty)
            }
        }
    }

    @Test(
        "The mix stem alone is enough, and is sent once",
        .requirements("R-PC-054", "R-PC-059", "R-PC-061", "R-PC-063", "R-PC-053"),
        arguments: DropEntry.allCases
    )
    func stemAlone(entry: DropEntry) async throws {
        struct Least: DropProviders {
            func mixStem(for draft: PieceDraft) async throws -> AudioBundle {
                try AudioBundle(.wave, PieceSamples.sound(.wave, 3_000))
            }
        }
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            for providers in [Least(), TestProviders()] as [any DropProviders] {
                let before = service.exchanges.count
                let piece = try await entry.begin(client, try PieceSamples.draft(), providers).piece
                #expect(!piece.hasCover && !piece.hasPreview && piece.attachmentName == nil)
                let puts = service.exchanges.dropFirst(before).filter { $0.method == "PUT" }
                #expect(puts.map(\.spot) == [.put(.stem)])
                #expect(puts.map(\.size) == [3_000])
            }
        }
    }

    @Test("Sound of every format is sent as it is", .requirements("R-PC-068"), arguments: StemFormat.allCases)
    func formats(format: StemFormat) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let sound = PieceSamples.sound(format, 9_000)
            let piece = try await client.drop(
                try PieceSamples.draft(),
                TestProviders(stem: { _ in try AudioBundle(format, sound) })
            )
            #expect(try await client.audio(of: piece.id) == sound)
            #expect(service.exchanges(.put(.stem)).first?.headers["content-type"] == format.mediaType)
            let entry = service.state.withLock { $0.entries[piece.id] }
            #expect(entry?.creation.parts.first?.format == format)
        }
    }

    @Test("An attachment of any kind comes back byte for byte", .requirements("R-PC-065"), arguments: [0, 1, 100_000])
    func attachments(count: Int) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service) { $0.uploadSize = 1 << 14 }
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 7) })
            let piece = try await client.drop(
                try PieceSamples.draft(),
                TestProviders(attachment: { _ in try AttachmentBundle(fileName: "a.none-such", bytes: bytes) })
            )
            #expect(piece.attachmentName == "a.none-such")
            #expect(try await client.attachment(of: piece.id) == bytes)
            #expect(try await client.open(piece.id).attachment() == bytes)
        }
    }

    @Test("A drop without interface gives the piece and its address", .requirements("R-PC-074"))
    func headless() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let piece = try await client.drop(try PieceSamples.draft(), TestProviders())
            #expect(piece.address.absoluteString == "\(service.url)/pieces/\(piece.id)")
            #expect(service.published.map(\.id) == [piece.id])
        }
    }

    // MARK: - Providers

    @Test("An app may take its time", .requirements("R-PC-056"), arguments: DropEntry.allCases)
    func slow(entry: DropEntry) async throws {
        try await PieceServiceDouble.with { service in
            let clock = ManualClock()
            let client = try await PieceSamples.client(service) { configuration in
                configuration.options.clock = clock.clock
                configuration.options.requestLimit = .indefinite
            }
            let providers = TestProviders(
                stem: { _ in
                    try await clock.clock.sleep(until: clock.now + MediaTime(value: 10, timescale: 1))
                    return try AudioBundle(.wave, PieceSamples.sound(.wave, 3_000))
                },
                cover: { _ in try CoverImage(PieceSamples.cover()) }
            )
            let flow = entry.begin(client, try PieceSamples.draft(), providers)
            await flow.wait(for: .rendering)
            // The app's own wait, and the limit.
            while clock.sleeperCount < 2 { await Task.yield() }
            clock.advance(by: 10)
            #expect(try await flow.piece.hasCover)
            #expect(providers.closings == [true])
        }
    }

    @Test(
        "An app that never gives a part ends the drop after the limit",
        .requirements("R-PC-057", "R-PC-070"),
        arguments: DropEntry.allCases,
        PartKind.allCases
    )
    func endless(entry: DropEntry, part: PartKind) async throws {
        try await PieceServiceDouble.with { service in
            let clock = ManualClock()
            let client = try await PieceSamples.client(service) { configuration in
                configuration.options.clock = clock.clock
                configuration.options.requestLimit = .indefinite
            }
            // It does not notice that it is canceled either.
            let never = FirstValue<Void>()
            let providers = TestProviders(
                stem: { _ in
                    if part == .stem { await never.value }
                    return try AudioBundle(.wave, PieceSamples.sound(.wave, 3_000))
                },
                preview: { _ in
                    if part == .preview { await never.value }
                    return nil
                },
                cover: { _ in
                    if part == .cover { await never.value }
                    return nil
                },
                attachment: { _ in
                    if part == .attachment { await never.value }
                    return nil
                }
            )
            let flow = entry.begin(client, try PieceSamples.draft(), providers)
            for await event in flow {
                if case .rendering(part) = event { break }
            }
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: 119)
            #expect(flow.phase == .rendering)
            clock.advance(by: 1.5)
            let error = await flow.failure()
            #expect(error?.code == .providerTimedOut)
            #expect(error?.message.contains(part.rawValue) == true)
            #expect(providers.closings == [false])
            #expect(service.exchanges(.create).isEmpty)
            never.settle(())
        }
    }

    @Test("The limit for a part is the one that was set", .requirements("R-PC-057"))
    func limit() async throws {
        try await PieceServiceDouble.with { service in
            let clock = ManualClock()
            let client = try await PieceSamples.client(service) { configuration in
                configuration.options.clock = clock.clock
                configuration.options.requestLimit = .indefinite
                configuration.providerLimit = MediaTime(value: 7, timescale: 1)
            }
            let never = FirstValue<Void>()
            let providers = TestProviders(
                stem: { _ in
                    await never.value
                    return try AudioBundle(.wave, PieceSamples.sound(.wave, 3_000))
                }
            )
            let flow = client.dropFlow(try PieceSamples.draft(), providers)
            await flow.wait(for: .rendering)
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: 6.5)
            #expect(flow.phase == .rendering)
            clock.advance(by: 1)
            #expect(await flow.failure()?.code == .providerTimedOut)
            never.settle(())
        }
    }

    @Test(
        "What an app says is wrong reaches its user",
        .requirements("R-PC-058"),
        arguments: DropEntry.allCases,
        PartKind.allCases
    )
    func failing(entry: DropEntry, part: PartKind) async throws {
        struct Words: LocalizedError { var errorDescription: String? { "The mixer has no channels." } }
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let providers = TestProviders(
                stem: { _ in
                    if part == .stem { throw Words() }
                    return try AudioBundle(.wave, PieceSamples.sound(.wave, 3_000))
                },
                preview: { _ in if part == .preview { throw Words() } else { nil } },
                cover: { _ in if part == .cover { throw Words() } else { nil } },
                attachment: { _ in if part == .attachment { throw Words() } else { nil } }
            )
            let flow = entry.begin(client, try PieceSamples.draft(), providers)
            guard case .failed(let error) = await flow.all().last else {
                Issue.record("The drop did not fail.")
                return
            }
            #expect(error.code == .providerFailed)
            #expect(error.message.contains("The mixer has no channels."))
            #expect(providers.closings == [false])
            #expect(service.entryCount == 0)
        }
    }

    @Test("A rule about parts that an app runs into keeps its code", .requirements("R-PC-053", "R-PC-062"))
    func rules() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            func code(_ providers: TestProviders) async throws -> EarshotError.Code? {
                await client.dropFlow(try PieceSamples.draft(), providers).failure()?.code
            }
            var small = PieceSamples.cover()
            small[19] = 0x7F
            let image = small
            #expect(try await code(TestProviders(cover: { _ in try CoverImage(image) })) == .coverSizeInvalid)
            #expect(
                try await code(TestProviders(stem: { _ in throw EarshotError(.stemMissing, "There is no sound.") }))
                    == .stemMissing
            )
            #expect(
                try await code(TestProviders(stem: { _ in try AudioBundle(.wave, Data("text".utf8)) })) == .pieceInvalid
            )
            // Other errors of this package are the app's own here.
            #expect(
                try await code(TestProviders(stem: { _ in throw EarshotError(.readFailed, "The file ends.") }))
                    == .providerFailed
            )
            // A service that misses the stem says so.
            let missing = PieceServiceDouble.failure(.stemMissing, 409)
            service.fail(.publish, .answer(status: missing.status, body: missing.body))
            #expect(try await code(TestProviders()) == .stemMissing)
            #expect(service.entryCount == 0)
        }
    }

    @Test("What takes too long is asked again, and is published once", .requirements("R-PC-077"))
    func repeated() async throws {
        try await PieceServiceDouble.with { service in
            let clock = ManualClock()
            let client = try await PieceSamples.client(service) { configuration in
                configuration.options.clock = clock.clock
                configuration.options.requestLimit = MediaTime(value: 30, timescale: 1)
            }
            service.fail(.publish, .held)
            let flow = client.dropFlow(try PieceSamples.draft(), TestProviders())
            await service.waitForHeld()
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: 31)
            let piece = try await flow.piece
            service.release()
            #expect(service.exchanges(.publish).count == 2)
            #expect(service.published.map(\.id) == [piece.id])
        }
    }

    @Test("Parts are given as files", .requirements("R-PC-065", "R-PC-068"))
    func files() async throws {
        try await PieceServiceDouble.with { service in
            try await withTemporaryFolder { folder in
                let (sound, song) = (folder.appendingPathComponent("a.WAV"), folder.appendingPathComponent("a.xyz"))
                try PieceSamples.sound(.wave, 50_000).write(to: sound)
                try Data("a song".utf8).write(to: song)
                let client = try await PieceSamples.client(service) { $0.uploadSize = 20_000 }
                let providers = TestProviders(
                    stem: { _ in try AudioBundle(contentsOf: sound) },
                    attachment: { _ in try AttachmentBundle(contentsOf: song) }
                )
                let piece = try await client.drop(try PieceSamples.draft(), providers)
                let back = try await client.audio(of: piece.id)
                #expect(back == PieceSamples.sound(.wave, 50_000))
                #expect(piece.attachmentName == "a.xyz")
                #expect(service.exchanges(.put(.stem)).map(\.size) == [20_000, 20_000, 10_000])
            }
        }
    }
}
