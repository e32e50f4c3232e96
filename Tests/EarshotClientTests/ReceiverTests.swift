import EarshotCore
@testable import EarshotMusic
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotClient

/// Takes results only.
@MainActor
private class Receiver: SearchResultReceiver, FingerprintResultReceiver {
    var results: [Result<SearchResult, EarshotError>] = []
    var fingerprints: [Result<FingerprintResult, EarshotError>] = []
    /// Whether each call so far came on the main queue; an assertion of isolation says nothing in a build for release.
    var isOnMain = true
    private var waiting: CheckedContinuation<Void, Never>?

    func searchResultReady(_ result: Result<SearchResult, EarshotError>) {
        isOnMain = isOnMain && MainQueue.isCurrent
        results.append(result)
        waiting?.resume()
        waiting = nil
    }

    func fingerprintResultReady(_ result: Result<FingerprintResult, EarshotError>) {
        isOnMain = isOnMain && MainQueue.isCurrent
        fingerprints.append(result)
        waiting?.resume()
        waiting = nil
    }

    func next() async {
        let count = results.count + fingerprints.count
        await withCheckedContinuation { waiting = results.count + fingerprints.count > count ? nil : $0 }
    }
}

/// Takes statuses too.
@MainActor
private final class StatusReceiver: Receiver, OperationStatusReceiver {
    var statuses: [OperationStatus] = []
    var onStatus: ((OperationStatus) -> Void)?

    func statusChanged(_ status: OperationStatus) {
        isOnMain = isOnMain && MainQueue.isCurrent
        statuses.append(status)
        onStatus?(status)
    }
}

@Suite("Receivers")
@MainActor
struct ReceiverTests {
    @Test(
        "Results come on the main thread, statuses only to who takes them",
        .requirements("R-MC-022", "R-MC-023", "R-MC-032", "R-MC-031")
    )
    func delivery() async throws {
        let service = try await TestMusic.shared.value.service
        try await ServicePath.inProcess.withClient(
            of: service,
            microphone: TestSource.microphone(),
            files: OperationTests.files
        ) {
            client,
            configuration in
            let samples = try TestMusic.samples()
            let stored = try await client.fingerprint(of: .samples(samples, .stream), configuration).fingerprint
            for (request, phases) in OperationTests.searches + [(.fingerprint(stored), [.querying, .done])] {
                let (plain, curious) = (Receiver(), StatusReceiver())
                client.begin(request, configuration, receiver: curious)
                await curious.next()
                client.begin(request, configuration, receiver: plain)
                await plain.next()
                let seen = curious.statuses.map(\.phase).reduce(into: [OperationPhase]()) {
                    if $0.last != $1 { $0.append($1) }
                }
                #expect(seen == phases)
                #expect(plain.results.count == 1 && curious.results.count == 1)
                let told2 = try plain.results.first?.get()
                let other = try curious.results.first?.get()
                #expect(told2 == other)
                #expect(plain.isOnMain && curious.isOnMain, "\(request.kind)")
            }
            let file = URL(fileURLWithPath: "/music/lantern.wav")
            for request in [FingerprintRequest.microphone, .samples(samples, .stream), .file(file)] {
                let (plain, curious) = (Receiver(), StatusReceiver())
                client.beginFingerprint(of: request, configuration, receiver: curious)
                await curious.next()
                client.beginFingerprint(of: request, configuration, receiver: plain)
                await plain.next()
                let told3 = try plain.fingerprints.first?.get().text.isEmpty
                #expect(told3 == false && plain.fingerprints.count == 1 && curious.fingerprints.count == 1)
                #expect(curious.statuses.last?.phase == .done)
                #expect(plain.isOnMain && curious.isOnMain, "\(request.kind)")
            }
        }
    }

    @Test(
        "Who began an operation cancels it, and hears nothing but that",
        .requirements("R-MC-044", "R-MC-047", "R-MC-050", "R-MC-051")
    )
    func cancelling() async throws {
        let barrier = Barrier()
        let service = FakeService { _, _ throws(EarshotError) in
            await barrier.pass()
            return [MusicMatch("t1")]
        }
        try await ServicePath.inProcess.withClient(of: service, microphone: TestSource.microphone()) {
            client,
            configuration in
            let (first, second) = (StatusReceiver(), StatusReceiver())
            client.cancel(first)
            client.begin(.track("a"), configuration, receiver: first)
            client.begin(.track("b"), configuration, receiver: second)
            await barrier.arrivals(2)
            client.cancel(first)
            let told = first.statuses.count
            barrier.open()
            if first.results.isEmpty { await first.next() }
            if second.results.isEmpty { await second.next() }
            #expect(first.statuses.count == told)
            guard case .failure(let error) = first.results.first else {
                Issue.record("a match came after canceling")
                return
            }
            #expect(error.code == .cancelled && first.results.count == 1)
            let told4 = try second.results.first?.get().best?.track.id
            #expect(told4 == "t1")
            client.cancel(first)
            #expect(first.results.count == 1)
        }
    }
}
