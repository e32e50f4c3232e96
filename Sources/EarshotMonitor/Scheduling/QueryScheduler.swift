public import EarshotCore

/// A state machine that decides when a monitor looks up audio, and where. It has no audio, network or clock of its own.
///
/// Call it with each event and its time, in order; it returns the effects to carry out. If nothing happens before
/// ``deadline``, call it with `time`. All times are of one clock that never goes back.
///
/// | state | what goes on |
/// |---|---|
/// | stopped | nothing |
/// | waiting | audio is watched, and timers run |
/// | fingerprinting | a fingerprint is made, for one or both places |
/// | searchingLocal | the fingerprint store is searched |
/// | searchingOnline | the service is asked, after a local miss |
public struct QueryScheduler: Sendable {
    /// The state of lookups.
    public enum State: Hashable, Sendable {
        /// It was not started, or was stopped.
        case stopped
        /// No lookup is running.
        case waiting
        /// The fingerprint of a lookup is being made.
        case fingerprinting(LookupKind)
        /// The fingerprint store is searched.
        case searchingLocal(LookupKind)
        /// The service is asked.
        case searchingOnline
    }

    /// An event for the scheduler.
    public enum Event: Hashable, Sendable, CaseIterable {
        /// The monitor is started.
        case start
        /// The monitor is stopped.
        case stop
        /// The audio changed.
        case transition
        /// The app requests a lookup.
        case manual
        /// Time has passed: timers may have run out.
        case time
        /// The fingerprint is complete.
        case fingerprintReady
        /// There was not enough audio for a fingerprint.
        case fingerprintFailed
        /// The fingerprint store has a match.
        case localHit
        /// The fingerprint store has no match.
        case localMiss
        /// The service has a match.
        case onlineHit
        /// The service has no match.
        case onlineMiss
        /// The current step failed.
        case error
    }

    /// The outcome of a lookup.
    public enum Outcome: Hashable, Sendable {
        /// A match.
        case match
        /// No match, from the service too. The number counts such lookups since the last match.
        case countedMiss(inARow: Int)
        /// No match in the store; not counted as a miss, because the service was not asked.
        case uncountedMiss
        /// The lookup failed.
        case error
    }

    /// A request that waits until the current lookup or the delay ends.
    public enum Pending: Int, Hashable, Sendable, Comparable {
        /// A change of the audio.
        case transition
        /// An online interval that ran out.
        case timer
        /// A request by the app.
        case manual

        /// Compares requests by priority.
        public static func < (left: Pending, right: Pending) -> Bool { left.rawValue < right.rawValue }
    }

    /// An effect to carry out.
    public enum Effect: Hashable, Sendable {
        /// Begin a fingerprint with the audio from now on.
        case beginFingerprint(Lookup)
        /// Restart the fingerprint: its audio is older than a change of the audio.
        case restartFingerprint
        /// Extend the current lookup to the service because of this trigger.
        case upgrade(LookupTrigger)
        /// Search the fingerprint store.
        case searchLocal
        /// Ask the service.
        case searchOnline
        /// The lookup is over.
        case end(Lookup, Outcome)
        /// Deliver the result of the lookup, after the other effects of its end.
        case deliver(Lookup)
        /// Discard the answer of the lookup: the monitor was stopped.
        case abandon(Lookup)
        /// A request by the app was queued.
        case manualQueued
        /// The delay between lookups is increased, by this many seconds, after many lookups without a match.
        case noMatchModeEntered(delay: Int)
        /// The delay between lookups is increased further.
        case noMatchDelayChanged(delay: Int)
        /// The delay between lookups is normal again.
        case noMatchModeLeft
        /// The time of the next automatic lookup; `nil` if there is none.
        case scheduled(MediaTime?)
    }

    /// One lookup.
    public struct Lookup: Hashable, Sendable, Codable {
        /// The number of the lookup, from 1 for the first of the scheduler.
        public var id: Int
        /// The places that it searches.
        public var kind: LookupKind
        /// The trigger of the lookup; for an extended lookup, the trigger of the extension.
        public var trigger: LookupTrigger

        /// Creates a lookup.
        public init(id: Int, kind: LookupKind, trigger: LookupTrigger) {
            self.id = id
            self.kind = kind
            self.trigger = trigger
        }
    }

    /// The settings that decide how often lookups are made.
    public private(set) var properties: MonitorProperties
    /// The current state.
    public private(set) var state = State.stopped
    /// Misses counted since the last match, or since the limit was last reached.
    public internal(set) var misses = 0
    /// The number of times that ``MonitorProperties/noMatchLimit`` was reached since the last match. Above 0 the delay
    /// between lookups is increased.
    public internal(set) var level = 0
    /// Misses counted since the last match.
    public internal(set) var missesInARow = 0
    /// The waiting request; `nil` if there is none.
    public internal(set) var pending: Pending?
    /// The current lookup; `nil` if none is running.
    public private(set) var lookup: Lookup?

