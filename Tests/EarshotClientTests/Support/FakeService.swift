import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Synchronization

/// A service that answers what a test says and remembers what it was asked.
final class FakeService: RecognitionService {
    enum Call: Hashable, Sendable {
        case recognize(RecognitionQuery.Kind), text(MusicQuery), lyrics(LyricQuery), track(String), album(String)
        case content(String)
    }

    typealias Answer = @Sendable (Call, ContentPreferences) async throws(EarshotError) -> [MusicMatch]
    typealias Content = @Sendable (String) async throws(EarshotError) -> ContentAnswer

    private struct State {
        var calls: [Call] = []
        var preferences: [ContentPreferences] = []
        var running = 0
        var mostRunning = 0
    }

    private let state = Mutex(State())
    private let answer: Answer
    private let content: Content

    init(
        _ answer: @escaping Answer = { _, _ throws(EarshotError) in [MusicMatch("t1")] },
        content: @escaping Content = { _ throws(EarshotError) in ContentAnswer(status: 404) }
    ) {
        self.answer = answer
        self.content = content
    }

    var calls: [Call] { state.withLock { $0.calls } }
    var preferences: [ContentPreferences] { state.withLock { $0.preferences } }
    var mostRunning: Int { state.withLock { $0.mostRunning } }
    var running: Int { state.withLock { $0.running } }

    private func ask(_ call: Call, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch] {
        state.withLock { state in
            state.calls.append(call)
            state.preferences.append(preferences)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
        }
        defer { state.withLock { $0.running -= 1 } }
        return try await answer(call, preferences)
    }

    func recognize(_ query: RecognitionQuery, _ preferences: ContentPreferences) async throws(EarshotError)
        -> [MusicMatch]
    {
        try await ask(.recognize(query.kind), preferences)
    }

    func search(_ query: MusicQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch] {
        try await ask(.text(query), preferences)
    }

    func search(_ query: LyricQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch] {
        try await ask(.lyrics(query), preferences)
    }

    func track(_ id: EntityID<Track>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch? {
        try await ask(.track(id.rawValue), preferences).first
    }

    func album(_ id: EntityID<Album>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch? {
        try await ask(.album(id.rawValue), preferences).first
    }

    func content(at address: String) async throws(EarshotError) -> ContentAnswer {
        state.withLock { $0.calls.append(.content(address)) }
        return try await content(address)
    }
}

extension MusicMatch {
    init(_ track: String, album: String? = nil) {
        self.init()
        self.track.id = EntityID(track)
        self.track.title = "Track \(track)"
        self.album.id = album.map { EntityID($0) }
        self.album.title = album.map { "Album \($0)" }
    }
}

/// Holds back whoever passes until a test opens it.
final class Barrier: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrivals = 0
        var watchers: [(Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Waits until it is open; does not mind being canceled, like a step that blocks.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = state.withLock { state in
                state.arrivals += 1
                if !state.isOpen { state.waiting.append(continuation) }
                let arrived = state.watchers.filter { $0.0 <= state.arrivals }
                state.watchers.removeAll { $0.0 <= state.arrivals }
                return (state.isOpen, arrived)
            }
            for watcher in watchers { watcher.1.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until so many have come.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrivals < count { state.watchers.append((count, continuation)) }
                return state.arrivals >= count
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Lets one pass.
    func openOnce() {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?.resume()
    }
}

/// Collects things from anywhere.
final class Collector<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    var all: [Element] { elements.withLock { $0 } }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
