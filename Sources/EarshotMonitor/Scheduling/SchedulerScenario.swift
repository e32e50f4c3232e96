public import EarshotCore
public import Foundation

/// A scenario for a scheduler with a simulated clock: events with their times, the duration of each step, and the
/// results of lookups.
public struct SchedulerScenario: Hashable, Sendable, Codable {
    /// An external event with its time.
    public struct Happening: Hashable, Sendable, Codable {
        /// An event.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            /// The audio changes.
            case transition
            /// The app requests a lookup.
            case manual
            /// The monitor is stopped.
            case stop
        }

        /// The time, in seconds since the start.
        public var at: Double
        /// The event.
        public var event: Kind

        /// Creates an external event.
        public init(at: Double, _ event: Kind) {
            self.at = at
            self.event = event
        }
    }

    /// The name of the scenario.
    public var name = ""
    /// The online interval in seconds; see ``MonitorProperties/onlineInterval``.
    public var onlineInterval = 300
    /// The local interval in seconds; see ``MonitorProperties/localInterval``.
    public var localInterval = 0
    /// The number of lookups without a match before the delay; see ``MonitorProperties/noMatchLimit``.
    public var noMatchLimit = 60
    /// The added delay in seconds; see ``MonitorProperties/noMatchIncrement``.
    public var noMatchIncrement = 60
    /// The largest delay in seconds; see ``MonitorProperties/noMatchMaxDelay``.
    public var noMatchMaxDelay = 300
    /// `true` to search the fingerprint store only; see ``MonitorProperties/cacheOnly``.
    public var cacheOnly = false
    /// The time to make a fingerprint, in seconds.
    public var fingerprint = 4.0
    /// The time to search the fingerprint store, in seconds.
    public var local = 0.0
    /// The time until the service answers, in seconds.
    public var online = 1.0
    /// The duration of the simulation, in seconds; at most 100 days.
    public var until = 130.0
    /// The external events.
    public var events: [Happening] = []
    /// The times at which searches of the store end with a match, in seconds since the start. All others have none.
    public var localHits: [Double] = []
    /// The times at which requests to the service end with a match, in seconds since the start.
    public var onlineHits: [Double] = []
    /// The times at which requests to the service fail, in seconds since the start.
    public var onlineErrors: [Double] = []

    /// Creates a scenario without external events and without matches.
    public init(_ name: String = "") {
        self.name = name
    }

    /// Reads a scenario. Missing values have their defaults.
    ///
    /// - Throws: `configurationInvalid` if the text is not a scenario.
    public init(json: Data) throws(EarshotError) {
        do {
            self = try JSONDecoder().decode(SchedulerScenario.self, from: json)
        } catch {
            throw EarshotError(
                .configurationInvalid,
                "The scenario cannot be read: give a JSON object with onlineInterval, localInterval, events and the like.",
                cause: error
            )
        }
        try check()
    }

    /// Reads a scenario. Missing values have their defaults.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ standard: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? standard
        }
        name = try value(.name, name)
        onlineInterval = try value(.onlineInterval, onlineInterval)
        localInterval = try value(.localInterval, localInterval)
        noMatchLimit = try value(.noMatchLimit, noMatchLimit)
        noMatchIncrement = try value(.noMatchIncrement, noMatchIncrement)
        noMatchMaxDelay = try value(.noMatchMaxDelay, noMatchMaxDelay)
        cacheOnly = try value(.cacheOnly, cacheOnly)
        fingerprint = try value(.fingerprint, fingerprint)
        local = try value(.local, local)
        online = try value(.online, online)
        until = try value(.until, until)
        events = try value(.events, events)
        localHits = try value(.localHits, localHits)
        onlineHits = try value(.onlineHits, onlineHits)
        onlineErrors = try value(.onlineErrors, onlineErrors)
    }

    /// The properties of the scheduler.
    public var properties: MonitorProperties {
        var properties = MonitorProperties()
        properties.onlineInterval = onlineInterval
        properties.localInterval = localInterval
        properties.noMatchLimit = noMatchLimit
        properties.noMatchIncrement = noMatchIncrement
        properties.noMatchMaxDelay = noMatchMaxDelay
        properties.cacheOnly = cacheOnly
        return properties
    }

    private func check() throws(EarshotError) {
        let times = [fingerprint, local, online] + events.map(\.at) + localHits + onlineHits + onlineErrors
        guard times.allSatisfy({ (0...8_640_000).contains($0) }), (0...8_640_000).contains(until) else {
            throw EarshotError(
                .configurationInvalid,
                "A time of the scenario is not within 0 to 8,640,000 s: correct it."
            )
        }
        // Without any audio lookups would follow one another at one instant for ever.
        guard fingerprint >= 0.1 else {
            throw EarshotError(
                .configurationInvalid,
                "The fingerprint of the scenario takes less than 0.1 s: give 0.1 or more."
            )
        }
    }
}
