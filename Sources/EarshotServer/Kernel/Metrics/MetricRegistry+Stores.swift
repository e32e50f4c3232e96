import CoreMetrics
package import EarshotCore

extension MetricRegistry {
    /// Counts a finished operation of the database.
    ///
    /// - Parameters:
    ///   - kind: `read` or `write`.
    ///   - seconds: The time that it took, in seconds; `nil` if it was refused at once.
    ///   - failure: The code of the error; `nil` if the operation succeeded.
    package func countDatabaseWork(_ kind: String, seconds: Double?, failure: EarshotError.Code?) {
        count("earshot_database", ("kind", kind), seconds: seconds, failure: failure)
    }

    /// Counts a request to a bucket that ended.
    ///
    /// - Parameters:
    ///   - operation: `get`, `put` or `delete`.
    ///   - seconds: The time that it took, with all its attempts, in seconds.
    ///   - bytes: The number of bytes transferred.
    ///   - failure: The code of the error; `nil` if the request succeeded.
    func countBucketRequest(_ operation: String, seconds: Double, bytes: Int, failure: EarshotError.Code?) {
        count("earshot_bucket", ("operation", operation), seconds: seconds, failure: failure)
        guard bytes > 0 else { return }
        makeCounter(label: "earshot_bucket_bytes", dimensions: [("operation", operation)]).increment(by: Int64(bytes))
    }

    private func count(
        _ name: String,
        _ dimension: (String, String),
        seconds: Double?,
        failure: EarshotError.Code?
    ) {
        if let seconds, let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) {
            makeTimer(label: "\(name)_duration", dimensions: [dimension]).recordNanoseconds(nanoseconds)
        }
        guard let failure else { return }
        makeCounter(label: "\(name)_failures", dimensions: [dimension, ("code", failure.description)])
            .increment(by: Int64(1))
    }
}
