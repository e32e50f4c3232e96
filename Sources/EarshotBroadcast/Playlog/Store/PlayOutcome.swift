/// The outcome of writing a record or a gap.
public struct PlayOutcome: Hashable, Sendable {
    /// The outcome.
    public enum Result: Hashable, Sendable {
        /// It was written; the change has this number.
        case stored(sequence: Int)
        /// The same was there already.
        case unchanged
        /// A final one was there, which a provisional one does not replace, and which cannot be withdrawn.
        case keptFinal
        /// It cannot be kept, and why.
        case refused(String)
    }

    /// The identifier.
    public let id: String
    /// The outcome.
    public let result: Result
    /// The corrections.
    public let notices: [PlayNotice]

    /// An outcome. Stores make them.
    ///
    /// - Parameters:
    ///   - id: The identifier.
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

/// The rules by which one record takes the place of another: the same for every store.
package enum PlayReplacement: Hashable, Sendable {
    case store(PlayEvent)
    case unchanged
    case keptFinal

    /// - Parameters:
    ///   - new: A checked record.
    ///   - old: What is there.
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

    /// - Parameters:
    ///   - new: A checked gap.
    ///   - old: What is there.
    package init(of old: StreamGap?, by new: StreamGap) {
        switch old {
        case nil: self = .store(new.end == nil ? .streamLost : .streamBack)
        case .some(new): self = .unchanged
        case .some(let old) where old.end == nil: self = .store(new.end == nil ? .streamCorrected : .streamBack)
        case .some: self = new.end == nil ? .keptFinal : .store(.streamCorrected)
        }
    }
}
