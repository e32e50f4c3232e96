public import EarshotCore

extension QueryScheduler {
    /// The time of the next `time` event if nothing happens before; `nil` if nothing is scheduled.
    public var deadline: MediaTime? {
        switch state {
        case .stopped: nil
        case .waiting: [onlineDeadline, localDeadline, gateDeadline].compactMap(\.self).min()
        // During a lookup only the online timer has a meaning: the local one would be ignored.
        case .fingerprinting, .searchingLocal, .searchingOnline: onlineDeadline
        }
    }

    /// The end of the online timer; `nil` if it is off, or has run out and waits for its lookup.
    private var onlineDeadline: MediaTime? {
        guard properties.onlineInterval > 0, !hasOnlineFired else { return nil }
        return onlineReference + seconds(properties.onlineInterval + delay)
    }

    private var localDeadline: MediaTime? {
        guard properties.localInterval > 0 else { return nil }
        return localReference + seconds(properties.localInterval + (properties.cacheOnly ? delay : 0))
    }

    /// The time from which a waiting change may be looked up.
    private var gateDeadline: MediaTime? {
        pending == .transition ? lastEnd + seconds(delay) : nil
    }

    /// Returns `true` if a change of the audio may be looked up at once.
    func isGateOpen(at now: MediaTime) -> Bool { now >= lastEnd + seconds(delay) }

    private func seconds(_ count: Int) -> MediaTime { MediaTime(value: Int64(count), timescale: 1) }

    /// Handles timers that have run out and requests that waited.
    mutating func expire(at now: MediaTime, _ effects: inout [Effect]) {
        if let deadline = onlineDeadline, deadline <= now {
            hasOnlineFired = true
            switch state {
            case .stopped: break
            case .waiting: wait(for: .timer)
            case .fingerprinting(.localOnly): upgrade(.onlineTimer, &effects)
            case .searchingLocal(.localOnly) where !properties.cacheOnly: wait(for: .timer)
            // The lookup under way is what the timer would have caused.
            case .fingerprinting(.localThenOnline), .searchingLocal, .searchingOnline: break
            }
        }
        guard state == .waiting else { return }
        switch pending {
        case .manual:
            pending = nil
            begin(.manual, at: now, &effects)
        case .timer:
            pending = nil
            begin(.onlineTimer, at: now, &effects)
        case .transition where isGateOpen(at: now):
            pending = nil
            begin(.transition, at: now, &effects)
        case .transition, nil:
            if let deadline = localDeadline, deadline <= now { begin(.localTimer, at: now, &effects) }
        }
    }
}
