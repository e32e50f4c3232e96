import EarshotCore
import EarshotNodes
import EarshotRecognition
import Foundation
import Synchronization

/// Counts recognitions a day, by UTC, of clients and users, and refuses those beyond their quotas.
///
/// Counts are kept in memory and written to the store every few seconds: after a crash those of the last seconds are missing, in the users'
/// favor. Where several nodes share the store, a node takes uses of a quota from it a few at a time, before they are used: together they
/// admit no more than the quota. What a node has taken and not used it gives back when it writes. While the store is away, a node goes on
/// by what it knows, and by the whole quota of whom it does not know.
///
/// A request to the store whose answer got lost is made again under its name, so that its uses are neither lost nor taken twice. It cannot be
/// told any more what became of it once another node has taken uses of the same subject, or this node has ended: then the uses of one
/// request at most, one in 256 of what was left or as many as just waited, count as used until midnight.
final class QuotaMeter: Sendable {
    /// The number of days for which counts are kept, with today.
    static let keptDays = 32

    /// A subject on a day.
    private struct Key: Hashable {
        let subject: String
        let day: String
    }

    private struct Count {
        /// Uses that were taken from the store and are not used yet.
        var held = 0
        /// Uses that no batch contains yet; negative if more were given back.
        var unwritten = 0
        /// Uses in batches that are being written.
        var writing = 0
        /// All uses of the day as far as this node knows; `nil` before the store was asked.
        var used: Int?
        /// `true` if ``used`` lacks earlier uses: the store was away when it was first asked.
        var isGuess = false
        /// The request that the store refused: at this limit, as many uses or more are refused without asking until the next flush.
        var refused: (count: Int, limit: Int)?
        var waiting: [Waiting] = []
        var isAsking = false
        /// A request whose answer got lost: its uses may have been taken. It is repeated before any other.
        var unanswered: UsageRequest?
    }

    /// A request that waits for the store.
    private struct Waiting {
        let count: Int
        let limit: Int
        let continuation: CheckedContinuation<Result<Bool, EarshotError>, Never>
    }

    private struct State {
        var counts: [Key: Count] = [:]
        /// Batches that are being written, or whose writing had no answer, in the order of writing.
        var batches: [UsageBatch] = []
        /// The number of batches that were made.
        var batchCount = 0
        /// The number of requests that were made.
        var requestCount = 0
        /// The day of the request at which the store was found away; `nil` while it can be reached.
        var away: String?
        var isAway: Bool { away != nil }
    }

    private let store: any AccountStore
    private let isShared: Bool
    private let writer: String
    private let state = Mutex(State())

    /// - Parameters:
    ///   - store: The store.
    ///   - isShared: `true` if other nodes count on the same store.
    ///   - node: The node that counts.
    init(_ store: any AccountStore, isShared: Bool, node: NodeID = .random()) {
        (self.store, self.isShared, writer) = (store, isShared, node.rawValue)
    }

    /// A subject and its quota: `nil` if it is not limited.
    struct Share: Sendable {
        let subject: String
        let limit: Int?
    }

    static func subject(client id: String) -> String { "client/\(id)" }
    static func subject(user id: String) -> String { "user/\(id)" }

    /// Counts uses of all shares, or none when one of them has not as many left.
    ///
    /// - Throws: `quotaExceeded`, and what a store throws that is there and fails.
    func use(_ shares: [Share], count: Int = 1, at now: Date) async throws(EarshotError) {
        for (index, share) in shares.enumerated() {
            let isTaken: Bool
            do throws(EarshotError) {
                isTaken = try await take(count, of: share, at: now)
            } catch {
                giveBack(Array(shares[..<index]), count: count, at: now)
                throw error
            }
            guard !isTaken else { continue }
            giveBack(Array(shares[..<index]), count: count, at: now)
            throw EarshotError(
                .quotaExceeded,
                count == 1
                    ? "The \(share.limit ?? 0) recognitions of today are used up: wait until midnight, UTC."
                    : "Fewer than \(count) are left of the \(share.limit ?? 0) recognitions of today: ask for fewer, or wait "
                        + "until midnight, UTC."
            )
        }
    }

    /// Takes back uses of shares whose requests did not succeed.
    func giveBack(_ shares: [Share], count: Int = 1, at now: Date) {
        let day = Self.day(now)
        state.withLock { state in
            for share in shares {
                let key = Key(subject: share.subject, day: day)
                if share.limit != nil, isShared, !state.isAway {
                    state.counts[key, default: Count()].held += count
                } else {
                    state.counts[key, default: Count()].unwritten -= count
                    state.counts[key]?.used? -= count
                }
            }
        }
    }

