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
        /// The time of the next request, and the time between it and the one before.
        var next: Double
        var pause: Double
        /// The number of requests that could not reach the bucket.
        var probes = 0
    }

    private var failures: [String: Failure] = [:]
    /// The time of the next request to a bucket that cannot be reached; `nil` while it can be.
    private var probeTime: Double?
    /// The time at which the bucket was last known to answer.
    private var contact = -Double.infinity

    /// The reasons for failures, in order of objects.
    var messages: [String] { failures.sorted { $0.key < $1.key }.map(\.value.error.message) }

    /// `true` if an object may be asked for.
    ///
    /// - Parameters:
    ///   - isLocal: Says that the disk has it: then it needs no bucket.
    ///   - underWay: The number of objects that the bucket is asked for.
    func allows(_ object: String, isLocal: Bool, at now: Double, underWay: Int) -> Bool {
        if !isLocal, let probeTime, underWay > 0 || probeTime > now { return false }
        return (failures[object]?.next ?? now) <= now
    }

    /// The number of times that an object was asked for in vain since the bucket went away. Those with few go first: one that the store
    /// cannot give does not stand for all others.
    func probes(of object: String) -> Int { failures[object]?.probes ?? 0 }

    /// Notes that an object was fetched.
    ///
    /// - Parameter isLocal: Says that the disk had it: that tells nothing of the bucket.
    mutating func succeeded(_ object: String, isLocal: Bool, at now: Double) {
        failures[object] = nil
        if !isLocal { reached(at: now) }
    }

    /// Notes that an object was not fetched.
    ///
    /// - Parameters:
    ///   - begin: The time of the request.
    ///   - now: The time of its failure.
    /// - Returns: `true` if the failure is another one than that of the request before.
    mutating func failed(_ object: String, _ error: EarshotError, from begin: Double, at now: Double) -> Bool {
        let known = failures[object]
        defer {
            if error.code == .storeUnavailable {
                failures[object] = Failure(error: error, next: now, pause: 0, probes: (known?.probes ?? 0) + 1)
                // One that was under way when the bucket came back says nothing of it as it is now.
                if begin >= contact { probeTime = max(now, begin + Self.probeInterval) }
            } else {
                let pause = min(Self.longestPause, max(0.5, known?.pause ?? 0) * 2)
                failures[object] = Failure(error: error, next: now + pause, pause: pause)
                if [.storeDamaged, .entityNotFound].contains(error.code) { reached(at: now) }
            }
        }
        return known?.error.message != error.message
    }

    /// Forgets objects that are not wanted any more.
    mutating func keep(_ isWanted: (String) -> Bool) { failures = failures.filter { isWanted($0.key) } }

    /// Has what the bucket could not give asked for at once.
    private mutating func reached(at now: Double) {
        (probeTime, contact) = (nil, now)
        failures = failures.filter { $0.value.error.code != .storeUnavailable }
    }
}
