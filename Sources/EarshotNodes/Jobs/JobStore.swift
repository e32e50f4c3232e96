package import EarshotCore

/// Keeps the jobs of a service. Any node takes the next one, and holds it by a lease. Time is measured by the store: clocks of nodes do not
/// matter.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
package protocol JobStore: Sendable {
    /// Accepts a job. The limits are compared in the same step: of several that are submitted at the same moment no more are accepted than
    /// fit.
    ///
    /// - Throws: `serviceBusy` when too many wait, `tooManyRequests` when too many of the owner do.
    func submit(_ order: JobOrder, limits: JobLimits) async throws(EarshotError) -> Job
    /// Takes in a job of another store, without limits: one that is not over waits. Nothing happens if the queue has a job of its
    /// identifier.
    func adopt(_ job: Job) async throws(EarshotError)
    /// Returns the number of jobs that are not over.
    ///
    /// - Parameter owner: The owner whose jobs are also counted.
    func load(of queue: String, owner: String?) async throws(EarshotError) -> JobLoad

    /// Takes the next job: those that come first, then one of each owner in turn. A job whose lease has ended is taken again. A job that was
    /// to be given up, and whose lease has ended, is ended.
    ///
    /// - Parameters:
    ///   - queue: The jobs among which is chosen.
    ///   - node: The node that takes it.
    ///   - place: The folder of the node. A job that needs another one is left.
    ///   - seconds: The time for which the lease lasts from now on unless it is prolonged, in seconds.
    /// - Returns: The job with its lease; `nil` if there is none.
    func claim(
        in queue: String,
        for node: NodeID,
        at place: PlaceID,
        seconds: Double
    ) async throws(EarshotError) -> Job?
    /// Prolongs the lease of a job that was claimed, and tells how far it is.
    ///
    /// - Returns: The job, which says if it is to be given up; `nil` if another node holds it by now, or nobody.
    func prolong(_ job: Job, progress: Double, seconds: Double) async throws(EarshotError) -> Job?
    /// Ends a job that was claimed.
    ///
    /// - Returns: The job; `nil` if another node holds it by now, or nobody.
    func finish(_ job: Job, _ outcome: Job.Outcome) async throws(EarshotError) -> Job?
    /// Puts a job back that was claimed: it begins again, before others of its owner. Nothing happens if another node holds it by now.
    func release(_ job: Job) async throws(EarshotError)

    /// Gives a job up: one that waits is over; the holder of one that runs is told when it prolongs its lease.
    ///
    /// - Returns: The job; `nil` if there is none.
    func cancel(_ id: String, in queue: String) async throws(EarshotError) -> Job?
    /// Fails the jobs that need a folder which is not among some, and that no node holds.
    ///
    /// - Parameters:
    ///   - queue: The jobs among which is chosen.
    ///   - places: The folders whose jobs are left.
    ///   - age: Jobs that were submitted fewer seconds ago are left.
    ///   - failure: The failure that the jobs end with.
    /// - Returns: The jobs.
    func fail(
        in queue: String,
        exceptAt places: Set<PlaceID>,
        olderThan age: Double,
        _ failure: Job.Failure
    ) async throws(EarshotError) -> [Job]
    /// Forgets a job that is over; nothing happens with others.
    func forget(_ id: String, in queue: String) async throws(EarshotError)
    /// Forgets the jobs that ended first, of the owner and of all, where more are over than the limits allow.
    func trim(_ queue: String, owner: String, limits: JobLimits) async throws(EarshotError)

    /// Returns a job; `nil` if there is none.
    func job(_ id: String, in queue: String) async throws(EarshotError) -> Job?
    /// Returns the jobs, the one that was submitted last first.
    ///
    /// - Parameter owner: The owner; `nil` for all.
    func jobs(in queue: String, of owner: String?) async throws(EarshotError) -> [Job]
}
