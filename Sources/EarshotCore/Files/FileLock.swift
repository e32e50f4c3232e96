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
}
