import Foundation

/// Locks of files, by `flock`.
package enum FileLock {
    /// Gives up a lock and closes its descriptor.
    ///
    /// Closing alone is not enough: between the start of another program and the moment at which it becomes that program, it
    /// holds a copy of every descriptor, and with it the lock.
    package static func release(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The outcome of an attempt to take a lock.
    package enum Outcome: Sendable {
        case locked
        /// Another process holds it.
        case busy(LockHolder?)
        /// The file system knows no locks, or the file cannot be locked.
        case failed
    }

    /// The pause between two attempts to take a lock, in microseconds.
    private static let interval: UInt32 = 50_000

    /// Takes an exclusive lock. Blocks for as long as the patience lasts.
    ///
    /// - Parameters:
    ///   - descriptor: The open file.
    ///   - patience: The time to wait for the lock.
    ///   - holder: Finds the holder of the lock.
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
