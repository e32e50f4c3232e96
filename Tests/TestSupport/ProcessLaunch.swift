package import Foundation

/// Starts programs one after the other.
///
/// Foundation learns of a program's end from a socket that the program holds. Two programs that are started at the same
/// moment may each get the other's: the end of one is then told when the other ends, too, and never if that one waits
/// for it.
package enum ProcessLaunch {
    private static let lock = NSLock()

    /// Starts a program.
    ///
    /// - Throws: As `Process.run()`.
    package static func run(_ process: Process) throws {
        lock.lock()
        defer { lock.unlock() }
        try process.run()
    }
}
