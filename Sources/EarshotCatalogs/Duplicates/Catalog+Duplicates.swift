public import EarshotCore
import EarshotSegments
public import EarshotSignatures
import Synchronization

extension Catalog {
    /// A reference to be added.
    public struct Addition: Sendable {
        /// The name that the reference gets.
        public let id: ReferenceID
        /// The signature to add.
        public let signature: Signature
        /// The media items that it represents.
        public let items: [MediaItem]

        /// Creates an addition.
        public init(id: ReferenceID, signature: Signature, items: [MediaItem]) {
            self.id = id
            self.signature = signature
            self.items = items
        }
    }

    /// The outcome of one addition.
    public struct AdditionOutcome: Sendable {
        /// The name of the addition.
        public let id: ReferenceID
        /// References that have audio in common with it: those of the same recording first, then by coverage.
        public internal(set) var duplicates: [Duplicate] = []
        /// The names of references that were removed in its favor.
        public internal(set) var replaced: [ReferenceID] = []
        /// `true` if it is in the catalog now.
        public internal(set) var isAdded = false
        /// The error of the addition; `nil` if it was added, or skipped as a duplicate.
        public internal(set) var failure: EarshotError?
    }

    /// Returns the references that have audio in common with a signature: those of the same recording first, then by
    /// coverage.
    ///
    /// Up to five slices of 10 s are searched, at the original speed only. The audio between the slices is compared
    /// only with references that a slice matches. So a short excerpt that lies between two slices is not detected.
    ///
    /// - Throws: `internalError` if the index over references added since the catalog was opened cannot be built.
    public func duplicates(of signature: Signature) throws(EarshotError) -> [Duplicate] {
        DuplicateFinder(try matchTargets()).duplicates(of: signature)
    }

    /// Adds references one after the other. Compares each with the references of the catalog and with earlier ones of
    /// the same call.
    ///
    /// - Returns: The outcome of each addition. A failed one does not affect the others.
    /// - Throws: `internalError` or `catalogInvalid` if the index cannot be built. The catalog is then unchanged.
    public mutating func add(
        _ additions: [Addition],
        duplicates policy: DuplicatePolicy
    ) throws(EarshotError) -> [AdditionOutcome] {
        var changed = self
        var outcomes: [AdditionOutcome] = []
        var before: [MaskedSegment] = []
        // One index over all additions: they are compared with each other too. If all of them are added, the catalog
        // takes this index over and builds no other.
        var batch: MaskedSegment?
        if policy != .ignore {
            before = try matchTargets()
            let references = additions.map {
                Reference(id: $0.id, signature: $0.signature.thinned(to: Reference.density), items: $0.items)
            }
            let image = try SegmentWriter.image(of: references, limits: queryLimits)
            batch = MaskedSegment(segment: try Segment(MappedBytes(image), name: name), removed: [])
        }
        var absent: Set<Int> = []
        for (number, addition) in additions.enumerated() {
            var outcome = AdditionOutcome(id: addition.id)
            if var batch {
                batch.removed = absent.union(number..<additions.count)
                outcome.duplicates = DuplicateFinder(before + [batch]).duplicates(of: addition.signature)
            }
            changed.settle(addition, policy, &outcome)
            for id in outcome.replaced {
                if let earlier = additions[..<number].lastIndex(where: { $0.id == id }), !absent.contains(earlier) {
                    absent.insert(earlier)
                } else if let index = before.firstIndex(where: { $0.live(id) != nil }), let old = before[index].live(id)
                {
                    before[index].removed.insert(old)
                }
            }
            if !outcome.isAdded { absent.insert(number) }
            outcomes.append(outcome)
        }
        if let batch, absent.isEmpty, changed.pending.count == additions.count {
            changed.pendingSegment.segment.withLock { $0 = batch.segment }
        }
        self = changed
        return outcomes
    }

    private mutating func settle(
        _ addition: Addition,
        _ policy: DuplicatePolicy,
        _ outcome: inout AdditionOutcome
    ) {
        let twins = outcome.duplicates.filter(\.isSameRecording).map(\.id)
        // Kept only when removed references may have to be restored: with a second copy, every change copies the
        // storage.
        let backup = policy == .replace && !twins.isEmpty ? self : nil
        do throws(EarshotError) {
            if !twins.isEmpty {
                switch policy {
                case .skip: return
                case .fail:
                    throw EarshotError(
                        .referenceExists,
                        "\(addition.id) is the same recording as \(twins[0]): leave it out, or choose another policy "
                            + "for duplicates."
                    )
                case .replace:
                    for id in twins { try remove(id) }
                    outcome.replaced = twins
                case .keep, .ignore: break
                }
            }
            do throws(EarshotError) {
                try add(addition.signature, representing: addition.items, id: addition.id)
            } catch {
                if let backup { self = backup }
                throw error
            }
            outcome.isAdded = true
        } catch {
            outcome.replaced = []
            outcome.failure = error
        }
    }
}

extension MaskedSegment {
    /// Returns the number of the reference with this name; `nil` if there is none or it was removed.
    fileprivate func live(_ id: ReferenceID) -> Int? {
        guard let number = segment.number(of: id), !removed.contains(number) else { return nil }
        return number
    }
}
