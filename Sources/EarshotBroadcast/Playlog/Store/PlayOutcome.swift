/// The outcome of writing a record or a gap.
public struct PlayOutcome: Hashable, Sendable {
    /// The outcome.
    public enum Result: Hashable, Sendable {
        /// It was written; the change has this number.
        case stored(sequence: Int)
        /// An equal one was stored already.
        case unchanged
        /// A final one is stored, which a provisional one does not replace and which cannot be withdrawn.
        case keptFinal
        /// It was refused, with the reason.
        case refused(String)
    }

    /// The identifier of the play or gap.
    public let id: String
    /// The outcome.
    public let result: Result
    /// The corrections.
    public let notices: [PlayNotice]

    /// Creates an outcome. Only stores do so.
    ///
    /// - Parameters:
    ///   - id: The identifier of the play or gap.
    ///   - result: The outcome.
    ///   - notices: The corrections.
    public init(id: String, result: Result, notices: [PlayNotice] = []) {
        self.id = id
        self.result = result
        self.notices = notices
    }

    /// The number of the change; `nil` if nothing was written.
    public var sequence: Int? {
        guard case .stored(let sequence) = result else { return nil }
        return sequence
    }
}

/// The result of writing a record over another, by rules that are the same for every store.
package enum PlayReplacement: Hashable, Sendable {
    case store(PlayEvent)
    case unchanged
    case keptFinal

    /// Decides about a play.
    ///
    /// - Parameters:
    ///   - old: The stored record; `nil` if there is none.
    ///   - new: A checked record.
    package init(of old: PlayRecord?, by new: PlayRecord) {
        guard let old else {
            if new.kind == .unknown, new.referenceID != nil {
                self = .store(.unknownRepeated)
            } else {
                self = .store(new.state == .final ? .playEnded : .playStarted)
            }
            return
        }
        switch (old.state, new.state) {
        case _ where old == new: self = .unchanged
        case (.final, .provisional): self = .keptFinal
        case (.final, .final): self = .store(.playCorrected)
        case (.provisional, .final): self = .store(.playEnded)
        case (.provisional, .provisional): self = .store(.playUpdated)
        }
    }

    /// Decides about a gap.
    ///
    /// - Parameters:
    ///   - old: The stored gap; `nil` if there is none.
    ///   - new: A checked gap.
    package init(of old: StreamGap?, by new: StreamGap) {
        switch old {
        case nil: self = .store(new.end == nil ? .streamLost : .streamBack)
        case .some(new): self = .unchanged
        case .some(let old) where old.end == nil: self = .store(new.end == nil ? .streamCorrected : .streamBack)
        case .some: self = new.end == nil ? .keptFinal : .store(.streamCorrected)
        }
    }
}