    private var count = 0
    /// The time at which the online timer started.
    var onlineReference = MediaTime.zero
    /// `true` if the online timer ran out and has not been started anew since.
    var hasOnlineFired = false
    /// The time at which the local timer started.
    var localReference = MediaTime.zero
    /// The time at which the last lookup ended that counted as a miss, matched or failed.
    var lastEnd = MediaTime.zero
    /// The time of the audio change that ``pending`` is for.
    private var changedAt: MediaTime?
    /// The time at which the audio of the fingerprint begins.
    private var audioBegan = MediaTime.zero
    private var hasRestarted = false
    private var reported: MediaTime??

    /// Creates a stopped scheduler.
    public init(_ properties: MonitorProperties = MonitorProperties()) {
        self.properties = properties
    }

    /// The seconds added to the delay between lookups because of misses.
    public var delay: Int {
        // Level and increment are both large at the most: a product that does not fit is beyond the maximum anyway.
        let (product, isTooLarge) = level.multipliedReportingOverflow(by: properties.noMatchIncrement)
        return isTooLarge ? properties.noMatchMaxDelay : min(product, properties.noMatchMaxDelay)
    }

    /// Changes the properties. They apply immediately, also to running timers.
    public mutating func set(_ properties: MonitorProperties, at now: MediaTime) -> [Effect] {
        let before = delay
        self.properties = properties
        var effects: [Effect] = []
        if level > 0, delay != before { effects.append(.noMatchDelayChanged(delay: delay)) }
        effects += handle(.time, at: now)
        return effects
    }

