import Dispatch

/// Whether something runs where user interfaces do.
///
/// On Linux the main queue is not bound to the thread that the program began on, so the thread says nothing: the queue
/// carries a mark instead.
package enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the caller runs on the main queue, as what is bound to the main actor does.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
}
