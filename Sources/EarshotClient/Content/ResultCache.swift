import EarshotAPI
public import EarshotCore
public import EarshotMusic
public import EarshotRecognition
import Synchronization

/// A cache of matches that were fetched by identifier. When it is full the oldest match is removed. Matches expire
/// after a short time, because the addresses in them do.
public final class ResultCache: Sendable {
    /// The identifier and preferences with which a match was fetched.
    public struct Key: Hashable, Sendable {
        private let id: String
        private let client: String
        private let preferences: ContentPreferences

        /// A track, fetched with a configuration.
        public init(_ id: EntityID<Track>, _ configuration: ClientConfiguration) {
            self.init("track:" + id.rawValue, configuration)
        }

        /// An album, fetched with a configuration.
        public init(_ id: EntityID<Album>, _ configuration: ClientConfiguration) {
            self.init("album:" + id.rawValue, configuration)
        }

        private init(_ id: String, _ configuration: ClientConfiguration) {
            self.id = id
            client = configuration.identifier.id + "/" + (configuration.user ?? "")
            preferences = configuration.preferences
        }
    }

    private struct State {
        var matches: [Key: (match: MusicMatch, time: MediaTime, number: Int)] = [:]
        var order: [(key: Key, number: Int)] = []
        var number = 0
    }

    /// The largest number of matches.
    public let limit: Int
    /// For how long a match is kept.
    public let age: MediaTime
    private let clock: MediaClock
    private let state = Mutex(State())

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - limit: The largest number of matches.
    ///   - age: For how long: ten minutes where nobody says otherwise.
    ///   - clock: The clock that measures the age of matches.
    public init(limit: Int = 200, age: MediaTime = MediaTime(value: 600, timescale: 1), clock: MediaClock = .system) {
        self.limit = max(0, limit)
        self.age = age
        self.clock = clock
    }

    /// The current number of matches.
    public var count: Int { state.withLock { $0.matches.count } }

    /// The cached match; `nil` if it is missing or expired.
    public func match(_ key: Key) -> MusicMatch? {
        let now = clock.now
        return state.withLock { state in
            guard let entry = state.matches[key] else { return nil }
            guard now - entry.time <= age else {
                state.matches[key] = nil
                return nil
            }
            return entry.match
        }
    }

    /// Keeps a match.
    public func keep(_ match: MusicMatch, _ key: Key) {
        let now = clock.now
        state.withLock { state in
            state.number += 1
            state.matches[key] = (match, now, state.number)
            state.order.append((key, state.number))
            // What was kept again since stands further behind.
            while state.matches.count > limit || state.order.count > 2 * limit + 1, !state.order.isEmpty {
                let first = state.order.removeFirst()
                if state.matches[first.key]?.number == first.number { state.matches[first.key] = nil }
            }
        }
    }

    /// Forgets everything.
    public func removeAll() { state.withLock { $0 = State() } }
}
