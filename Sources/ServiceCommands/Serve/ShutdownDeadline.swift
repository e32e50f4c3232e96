import Foundation
import Logging
import ServiceLifecycle

/// Ends the process when it has been told to end and does not: work that blocks cannot be cancelled, and a file may take hours.
struct ShutdownDeadline: Service {
    /// Seconds from the signal on.
    let seconds: Int
    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        // A thread of its own: those of the queues may all be at work that does not end.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: Double(seconds))
            logger.warning("Ended while work was under way: it did not end within \(seconds) s.")
            Foundation.exit(1)
        }
    }
}
