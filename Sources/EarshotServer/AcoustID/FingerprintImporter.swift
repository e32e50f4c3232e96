import EarshotCore
import EarshotFingerprints
import Logging

/// Imports fingerprints as they are submitted, beside requests.
struct FingerprintImporter: Sendable {
    private let library: FingerprintLibrary
    private let logger: Logger
    private let submitted: AsyncStream<Void>
    private let input: AsyncStream<Void>.Continuation

    init(_ library: FingerprintLibrary, logger: Logger) {
        self.library = library
        self.logger = logger
        (submitted, input) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts an import, or another one if an import is running.
    func start() { input.yield() }

    /// Imports until the task is cancelled, at first what the last run has left.
    ///
    /// - Parameter attempt: Runs an import, and logs its failure.
    func run(_ attempt: (() async throws(EarshotError) -> Void) async -> Void) async {
        start()
        var told: String?
        for await _ in submitted {
            await attempt { () async throws(EarshotError) in
                do throws(EarshotError) {
                    try await library.importPending()
                } catch {
                    // At the end of the service: what is left is imported when it runs again.
                    guard error.code == .cancelled, Task.isCancelled else { throw error }
                }
            }
            // Told once, for it stays so until somebody mends it.
            let failure = library.index.mergeFailure?.message
            if let failure, failure != told {
                logger.error("Segments of fingerprints could not be merged", metadata: ["reason": "\(failure)"])
            }
            told = failure
        }
    }
}
