/// The time to wait for a lock, and the message meanwhile.
package struct LockPatience: Sendable {
    /// Seconds to wait for another program; `nil` for as long as it takes. For a service nobody waits unless this is `nil`.
    package var seconds: Double?
    /// Called once before the waiting begins, with the holder of the lock if it is known.
    package var onWait: @Sendable (LockHolder?) -> Void
    /// Makes the error for a lock that could not be taken, from the path and the holder; `nil` for the error of the
    /// locked object.
    package var refusal: (@Sendable (String, LockHolder?) -> EarshotError)?

    /// A patience.
    ///
    /// - Parameters:
    ///   - seconds: Seconds to wait; `nil` for as long as it takes.
    ///   - onWait: Told before the waiting begins.
    ///   - refusal: The error where the lock could not be had.
    package init(
        seconds: Double?,
        onWait: @escaping @Sendable (LockHolder?) -> Void = { _ in },
        refusal: (@Sendable (String, LockHolder?) -> EarshotError)? = nil
    ) {
        (self.seconds, self.onWait, self.refusal) = (seconds, onWait, refusal)
    }

    /// Waits for as long as it takes.
    package static let endless = LockPatience(seconds: nil)
    /// Does not wait.
    package static let none = LockPatience(seconds: 0)
}