    /// Returns the number of uses of today, with those of this node that are not written.
    func used(_ subject: String, at now: Date) async throws(EarshotError) -> Int {
        let key = Key(subject: subject, day: Self.day(now))
        let written = try await store.usage(of: subject, on: key.day)
        return state.withLock { state in
            state.counts[key].map { written + $0.unwritten + $0.writing - $0.held } ?? written
        }
    }

    /// Writes the uses since the last flush to the store, and gives back those that were taken and not used.
    func flush() async throws(EarshotError) {
        var failure: EarshotError?
        do throws(EarshotError) {
            let hasAsked = try await writeBatches()
            await repeatRequests()
            makeBatches(hasAsked)
            _ = try await writeBatches()
        } catch {
            failure = error
        }
        state.withLock { state in
            if failure == nil, state.isAway {
                state.away = nil
                // Their counts lack what was used before the store was away: the store is asked anew.
                for key in state.counts.keys where state.counts[key]?.isGuess == true {
                    state.counts[key]?.used = nil
                    state.counts[key]?.isGuess = false
                }
            }
            let days = state.counts.keys.map(\.day)
            guard let today = days.max() else { return }
            state.counts = state.counts.filter { key, count in
                let isBusy =
                    count.isAsking || count.held != 0 || count.unwritten != 0 || count.writing != 0
                    || !count.waiting.isEmpty || count.unanswered != nil
                return isBusy || key.day == today && count.used != nil
            }
        }
        if let failure { throw failure }
    }

    /// Repeats requests whose answers got lost. Uses that they took are held, and given back by the next batches unless used.
    private func repeatRequests() async {
        let keys = state.withLock { state in
            let keys = state.counts.filter { $0.value.unanswered != nil && !$0.value.isAsking }.map(\.key)
            for key in keys { state.counts[key]?.isAsking = true }
            return keys
        }
        for key in keys { await ask(key, isRepeating: true) }
    }

    /// Makes a batch for each day of the uses since the last batches.
    ///
    /// - Parameter hasAsked: `true` if the store has just answered. Otherwise, while the store is away, an empty batch is made if there is
    ///   nothing to write: nothing else would find out that the store is back.
    private func makeBatches(_ hasAsked: Bool) {
        state.withLock { state in
            var changes: [String: [String: Int]] = [:]
            for (key, var count) in state.counts {
                let change = count.unwritten - count.held
                if change != 0 { changes[key.day, default: [:]][key.subject] = change }
                count.used? -= count.held
                (count.held, count.unwritten, count.refused) = (0, 0, nil)
                count.writing += change
                state.counts[key] = count
            }
            if changes.isEmpty, !hasAsked, let day = state.away { changes[day] = [:] }
            for (day, uses) in changes {
                state.batchCount += 1
                state.batches.append(UsageBatch(writer: writer, number: state.batchCount, day: day, uses: uses))
            }
        }
    }

    /// Writes the batches in their order. A batch without an answer may have been written: it stays first and is sent again unchanged.
    ///
    /// - Returns: `true` if there was a batch.
    private func writeBatches() async throws(EarshotError) -> Bool {
        var hasWritten = false
        while let batch = state.withLock({ $0.batches.first }) {
            try await store.addUsage(batch, forgettingBefore: Self.daysBefore(batch.day, Self.keptDays - 1))
            hasWritten = true
            state.withLock { state in
                // Two flushes may write the same batch at once: the second one must not remove the next batch.
                guard state.batches.first == batch else { return }
                state.batches.removeFirst()
                for (subject, change) in batch.uses {
                    state.counts[Key(subject: subject, day: batch.day)]?.writing -= change
                }
            }
        }
        return hasWritten
    }

    // MARK: - Taking

    /// Takes uses of a share.
    ///
    /// - Returns: `false` if fewer are left.
    private func take(_ count: Int, of share: Share, at now: Date) async throws(EarshotError) -> Bool {
        let key = Key(subject: share.subject, day: Self.day(now))
        guard let limit = share.limit else {
            state.withLock { state in
                state.counts[key, default: Count()].unwritten += count
                state.counts[key]?.used? += count
            }
            return true
        }
        let result = await withCheckedContinuation { continuation in
            let (answer, asks): (Bool?, Bool) = state.withLock { state in
                var entry = state.counts[key] ?? Count()
                defer { state.counts[key] = entry }
                // Earlier requests for this share wait for the store: answering this one first would be out of turn.
                if entry.waiting.isEmpty, let answer = decide(count, limit, &entry, isAway: state.isAway) {
                    return (answer, false)
                }
                entry.waiting.append(Waiting(count: count, limit: limit, continuation: continuation))
                guard !entry.isAsking else { return (nil, false) }
                entry.isAsking = true
                return (nil, true)
            }
            if let answer { continuation.resume(returning: .success(answer)) }
            if asks { Task { await ask(key) } }
        }
        return try result.get()
    }

