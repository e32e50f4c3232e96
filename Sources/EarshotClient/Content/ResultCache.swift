import EarshotAPI
public import EarshotCore
public import EarshotMusic
public import EarshotRecognition
import Synchronization

/// A cache of matches that were fetched by the identifier of a track or an album. When it is full, the oldest match is
/// removed. Matches expire after a short time, because the addresses in them do.
public final class ResultCache: Sendable {
    /// The key of a cached match: the track or album, the client and user that fetched it, and their content
    /// preferences.
    public struct Key: Hashable, Sendable {
        private let id: String
        private let client: String
        private let preferences: ContentPreferences

        /// Creates the key for the match of a track, as fetched with a configuration's client, user and preferences.
        public init(_ id: EntityID<Track>, _ configuration: ClientConfiguration) {
            self.init("track:" + id.rawValue, configuration)
        }

        /// Creates the key for the match of an album, as fetched with a configuration's client, user and preferences.
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

    /// The largest number of matches in the cache.
    public let limit: Int
    /// The time after which a match expires.
    public let age: MediaTime
    private let clock: MediaClock
    private let state = Mutex(State())

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - limit: The largest number of matches. Default: 200.
    ///   - age: The time after which a match expires. Default: 10 min.
    ///   - clock: The clock that measures the age of matches.
    public init(limit: Int = 200, age: MediaTime = MediaTime(value: 600, timescale: 1), clock: MediaClock = .system) {
        self.limit = max(0, limit)
        self.age = age
        self.clock = clock
    }

    /// The number of matches in the cache, expired ones included.
    public var count: Int { state.withLock { $0.matches.count } }

    /// Returns the cached match for a key; `nil` if it is missing or expired.
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

    /// Stores a match under a key, in place of an earlier one, and removes the oldest matches beyond the limit.
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

    /// Removes all matches from the cache.
    public func removeAll() { state.withLock { $0 = State() } }
}
