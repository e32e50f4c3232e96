package import EarshotCore

/// Keeps the jobs of a service that is the only node, so that they outlive its process.
package protocol JobArchive: Sendable {
    /// Returns all jobs that are kept, in any order.
    func jobs() async throws(EarshotError) -> [Job]
    /// Keeps a job that was submitted or has ended, in place of the one of its queue and identifier.
    func keep(_ job: Job) async throws(EarshotError)
    /// Removes a job.
    func remove(_ id: String, in queue: String) async throws(EarshotError)
}
