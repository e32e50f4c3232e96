package import Foundation

/// A job as a ``JobStore`` has it: the order, and how far it is.
package struct Job: Hashable, Sendable {
    /// The state of a job.
    package enum State: String, Codable, Sendable, CaseIterable {
        /// Not begun.
        case waiting
        /// A node holds it.
        case running
        case done, failed, cancelled

        /// `true` if the job is over: done, failed or canceled.
        package var isFinal: Bool { self != .waiting && self != .running }
    }

    /// The failure of a job, as its owner is told.
    package struct Failure: Hashable, Codable, Sendable {
        package var code: String
        package var message: String

        package init(code: String, message: String) { (self.code, self.message) = (code, message) }
    }

    /// The end of a job.
    package enum Outcome: Hashable, Sendable {
        /// Done, with the result; `nil` for a kind of work without one.
        case done(String?)
        case failed(Failure)
        case cancelled
    }

    package var order: JobOrder
    /// The time at which it was submitted, by the store's clock.
    package var created: Date
    /// The time at which it came to its end, by the store's clock.
    package var finished: Date?
    package var state: State
    /// The share that is done, from 0 to 1.
    package var progress: Double
    /// The result of a job that is done.
    package var result: String?
    package var failure: Failure?
    /// The right of the node that does it; `nil` unless it is running.
    package var lease: Lease?
    /// `true` if the node that holds the job is to give it up.
    package var isCancelled: Bool

    /// A job that has not begun.
    package init(_ order: JobOrder, created: Date) {
        (self.order, self.created) = (order, created)
        (state, progress, isCancelled) = (.waiting, 0, false)
    }

    package var id: String { order.id }

    /// Returns the job as it is after its end.
    package func ended(_ outcome: Outcome, at date: Date) -> Job {
        var job = self
        (job.finished, job.lease, job.isCancelled) = (date, nil, false)
        switch outcome {
        case .done(let result): (job.state, job.progress, job.result) = (.done, 1, result)
        case .failed(let failure): (job.state, job.failure) = (.failed, failure)
        case .cancelled: job.state = .cancelled
        }
        return job
    }
}
