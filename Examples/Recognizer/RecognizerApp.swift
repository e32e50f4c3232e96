import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotMedia
import EarshotRecognition
import Foundation

/// Runs operations and shows what they tell.
@MainActor
final class RecognizerApp {
    let client: RecognitionClient
    let configuration: ClientConfiguration
    private let history: any HistoryStore
    private let loader: ContentLoader
    private let draw: (Screen) -> Void
    private(set) var screen: Screen
    private var running: (any Cancelling)?
    private var demonstration: Task<Void, Never>?

    /// Whether there is a way to have a debug log. What is delivered is built for release, and has none: the key of the
    /// configuration that asks for one then has no effect.
    nonisolated static var offersDebugLog: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// - Parameters:
    ///   - history: Keeps what was recognized; for as long as the program runs where none is given.
    ///   - debugLog: Takes lines for developers, of operations whose configuration asks for them. Builds for release never
    ///     call it.
    ///   - draw: Shows a screen.
    init(
        service: any RecognitionService,
        configuration: ClientConfiguration,
        microphone: RecognitionClient.Microphone?,
        language: String = "en",
        history: any HistoryStore = MemoryHistoryStore(),
        debugLog: RecognitionClient.DebugLog? = nil,
        draw: @escaping (Screen) -> Void
    ) {
        self.history = history
        self.configuration = configuration
        self.draw = draw
        screen = Screen(language: language)
        client = RecognitionClient(
            service: service,
            microphone: microphone,
            files: { try await AssetReader.recording($0) },
            cache: ResultCache(),
            history: StoredHistory(history),
            debugLog: Self.offersDebugLog ? debugLog : nil
        )
        loader = ContentLoader(service: service, configuration: configuration)
    }

    /// Wants no more of what is under way.
    func cancel() {
        guard let running else { return }
        tell(.cancelled)
        running.cancel()
    }

    func tell(_ event: Screen.Event) {
        screen.apply(event)
        draw(screen)
    }

    /// Takes a key. The demonstration goes on by itself for as long as it is open.
    func press(_ key: Screen.Key) {
        tell(.pressed(key))
        guard screen.help?.page == .demonstration, demonstration == nil else { return }
        demonstration = Task { [weak self] in
            while self?.screen.help?.page == .demonstration {
                try? await MediaClock.system.sleep(until: MediaClock.system.now + MediaTime(value: 1, timescale: 1))
                if self?.screen.help?.page == .demonstration { self?.tell(.step) }
            }
            self?.demonstration = nil
        }
    }

    /// Finds something.
    @discardableResult
    func find(_ request: SearchRequest, as job: Screen.Job) async -> SearchResult? {
        guard job != .microphone || screen.canRecord else { return nil }
        tell(.began(job))
        let operation = client.begin(request, configuration)
        running = operation
        let spinner = Task { [weak self] in
            while !Task.isCancelled {
                try await MediaClock.system.sleep(until: MediaClock.system.now + MediaTime(value: 1, timescale: 8))
                guard let self, self.screen.status?.phase == .querying else { continue }
                self.tell(.tick)
            }
        }
        defer {
            spinner.cancel()
            running = nil
        }
        var found: SearchResult?
        for await event in operation.events {
            switch event {
            case .status(let status): tell(.status(status))
            case .finished(let outcome):
                found = try? outcome.get()
                // Titles first; covers come behind.
                tell(.finished(outcome))
            }
        }
        await loadCovers(found)
        return found
    }

    /// Keeps a fingerprint of samples.
    func fingerprint(_ samples: PCMBuffer) async -> Fingerprint? {
        tell(.began(.fingerprint))
        let operation = client.beginFingerprint(of: .samples(samples, .stream), configuration)
        running = operation
        defer { running = nil }
        let outcome = await operation.outcome
        tell(.fingerprint(outcome))
        return try? outcome.get().fingerprint
    }

    /// Recognizes several files at the same time, no more of them pending than the cap says.
    func find(files: [URL], gate: RequestLimiter = RequestLimiter()) async -> [(URL, SearchResult?)] {
        tell(.began(.files))
        let (client, configuration) = (client, configuration)
        let results = await withTaskGroup(of: (Int, SearchResult?).self) { group in
            for (index, file) in files.enumerated() {
                guard (try? await gate.enter()) != nil else { break }
                group.addTask {
                    defer { gate.leave() }
                    return (index, try? await client.result(of: .file(file), configuration))
                }
            }
            var results = [SearchResult?](repeating: nil, count: files.count)
            for await (index, result) in group { results[index] = result }
            return results
        }
        tell(.finished(.success(SearchResult(results.compactMap { $0?.best }))))
        return Array(zip(files, results))
    }

    /// Shows what was recognized so far.
    func showHistory() async {
        tell(.began(.history))
        let entries = (try? await history.entries(offset: 0, limit: 20)) ?? []
        tell(.finished(.success(SearchResult(entries.map(\.match)))))
    }

    private func loadCovers(_ result: SearchResult?) async {
        for (index, match) in (result?.matches ?? []).enumerated() {
            guard let image = try? await loader.coverArt(of: match) else { continue }
            tell(.cover(index, bytes: image.data.count, mimeType: image.mimeType))
        }
    }
}

/// What can be cancelled, whatever its result.
protocol Cancelling: Sendable {
    func cancel()
}

extension ServiceOperation: Cancelling {}
