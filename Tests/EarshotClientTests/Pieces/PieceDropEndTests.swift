import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

/// Drops that are refused, canceled, or fail: what is told, and what is left.
@Suite("Drops that end early")
struct PieceDropEndTests {
    @Test("What the service refuses is told by its code, and leaves nothing")
    func refused() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let orphan = try PieceSamples.draft(basedOn: [PieceID()])
            let providers = TestProviders()
            let flow = client.dropFlow(orphan, providers)
            #expect(await flow.failure()?.code == .unknownParent)
            #expect(providers.closings == [false])
            // It has nothing that is to be removed.
            #expect(service.exchanges(.remove).isEmpty)
            let uploads = Data(#"{"id":"\#(PieceID())","uploads":[],"warnings":[]}"#.utf8)
            service.fail(.create, .answer(status: 201, body: uploads))
            #expect(
                await client.dropFlow(try PieceSamples.draft(), providers).failure()?.code == .malformedResponse
            )
            service.fail(.create, .answer(status: 500, body: Data()))
            #expect(await client.dropFlow(try PieceSamples.draft(), providers).failure()?.code == .serviceFailure)
            service.fail(.put(.stem), .answer(status: 500, body: Data()))
            #expect(await client.dropFlow(try PieceSamples.draft(), providers).failure()?.code == .uploadFailed)
            #expect(service.entryCount == 0)
        }
    }

    @Test("A drop that is not wanted any more is cancelled with its task", .requirements("R-PC-072", "R-PC-077"))
    func task() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let providers = TestProviders()
            let draft = try PieceSamples.draft()
            service.fail(.put(.stem), .held)
            let task = Task { try await client.drop(draft, providers) }
            await service.waitForHeld()
            task.cancel()
            let error = await #expect(throws: EarshotError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(providers.closings == [false])
            #expect(service.entryCount == 0)
        }
    }

    @Test(
        "What cannot be removed is told by its identifier",
        .requirements("R-PC-077"),
        arguments: DropEntry.allCases
    )
    func leftover(entry: DropEntry) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            service.failAlways(.publish, .ignored)
            service.failAlways(.remove, .answer(status: 500, body: Data()))
            let failing = entry.begin(client, try PieceSamples.draft(), TestProviders())
            let error = await failing.failure()
            #expect(error?.code == .retriesExhausted)
            let first = try #require(failing.leftover)
            #expect(error?.message.contains("\(first)") == true)
            service.fail(.put(.stem), .held)
            let cancelled = entry.begin(client, try PieceSamples.draft(), TestProviders())
            await service.waitForHeld()
            cancelled.cancel()
            let end = await cancelled.failure()
            let second = try #require(cancelled.leftover)
            #expect(end?.code == .cancelled && end?.message.contains("\(second)") == true)
            #expect(service.state.withLock { Set($0.entries.keys) } == [first, second])
            // Later it can be.
            service.failAlways(.remove, nil)
            for piece in [first, second] { try await client.remove(piece) }
            #expect(service.entryCount == 0)
            let clean = entry.begin(client, try PieceSamples.draft(), TestProviders())
            #expect(await clean.failure()?.code == .retriesExhausted)
            #expect(clean.leftover == nil && service.entryCount == 0)
        }
    }

    @Test("A removal that takes too long is told as well", .requirements("R-PC-077"))
    func slowRemoval() async throws {
        try await PieceServiceDouble.with { service in
            let clock = ManualClock()
            let client = try await PieceSamples.client(service) { configuration in
                configuration.options.clock = clock.clock
                configuration.options.requestLimit = .indefinite
            }
            service.fail(.put(.stem), .answer(status: 500, body: Data()))
            service.fail(.remove, .held)
            let flow = client.dropFlow(try PieceSamples.draft(), TestProviders())
            await service.waitForHeld()
            let time = Task {
                while !Task.isCancelled {
                    clock.advance(by: 11)
                    await Task.yield()
                }
            }
            let error = await flow.failure()
            time.cancel()
            let piece = try #require(flow.leftover)
            #expect(error?.code == .uploadFailed && error?.message.contains("\(piece)") == true)
            #expect(service.state.withLock { $0.entries.keys.contains(piece) })
            service.release()
        }
    }

    @Test(
        "Canceling at any step closes once and leaves nothing",
        .requirements("R-PC-072", "R-PC-077", "R-PC-070"),
        arguments: DropEntry.allCases,
        ["validating", "login", "rendering", "creating", "uploading", "last part"]
    )
    func cancelled(entry: DropEntry, step: String) async throws {
        try await PieceServiceDouble.with { service in
            let never = FirstValue<Void>()
            let account = step == "login" ? nil : PieceAccount(user: "user-1", author: "Ada")
            let client = try await PieceSamples.client(service, account: account) { configuration in
                configuration.login = BrowserLogin { _ in nil }
            }
            let providers = TestProviders(
                stem: { _ in
                    if step == "rendering" { await never.value }
                    return try AudioBundle(.wave, PieceSamples.sound(.wave, 3_000))
                },
                attachment: { _ in try AttachmentBundle(fileName: "a", bytes: Data(count: 100)) }
            )
            let spots: [String: PieceServiceDouble.Spot] = [
                "validating": .tokens, "creating": .create, "uploading": .put(.stem), "last part": .put(.attachment),
            ]
            if let spot = spots[step] { service.fail(spot, .held) }
            let flow = entry.begin(client, try PieceSamples.draft(), providers)
            if spots[step] != nil {
                await service.waitForHeld()
            } else {
                await flow.wait(for: step == "login" ? .waitingForLogin : .rendering)
            }
            flow.cancel()
            flow.cancel()
            // What the service does late is seen too.
            if step == "creating" { service.release() }
            guard case .cancelled = await flow.all().last else {
                Issue.record("The drop was not canceled.")
                return
            }
            #expect(await flow.failure()?.code == .cancelled)
            #expect(flow.phase == .cancelled)
            #expect(providers.closings == [false])
            #expect(service.entryCount == 0)
            service.release()
            #expect(try await client.search(PieceQuery()).pieces.isEmpty)
            never.settle(())
        }
    }

    @Test("What is being published can no longer be cancelled", .requirements("R-PC-072"))
    func late() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            let providers = TestProviders()
            service.fail(.publish, .held)
            let flow = client.dropFlow(try PieceSamples.draft(), providers)
            await service.waitForHeld()
            flow.cancel()
            #expect(flow.phase == .finishing)
            service.release()
            _ = try await flow.piece
            #expect(providers.closings == [true])
            flow.cancel()
            #expect(flow.phase == .done && service.published.count == 1)
        }
    }
}
