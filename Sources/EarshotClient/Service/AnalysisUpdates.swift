public import EarshotAPI
import EarshotCore

/// The progress of an analysis run. The service is polled until the run has ended; the last record has its final state.
public struct AnalysisUpdates: AsyncSequence, Sendable {
    let service: HTTPRecognitionService
    let id: String
    let interval: MediaTime

    /// Starts polling the service, and returns an iterator over the records.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    /// Polls the service for the records of one run.
    public struct Iterator: AsyncIteratorProtocol {
        let updates: AnalysisUpdates
        private var last: AnalysisRun?

        init(updates: AnalysisUpdates) { self.updates = updates }

        /// Waits for the next record that differs from the previous one; `nil` after the final state.
        ///
        /// - Throws: `entityNotFound`, and the errors of a request.
        public mutating func next() async throws -> AnalysisRun? { try await record() }

        /// Waits for the next record that differs from the previous one; `nil` after the final state.
        ///
        /// - Throws: `entityNotFound`, and the errors of a request.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> AnalysisRun? {
            try await record()
        }

        private mutating func record() async throws -> AnalysisRun? {
            guard last?.state.isFinal != true else { return nil }
            let clock = updates.service.options.clock
            while true {
                let run = try await updates.service.analysisRun(updates.id)
                if run != last {
                    last = run
                    return run
                }
                try await clock.sleep(until: clock.now + updates.interval)
            }
        }
    }
}
