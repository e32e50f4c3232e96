/// The statuses that an operation may still report: phases never go back, percentages never fall, and nothing follows
/// its end or cancellation.
struct OperationProgress: Hashable, Sendable {
    let kind: OperationKind
    private(set) var phase: OperationPhase?
    private(set) var percent = 0
    private(set) var isCancelling = false
    private(set) var isFinished = false

    init(_ kind: OperationKind) {
        self.kind = kind
    }

    /// A phase begins.
    ///
    /// - Returns: The status to report; `nil` if the phase is not one of the operation's, or not the next.
    mutating func enter(_ next: OperationPhase) -> OperationStatus? {
        guard !isCancelling, !isFinished, kind.phases.contains(next), next != .recording else { return nil }
        if let phase, next <= phase { return nil }
        phase = next
        return OperationStatus(next)
    }

    /// So much is recorded.
    ///
    /// - Parameter share: From 0 to 1.
    /// - Returns: The statuses to report: every tenth percent once, in order.
    mutating func record(_ share: Double) -> [OperationStatus] {
        guard !isCancelling, !isFinished, kind.records, phase == nil || phase == .recording else { return [] }
        phase = .recording
        // A share that is a hair short of a tenth by rounding is that tenth.
        let tenths = share.isNaN ? 0 : Int((min(max(share, 0), 1) * 10 + 1e-9).rounded(.down))
        var statuses: [OperationStatus] = []
        while percent < tenths * 10 {
            percent += 10
            statuses.append(OperationStatus(.recording, percent: percent))
        }
        return statuses
    }

    /// Somebody wants no more of it.
    ///
    /// - Returns: `true` if that changes anything.
    mutating func cancel() -> Bool {
        guard !isCancelling, !isFinished else { return false }
        isCancelling = true
        return true
    }

    /// It has come to its end.
    ///
    /// - Parameter isSuccess: `true` if there is a result.
    /// - Returns: The last status; `nil` for a failure, which has no result to come.
    mutating func finish(isSuccess: Bool) -> OperationStatus? {
        let status = isSuccess ? enter(.done) : nil
        isFinished = true
        return status
    }
}
