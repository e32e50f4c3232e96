/// The time to wait for a lock, and the functions to call meanwhile.
package struct LockPatience: Sendable {
    /// The time to wait for the lock, in seconds; `nil` for no limit. A lock of a service is not waited for unless this
    /// is `nil`.
    package var seconds: Double?
    /// Called once before waiting begins, with the holder of the lock, or `nil` if it is not known.
    package var onWait: @Sendable (LockHolder?) -> Void
    /// Returns the error for a lock that could not be taken, from the path of the file and the holder; `nil` to use the
    /// error of the locked store.
    package var refusal: (@Sendable (String, LockHolder?) -> EarshotError)?

    /// Creates a time to wait.
    ///
    /// - Parameters:
    ///   - seconds: The time to wait, in seconds; `nil` for no limit.
    ///   - onWait: Called once before waiting begins.
    ///   - refusal: Returns the error for a lock that could not be taken; `nil` to use the error of the locked store.
    package init(
        seconds: Double?,
        onWait: @escaping @Sendable (LockHolder?) -> Void = { _ in },
        refusal: (@Sendable (String, LockHolder?) -> EarshotError)? = nil
    ) {
        (self.seconds, self.onWait, self.refusal) = (seconds, onWait, refusal)
    }

    /// Waits without a time limit.
    package static let endless = LockPatience(seconds: nil)
    /// Fails at once if the lock is taken.
    package static let none = LockPatience(seconds: 0)
}