    /// Processes an event.
    ///
    /// - Parameters:
    ///   - event: The event. An event that cannot happen in the current state, such as an answer to an abandoned
    ///     lookup, is ignored.
    ///   - now: The time of the event; not before that of the previous event.
    /// - Returns: The effects to carry out, in order.
    public mutating func handle(_ event: Event, at now: MediaTime) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .start: start(at: now, &effects)
        case .stop: stop(&effects)
        case .transition: change(at: now, &effects)
        case .manual: request(at: now, &effects)
        case .time: break
        case .fingerprintReady:
            guard case .fingerprinting(let kind) = state else { break }
            state = .searchingLocal(kind)
            effects.append(.searchLocal)
        case .fingerprintFailed:
            guard case .fingerprinting = state else { break }
            end(isMatch: false, at: now, &effects)
        case .localHit:
            guard case .searchingLocal = state else { break }
            end(isMatch: true, at: now, &effects)
        case .localMiss:
            guard case .searchingLocal(let kind) = state else { break }
            goOnline(after: kind, at: now, &effects)
        case .onlineHit, .onlineMiss:
            guard state == .searchingOnline else { break }
            end(isMatch: event == .onlineHit, at: now, &effects)
        case .error: fail(at: now, &effects)
        }
        settle(at: now, &effects)
        return effects
    }

    // MARK: - Events

    private mutating func start(at now: MediaTime, _ effects: inout [Effect]) {
        guard state == .stopped else { return }
        (misses, level, missesInARow, pending, changedAt) = (0, 0, 0, nil, nil)
        (onlineReference, localReference, lastEnd) = (now, now, now)
        (hasOnlineFired, reported) = (false, nil)
        begin(.start, at: now, &effects)
    }

    private mutating func stop(_ effects: inout [Effect]) {
        guard state != .stopped else { return }
        if let lookup { effects.append(.abandon(lookup)) }
        (state, lookup, pending) = (.stopped, nil, nil)
    }

    private mutating func change(at now: MediaTime, _ effects: inout [Effect]) {
        switch state {
        case .stopped: break
        case .waiting:
            if isGateOpen(at: now) { begin(.transition, at: now, &effects) } else { keepTransition(at: now) }
        case .fingerprinting(.localOnly) where !isGateOpen(at: now): keepTransition(at: now)
        case .fingerprinting(let kind):
            guard !hasRestarted else { break }
            (hasRestarted, audioBegan) = (true, now)
            effects.append(.restartFingerprint)
            if kind == .localOnly { upgrade(.transition, &effects) }
        case .searchingLocal, .searchingOnline: keepTransition(at: now)
        }
    }

    private mutating func keepTransition(at now: MediaTime) {
        changedAt = now
        wait(for: .transition)
    }

    private mutating func request(at now: MediaTime, _ effects: inout [Effect]) {
        guard state != .stopped else { return }
        effects.append(.manualQueued)
        switch state {
        case .stopped: break
        case .waiting: begin(.manual, at: now, &effects)
        case .fingerprinting(.localOnly): upgrade(.manual, &effects)
        // The query that is made now is the next one possible.
        case .fingerprinting(.localThenOnline): break
        case .searchingLocal, .searchingOnline: wait(for: .manual)
        }
    }

    private mutating func goOnline(after kind: LookupKind, at now: MediaTime, _ effects: inout [Effect]) {
        // Whoever has forbidden it since is obeyed.
        guard kind == .localThenOnline, !properties.cacheOnly else { return end(isMatch: false, at: now, &effects) }
        state = .searchingOnline
        effects.append(.searchOnline)
    }

    private mutating func fail(at now: MediaTime, _ effects: inout [Effect]) {
        switch state {
        case .stopped, .waiting: break
        // The service may know what a damaged store cannot tell.
        case .searchingLocal(.localThenOnline) where !properties.cacheOnly:
            state = .searchingOnline
            effects.append(.searchOnline)
        case .fingerprinting, .searchingLocal, .searchingOnline:
            restartTimers(at: now, isMatch: false)
            lastEnd = now
            finish(.error, &effects)
        }
    }

    // MARK: - Begin and end

    /// The places that a lookup with a trigger searches.
    private func kind(of trigger: LookupTrigger) -> LookupKind {
        properties.cacheOnly || trigger == .localTimer ? .localOnly : .localThenOnline
    }

    mutating func begin(_ trigger: LookupTrigger, at now: MediaTime, _ effects: inout [Effect]) {
        count += 1
        let lookup = Lookup(id: count, kind: kind(of: trigger), trigger: trigger)
        self.lookup = lookup
        state = .fingerprinting(lookup.kind)
        (hasRestarted, audioBegan) = (false, now)
        effects.append(.beginFingerprint(lookup))
        satisfyTransition(with: lookup.kind)
    }

    /// A change that waits is satisfied by a lookup of its kind whose audio is all from after it.
    private mutating func satisfyTransition(with kind: LookupKind) {
        guard let changedAt, kind == self.kind(of: .transition), audioBegan >= changedAt else { return }
        self.changedAt = nil
        if pending == .transition { pending = nil }
    }

    mutating func upgrade(_ trigger: LookupTrigger, _ effects: inout [Effect]) {
        guard case .fingerprinting(.localOnly) = state, !properties.cacheOnly, var lookup else { return }
        lookup.kind = .localThenOnline
        lookup.trigger = trigger
        self.lookup = lookup
        state = .fingerprinting(.localThenOnline)
        effects.append(.upgrade(trigger))
        satisfyTransition(with: .localThenOnline)
    }

    mutating func wait(for request: Pending) {
        pending = max(pending ?? request, request)
    }

    private mutating func end(isMatch: Bool, at now: MediaTime, _ effects: inout [Effect]) {
        guard let lookup else { return }
        let isCounted = isMatch || lookup.kind == .localThenOnline || properties.cacheOnly
        restartTimers(at: now, isMatch: isMatch, isCounted: isCounted)
        if isCounted { lastEnd = now }
        guard !isMatch else {
            let wasSpacedOut = level > 0
            (misses, level, missesInARow) = (0, 0, 0)
            finish(.match, &effects, mode: wasSpacedOut ? [.noMatchModeLeft] : [])
            return
        }
        guard isCounted else {
            // The online timer ran out while only the store was to be asked, which has changed since.
            if hasOnlineFired { wait(for: .timer) }
            return finish(.uncountedMiss, &effects)
        }
        misses += 1
        missesInARow += 1
        var mode: [Effect] = []
        if misses >= properties.effectiveNoMatchLimit {
            let before = delay
            misses = 0
            level += 1
            if level == 1 {
                mode = [.noMatchModeEntered(delay: delay)]
            } else if delay != before {
                mode = [.noMatchDelayChanged(delay: delay)]
            }
        }
        finish(.countedMiss(inARow: missesInARow), &effects, mode: mode)
    }

    private mutating func restartTimers(at now: MediaTime, isMatch: Bool, isCounted: Bool = true) {
        localReference = now
        guard isMatch || isCounted && hasOnlineFired && pending != .timer else { return }
        // What was found makes a forced question needless, also one that waits already.
        if pending == .timer { pending = changedAt == nil ? nil : .transition }
        (onlineReference, hasOnlineFired) = (now, false)
    }

    private mutating func finish(_ outcome: Outcome, _ effects: inout [Effect], mode: [Effect] = []) {
        guard let lookup else { return }
        effects.append(.end(lookup, outcome))
        effects += mode
        effects.append(.deliver(lookup))
        (state, self.lookup) = (.waiting, nil)
    }

    /// Starts what is due and says when the next lookup is.
    private mutating func settle(at now: MediaTime, _ effects: inout [Effect]) {
        guard state != .stopped else { return }
        expire(at: now, &effects)
        guard state == .waiting else { return }
        let next = deadline
        if reported == nil || reported != .some(next) {
            reported = .some(next)
            effects.append(.scheduled(next))
        }
    }
}
