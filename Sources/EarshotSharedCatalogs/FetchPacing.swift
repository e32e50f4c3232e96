import EarshotCore

/// Decides when objects that could not be fetched are asked for again. All times are in seconds of the caller's clock.
///
/// An object that is damaged or lost waits for twice the time after each failure. A bucket that cannot be reached is asked for one object at a
/// time, every two seconds, so that a node has what it lacks soon after the bucket is back.
struct FetchPacing {
    /// The time between two requests to a bucket that cannot be reached, in seconds.
    static let probeInterval = 2.0
    /// The longest time for which a damaged object waits, in seconds.
    static let longestPause = 30.0

    private struct Failure {
        var error: EarshotError
        /// The time of the next request.
        var next: Double
        /// The time between the last request and the next one, in seconds; 0 if the bucket could not be reached.
        var pause: Double
        /// The number of requests in a row that could not reach the bucket.
        var probes = 0
    }

    private var failures: [String: Failure] = [:]
    /// The time of the next request to a bucket that cannot be reached; `nil` while it can be.
    private var probeTime: Double?
    /// The time at which the bucket last answered.
    private var contact = -Double.infinity

    /// The reasons for failures, in order of objects.
    var messages: [String] { failures.sorted { $0.key < $1.key }.map(\.value.error.message) }

    /// Returns `true` if an object may be asked for now.
    ///
    /// - Parameters:
    ///   - isLocal: `true` if the disk has the object, so that the bucket is not needed.
    ///   - underWay: The number of objects that are being fetched from the bucket.
    func allows(_ object: String, isLocal: Bool, at now: Double, underWay: Int) -> Bool {
        if !isLocal, let probeTime, underWay > 0 || probeTime > now { return false }
        return (failures[object]?.next ?? now) <= now
    }

    /// Returns the number of times that an object was asked for in vain since the bucket went away. Objects with few go first, so that the probe
    /// is not always the one object that the bucket cannot give.
    func probes(of object: String) -> Int { failures[object]?.probes ?? 0 }

    /// Notes that an object was fetched.
    ///
    /// - Parameter isLocal: `true` if the object came from the disk, which proves nothing about the bucket.
    mutating func succeeded(_ object: String, isLocal: Bool, at now: Double) {
        failures[object] = nil
        if !isLocal { reached(at: now) }
    }

    /// Notes that an object was not fetched.
    ///
    /// - Parameters:
    ///   - begin: The time of the request.
    ///   - now: The time of its failure.
    /// - Returns: `true` if the message differs from that of the failure before, so that it is worth reporting.
    mutating func failed(_ object: String, _ error: EarshotError, from begin: Double, at now: Double) -> Bool {
        let known = failures[object]
        defer {
            if error.code == .storeUnavailable {
                failures[object] = Failure(error: error, next: now, pause: 0, probes: (known?.probes ?? 0) + 1)
                // A request from before the last answer says nothing about the bucket as it is now.
                if begin >= contact { probeTime = max(now, begin + Self.probeInterval) }
            } else {
                let pause = min(Self.longestPause, max(0.5, known?.pause ?? 0) * 2)
                failures[object] = Failure(error: error, next: now + pause, pause: pause)
                if [.storeDamaged, .entityNotFound].contains(error.code) { reached(at: now) }
            }
        }
        return known?.error.message != error.message
    }

    /// Forgets the failures of objects that are no longer wanted.
    mutating func keep(_ isWanted: (String) -> Bool) { failures = failures.filter { isWanted($0.key) } }

    /// Notes that the bucket answers: what it could not give may be asked for at once.
    private mutating func reached(at now: Double) {
        (probeTime, contact) = (nil, now)
        failures = failures.filter { $0.value.error.code != .storeUnavailable }
    }
}
