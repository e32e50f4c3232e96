import Foundation

/// File locks with `flock`.
package enum FileLock {
    /// Releases a lock and closes its descriptor.
    ///
    /// Closing alone does not release the lock: while the process starts another program, that has a copy of every
    /// descriptor for a moment.
    package static func release(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The outcome of an attempt to take a lock.
    package enum Outcome: Sendable {
        case locked
        /// Another process holds the lock; its description, or `nil` if it is not known.
        case busy(LockHolder?)
        /// The file system does not support locks, or the file cannot be locked.
        case failed
    }

    /// The pause between two attempts to take a lock, in microseconds.
    private static let interval: UInt32 = 50_000

    /// Takes an exclusive lock on an open file, waiting as the patience says. Blocks the thread.
    ///
    /// - Parameters:
    ///   - descriptor: The open file.
    ///   - patience: The time to wait for the lock.
    ///   - holder: Returns the current holder of the lock, if it is known.
    package static func take(
        _ descriptor: Int32,
        patience: LockPatience,
        holder: () -> LockHolder? = { nil }
    ) -> Outcome {
        func attempt(_ operation: Int32) -> Int32 {
            while flock(descriptor, operation) != 0 { if errno != EINTR { return errno } }
            return 0
        }
        let first = attempt(LOCK_EX | LOCK_NB)
        guard first != 0 else { return .locked }
        guard first == EWOULDBLOCK else { return .failed }
        let who = holder()
        guard let seconds = patience.seconds else {
            patience.onWait(who)
            return attempt(LOCK_EX) == 0 ? .locked : .failed
        }
        guard seconds > 0, who?.isService != true else { return .busy(who) }
        patience.onWait(who)
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            usleep(interval)
            let result = attempt(LOCK_EX | LOCK_NB)
            if result == 0 { return .locked }
            guard result == EWOULDBLOCK else { return .failed }
        }
        return .busy(holder() ?? who)
    }
}