    /// Takes uses without asking the store.
    ///
    /// - Returns: `false` if fewer are left; `nil` if the store must be asked.
    private func decide(_ count: Int, _ limit: Int, _ entry: inout Count, isAway: Bool) -> Bool? {
        if entry.held >= count {
            entry.held -= count
            return true
        }
        if let refused = entry.refused, refused.limit == limit, count >= refused.count { return false }
        guard isAway || !isShared && entry.used != nil else { return nil }
        if entry.used == nil { entry.isGuess = true }
        let used = entry.used ?? 0
        guard used + count <= limit else { return false }
        entry.used = used + count
        entry.unwritten += count
        return true
    }

    /// Asks the store for uses until no request waits. Each time it asks for all that wait then.
    ///
    /// - Parameter isRepeating: `true` to repeat a request whose answer got lost, even if none waits.
    private func ask(_ key: Key, isRepeating: Bool = false) async {
        var isFirst = true
        while true {
            let isWanted = isFirst && isRepeating
            isFirst = false
            let request: UsageRequest? = state.withLock { state in
                guard let entry = state.counts[key], isWanted || !entry.waiting.isEmpty else {
                    state.counts[key]?.isAsking = false
                    return nil
                }
                if let unanswered = entry.unanswered { return unanswered }
                guard let first = entry.waiting.first else {
                    state.counts[key]?.isAsking = false
                    return nil
                }
                state.requestCount += 1
                return UsageRequest(
                    subject: key.subject,
                    day: key.day,
                    limit: first.limit,
                    least: first.count,
                    most: entry.waiting.reduce(0) { $0 + $1.count },
                    id: "\(writer)/\(state.requestCount)"
                )
            }
            guard let request else { return }
            let result: Result<(taken: Int, used: Int), EarshotError>
            do throws(EarshotError) {
                result = .success(
                    isShared
                        ? try await store.takeUsage(request) : (0, try await store.usage(of: key.subject, on: key.day))
                )
            } catch {
                result = .failure(error)
            }
            let answers = state.withLock { settle(key, request, result, &$0) }
            for (continuation, answer) in answers { continuation.resume(returning: answer) }
        }
    }

    /// Takes the answer of the store into a count, and decides the requests that wait.
    ///
    /// - Returns: The requests that are decided, with their results.
    private func settle(
        _ key: Key,
        _ request: UsageRequest,
        _ result: Result<(taken: Int, used: Int), EarshotError>,
        _ state: inout State
    ) -> [(CheckedContinuation<Result<Bool, EarshotError>, Never>, Result<Bool, EarshotError>)] {
        var entry = state.counts[key] ?? Count()
        var answers: [(CheckedContinuation<Result<Bool, EarshotError>, Never>, Result<Bool, EarshotError>)] = []
        switch result {
        case .success((let taken, let used)):
            entry.unanswered = nil
            entry.held += taken
            // The store does not know of uses that are not written yet.
            entry.used = used + entry.unwritten + entry.writing
            if isShared, taken == 0 { entry.refused = (request.least, request.limit) }
        case .failure(let error) where error.code == .storeUnavailable && isShared:
            state.away = key.day
            entry.unanswered = request
        case .failure(let error):
            answers = entry.waiting.map { ($0.continuation, .failure(error)) }
            entry.waiting = []
        }
        while let first = entry.waiting.first,
            let answer = decide(first.count, first.limit, &entry, isAway: state.isAway)
        {
            answers.append((first.continuation, .success(answer)))
            entry.waiting.removeFirst()
        }
        state.counts[key] = entry
        return answers
    }

    // MARK: - Days

    /// Returns the day of a time by UTC, as `2026-01-31`.
    static func day(_ time: Date) -> String { String(time.ISO8601Format().prefix(10)) }

    /// Returns the midnight after a time, by UTC.
    static func midnight(after time: Date) -> Date {
        let day = 86_400.0
        return Date(timeIntervalSince1970: (time.timeIntervalSince1970 / day).rounded(.down) * day + day)
    }

    private static func daysBefore(_ day: String, _ count: Int) -> String {
        guard let date = try? Date("\(day)T00:00:00Z", strategy: .iso8601) else { return day }
        return Self.day(date.addingTimeInterval(-86_400 * Double(count)))
    }
}
