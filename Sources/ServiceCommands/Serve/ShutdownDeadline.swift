import Foundation
import Logging
import ServiceLifecycle

/// Ends the process when it has been told to end and does not: work that blocks cannot be canceled, and a file may take hours.
struct ShutdownDeadline: Service {
    /// Seconds from the signal on.
    let seconds: Int
    let logger: Logger
    /// Ends the process with a status.
    var end: @Sendable (Int32) -> Void = { Foundation.exit($0) }

    func run() async throws {
        try await gracefulShutdown()
        start()
    }

    /// Begins to count, and ends the process when the time is over.
    func start() {
        // A thread of its own: those of the queues may all be at work that does not end.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: Double(seconds))
            logger.warning("Ended while work was under way: it did not end within \(seconds) s.")
            end(1)
        }
    }
}
