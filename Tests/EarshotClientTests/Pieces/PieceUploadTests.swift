import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotClient

@Suite("Sending pieces over bad connections")
struct PieceUploadTests {
    @Test("A connection that is cut goes on where it was", .requirements("R-PC-076"))
    func resumes() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service) { $0.uploadSize = 2_000_000 }
            service.fail(.put(.stem), .cutRequest(after: 500_000))
            let flow = client.dropFlow(try PieceSamples.draft(), TestProviders.all(stemSize: 1_000_000))
            let piece = try await flow.piece
            let puts = service.exchanges(.put(.stem))
            #expect(
                puts.map { $0.headers["content-range"] } == [
                    "bytes 0-999999/1000000", "bytes 500000-999999/1000000",
                ]
            )
            #expect(puts.map(\.size) == [500_000, 500_000])
            #expect(service.exchanges(.state(.stem)).count == 1)
            let shares = await flow.all().compactMap { event -> Double? in
                if case .uploading(.stem, let share) = event { share } else { nil }
            }
            #expect(shares == [0, 0.5, 1])
            #expect(try await client.audio(of: piece.id) == PieceSamples.sound(.wave, 1_000_000))
        }
    }

    @Test("A part goes in requests of some size")
    func sizes() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service) { $0.uploadSize = 1_000 }
            try await client.drop(try PieceSamples.draft(), TestProviders())
            #expect(
                service.exchanges(.put(.stem)).map { $0.headers["content-range"] } == [
                    "bytes 0-999/3000", "bytes 1000-1999/3000", "bytes 2000-2999/3000",
                ]
            )
        }
    }

    /// A place of a drop at which its connection breaks.
    enum Break: String, CaseIterable, Sendable {
        case token, beforeCreation, answerToCreation, begin, half, state, answerToLastByte, attachment
        case beforePublishing, answerToPublishing

        var spot: PieceServiceDouble.Spot {
            switch self {
            case .token: .tokens
            case .beforeCreation, .answerToCreation: .create
            case .begin, .half, .answerToLastByte: .put(.stem)
            case .state: .state(.stem)
            case .attachment: .put(.attachment)
            case .beforePublishing, .answerToPublishing: .publish
            }
        }

        var fault: PieceServiceDouble.Fault {
            switch self {
            case .token, .beforeCreation, .begin, .state, .beforePublishing: .ignored
            case .half: .cutRequest(after: 1_500)
            case .attachment: .cutRequest(after: 100)
            case .answerToCreation, .answerToLastByte, .answerToPublishing: .lost
            }
        }
    }

    @Test(
        "A connection that breaks once does not stop a drop, wherever it does",
        .requirements("R-PC-076", "R-PC-077"),
        arguments: Break.allCases
    )
    func once(place: Break) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            // How far it is is asked only after another break.
            if place == .state { service.fail(.put(.stem), .cutRequest(after: 700)) }
            service.fail(place.spot, place.fault)
            let providers = TestProviders.all()
            let piece = try await client.drop(try PieceSamples.draft(), providers)
            #expect(providers.closings == [true])
            #expect(service.published.map(\.id) == [piece.id])
            #expect(service.entryCount == 1)
            #expect(try await client.audio(of: piece.id) == PieceSamples.sound(.wave, 3_000))
            // Nothing that had arrived was sent again.
            let sent = service.exchanges(.put(.stem)).map(\.size).reduce(0, +)
            #expect(sent == 3_000)
        }
    }

    @Test(
        "A connection that always breaks ends a drop cleanly, wherever it does",
        .requirements("R-PC-077", "R-PC-070"),
        arguments: Break.allCases
    )
    func always(place: Break) async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            // Nothing that is new arrives.
            let fault: PieceServiceDouble.Fault =
                place == .half || place == .attachment ? .cutRequest(after: 0) : place.fault
            if place == .state { service.failAlways(.put(.stem), .ignored) }
            service.failAlways(place.spot, fault)
            let providers = TestProviders.all()
            let flow = client.dropFlow(try PieceSamples.draft(), providers)
            if place == .answerToLastByte {
                // The service says itself that all is there.
                _ = try await flow.piece
                #expect(providers.closings == [true] && service.published.count == 1)
                return
            }
            let error = await flow.failure()
            let isEarly = [.token, .beforeCreation, .answerToCreation].contains(place)
            #expect(error?.code == (isEarly ? .networkUnavailable : .retriesExhausted))
            #expect(providers.closings == [false])
            #expect(service.published.isEmpty)
            #expect(service.entryCount == 0 && flow.leftover == nil)
            // How far it is is asked after the first break.
            #expect(service.exchanges(place.spot).count == (place == .state ? 3 : 4))
        }
    }

    @Test("A service that is gone is told at once", .requirements("R-PC-077"))
    func gone() async throws {
        let service = try await PieceServiceDouble()
        let client = try await PieceSamples.client(service)
        await service.stop()
        let providers = TestProviders()
        let flow = client.dropFlow(try PieceSamples.draft(), providers)
        #expect(await flow.failure()?.code == .networkUnavailable)
        #expect(providers.closings == [false] && providers.drafts.isEmpty)
    }

    @Test("Bytes that are damaged on their way are sent once more, and no oftener")
    func damaged() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            service.fail(.put(.stem), .damaged)
            let piece = try await client.drop(try PieceSamples.draft(), TestProviders())
            #expect(try await client.audio(of: piece.id) == PieceSamples.sound(.wave, 3_000))
            service.failAlways(.put(.stem), .damaged)
            let flow = client.dropFlow(try PieceSamples.draft(), TestProviders())
            #expect(await flow.failure()?.code == .uploadFailed)
            let shares = await flow.all().compactMap { event -> Double? in
                if case .uploading(_, let share) = event { share } else { nil }
            }
            #expect(shares == shares.sorted() && !shares.contains(1))
            #expect(service.entryCount == 1)
        }
    }

    @Test("A service that tells nonsense of an upload is not believed")
    func nonsense() async throws {
        try await PieceServiceDouble.with { service in
            let client = try await PieceSamples.client(service)
            for received in [-1, 3_001] {
                let state = UploadState(id: "u1", kind: .stem, size: 3_000, received: received, isComplete: false)
                service.state.withLock { $0.uploads = [:] }
                service.fail(.put(.stem), .answer(status: 200, body: PieceServiceDouble.json(state).body))
                let flow = client.dropFlow(try PieceSamples.draft(), TestProviders())
                #expect(await flow.failure()?.code == .malformedResponse)
            }
            // One that never has what was sent is not asked for ever.
            let stuck = UploadState(id: "u1", kind: .stem, size: 3_000, received: 0, isComplete: false)
            service.state.withLock { $0.uploads = [:] }
            service.failAlways(.put(.stem), .answer(status: 200, body: PieceServiceDouble.json(stuck).body))
            let flow = client.dropFlow(try PieceSamples.draft(), TestProviders())
            #expect(await flow.failure()?.code == .retriesExhausted)
        }
    }

    @Test("Steps may come in any order: the app is told of the end once", .requirements("R-PC-072", "R-PC-075"))
    func machine() {
        let events: [DropState.Event] = [
            .validated(needsLogin: true), .validated(needsLogin: false), .loggedIn, .rendered, .uploaded, .published,
            .failed, .cancelled,
        ]
        property("drop events", rounds: 500) { generator in
            var (state, closings) = (DropState(), [DropState.Step]())
            var wished: DropState.Phase?
            for _ in 0..<25 {
                let (before, event) = (state.phase, events.randomElement(using: &generator) ?? .failed)
                if event == .cancelled, wished == nil { wished = before }
                let step = state.handle(event)
                if case .close = step { closings.append(step) }
                // By one step of the table, or by two where a wish to cancel was kept.
                let isKept = before == .validating && state.phase == .cancelled
                guard before == state.phase || before.followers.contains(state.phase) || isKept else { return false }
                if step == .wait, before != state.phase { return false }
            }
            guard closings.count == (state.phase.isFinal ? 1 : 0) else { return false }
            if case .close(let succeeded)? = closings.first {
                guard succeeded == (state.phase == .done) else { return false }
            }
            // Whoever wanted no more of it before the end began has none.
            return wished.map { [.finishing, .done].contains($0) || state.phase != .done } ?? true
        }
    }
}
