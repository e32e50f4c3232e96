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
    /// The files that were answered last, up to three pages of them.
    private(set) var recent: [Answered] = []
    /// How many files of the last run were recognized.
    private(set) var matchedFiles = 0
    private var running: (any Cancelling)?
    /// What was asked for last, to ask for it again.
    private var last: (request: SearchRequest, job: Screen.Job)?
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
    ///   - feedback: Tells the user that a recording is over.
    ///   - debugLog: Takes lines for developers, of operations whose configuration asks for them. Builds for release never
    ///     call it.
    ///   - draw: Shows a screen.
    init(
        service: any RecognitionService,
        configuration: ClientConfiguration,
        microphone: RecognitionClient.Microphone?,
        language: String = "en",
        history: any HistoryStore = MemoryHistoryStore(),
        feedback: (any RecordingFeedback)? = nil,
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
            feedback: feedback,
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
        last = (request, job)
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

    /// Makes the last request again, where the screen offers that.
    @discardableResult
    func findAgain() async -> SearchResult? {
        guard screen.offersRetry, let last else { return nil }
        return await find(last.request, as: last.job)
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

    /// A file of several, with its place among them and what was found.
    struct Answered: Sendable {
        let place: Int
        let file: URL
        let result: SearchResult?
    }

    /// Recognizes several files at the same time, no more of them pending than the cap says. Those that are answered next make a page of
    /// five that is shown; however many files there are, results of three pages are kept.
    ///
    /// - Returns: The last files that were answered, up to fifteen, with what was found.
    func find(files: [URL], gate: RequestLimiter = RequestLimiter()) async -> [Answered] {
        tell(.began(.files))
        (recent, matchedFiles) = ([], 0)
        let (client, configuration) = (client, configuration)
        await withTaskGroup(of: Answered.self) { group in
            for (place, file) in files.enumerated() {
                guard (try? await gate.enter()) != nil else { break }
                group.addTask {
                    defer { gate.leave() }
                    let result = try? await client.result(of: .file(file), configuration)
                    return Answered(place: place, file: file, result: result)
                }
                // There was room because one has been answered; a group would keep its result to the end.
                if place >= gate.capacity, let answered = await group.next() { take(answered) }
            }
            for await answered in group { take(answered) }
        }
        if recent.isEmpty || !recent.count.isMultiple(of: ResultPager.pageSize) { showFiles() }
        return recent
    }

    private func take(_ answered: Answered) {
        // A page stays on the screen when the next one begins.
        let isNewPage = recent.count.isMultiple(of: ResultPager.pageSize)
        if isNewPage, !recent.isEmpty { tell(.began(.files)) }
        if recent.count == 3 * ResultPager.pageSize { recent.removeFirst(ResultPager.pageSize) }
        recent.append(answered)
        if answered.result?.best != nil { matchedFiles += 1 }
        if recent.count.isMultiple(of: ResultPager.pageSize) { showFiles() }
    }

    /// Shows the page of files that was answered last.
    private func showFiles() {
        let count = (recent.count - 1) % ResultPager.pageSize + 1
        let page = recent.suffix(max(0, count)).sorted { $0.place < $1.place }
        tell(.finished(.success(SearchResult(page.compactMap { $0.result?.best }))))
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

/// What can be canceled, whatever its result.
protocol Cancelling: Sendable {
    func cancel()
}

extension ServiceOperation: Cancelling {}
