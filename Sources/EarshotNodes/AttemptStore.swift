package import EarshotCore

/// A limit of attempts that are counted together.
package struct AttemptLimit: Hashable, Sendable {
    /// A name for what is counted together.
    package let key: String
    /// The most attempts in a window.
    package let most: Int
    /// The time for which attempts are counted together, from the first one on, in seconds.
    package let window: Double
    /// The time between attempts that still pass beyond the limit, in seconds. Default: none passes.
    package let pause: Double
    /// A mark that lifts the limit: while there is one, the limit does not hold and counts nothing. `nil` if the limit always holds.
    package let exemption: AttemptMark?

    package init(
        key: String,
        most: Int,
        window: Double,
        pause: Double = .infinity,
        exemption: AttemptMark? = nil
    ) {
        (self.key, self.most, self.window, self.pause, self.exemption) = (key, most, window, pause, exemption)
    }
}

/// A note that something is known of a subject, such as a place from which it has logged in.
package struct AttemptMark: Hashable, Sendable {
    /// The most marks of a subject; of more the oldest are forgotten.
    package static let most = 8

    package let subject: String
    package let name: String

    package init(subject: String, name: String) { (self.subject, self.name) = (subject, name) }
}

/// Counts attempts to log in, for all nodes that share the store. Time is the store's.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
package protocol AttemptStore: Sendable {
    /// Counts an attempt by some limits, as one step that no other attempt comes between.
    ///
    /// - Returns: The keys by which it is counted; `nil` if a limit is reached, and then it is counted by none.
    func count(_ limits: [AttemptLimit]) async throws(EarshotError) -> [String]?
    /// Takes an attempt back.
    ///
    /// - Parameters:
    ///   - keys: The keys by which it is counted no longer.
    ///   - forgotten: A key of which all attempts are forgotten; `nil` for none.
    ///   - mark: A mark that is noted; `nil` for none.
    ///   - seconds: The time for which the mark is kept, in seconds.
    func takeBack(
        _ keys: [String],
        forgetting forgotten: String?,
        noting mark: AttemptMark?,
        for seconds: Double
    ) async throws(EarshotError)
}
