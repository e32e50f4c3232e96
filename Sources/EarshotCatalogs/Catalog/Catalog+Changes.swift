public import EarshotCore
import EarshotSegments
public import EarshotSignatures
import Synchronization

extension Catalog {
    /// Adds a signature with the media items that it represents.
    ///
    /// The catalog keeps the strongest 48 landmarks a second.
    ///
    /// - Parameters:
    ///   - signature: Of the whole original, usually.
    ///   - items: The media items that the signature represents: up to 1,000, or none.
    ///   - id: A name for the reference; without it the content gives one.
    /// - Returns: The reference's name.
    /// - Throws: `signatureInvalid` for a signature without landmarks or of more than 100 hours, `referenceExists` if
    ///   the name is taken, `mediaItemInvalid` for too many items. The catalog is unchanged after an error.
    @discardableResult
    public mutating func add(
        _ signature: Signature,
        representing items: [MediaItem],
        id: ReferenceID? = nil
    ) throws(EarshotError) -> ReferenceID {
        guard !signature.isEmpty else {
            throw EarshotError(
                .signatureInvalid,
                "The signature\(id.map { " of \($0)" } ?? "") is empty: its audio is silent or shorter than 0.13 s."
            )
        }
        guard signature.duration <= Signature.maximumDuration else {
            throw EarshotError(
                .signatureInvalid,
                "The signature\(id.map { " of \($0)" } ?? "") stands for more than 100 hours: cut it into slices."
            )
        }
        guard items.count <= Reference.maximumItems else {
            throw EarshotError(
                .mediaItemInvalid,
                "A reference may have 1,000 media items, and \(items.count) were given: give fewer."
            )
        }
        let kept = signature.thinned(to: Reference.density)
        var reference = Reference(id: id ?? "", signature: kept, items: items)
        if let id {
            guard (1...Reference.maximumNameSize).contains(id.rawValue.utf8.count) else {
                throw EarshotError(.referenceExists, "A reference's name takes 1 to 512 bytes: shorten \"\(id)\".")
            }
            guard !contains(id) else {
                throw EarshotError(
                    .referenceExists,
                    "The catalog has a reference named \(id) already: replace it, or choose another name."
                )
            }
        } else {
            reference = Reference(id: freeName(Self.name(of: reference)), signature: kept, items: items)
        }
        append(reference)
        return reference.id
    }

    /// Removes a reference by its name; its audio is not needed.
    ///
    /// - Throws: `referenceNotFound`.
    public mutating func remove(_ id: ReferenceID) throws(EarshotError) {
        if let number = pendingNumbers[id] {
            knownContent?.remove(id, digest: pending[number].contentDigest)
            pendingLandmarkCount -= pending.remove(at: number).signature.landmarks.count
            pendingNumbers = Dictionary(uniqueKeysWithValues: pending.enumerated().map { ($1.id, $0) })
            pendingSegment = SegmentBox()
        } else if let (index, number) = place(of: id) {
            knownContent?.remove(id, digest: targets[index].segment.records[number].contentDigest)
            targets[index].removed.insert(number)
        } else {
            throw EarshotError(
                .referenceNotFound,
                "The catalog has no reference named \(id): list the catalog to see the names."
            )
        }
    }

    /// Puts another signature and other items in the place of a reference's. It then counts as added last.
    ///
    /// - Throws: `referenceNotFound`, and the errors of ``add(_:representing:id:)``. The catalog is unchanged after an
    ///   error.
    public mutating func replace(
        _ id: ReferenceID,
        with signature: Signature,
        representing items: [MediaItem]
    ) throws(EarshotError) {
        var changed = self
        try changed.remove(id)
        try changed.add(signature, representing: items, id: id)
        self = changed
    }

    // MARK: - Parts

    /// Segments in memory are joined up to this size.
    private static let joinedSize = 64 << 20

    mutating func append(_ reference: Reference) {
        if pendingLandmarkCount >= pendingLandmarkLimit { _ = try? matchTargets() }
        promotePending()
        knownContent?.add(reference.id, digest: reference.contentDigest)
        pendingNumbers[reference.id] = pending.count
        pending.append(reference)
        pendingLandmarkCount += reference.signature.landmarks.count
        pendingSegment = SegmentBox()
    }

    /// Takes the laid-out form of pending references, where there is one, into the list of segments, so that it is not
    /// built again with every reference that comes. Segments no larger than what comes after them are joined to it, which
    /// keeps their number small.
    private mutating func promotePending() {
        guard let built = pendingSegment.segment.withLock({ $0 }) else { return }
        targets.append(MaskedSegment(segment: built, removed: []))
        pending = []
        pendingNumbers = [:]
        pendingLandmarkCount = 0
        pendingSegment = SegmentBox()
        while let joined = joinedTail() {
            targets.removeLast(2)
            targets.append(joined)
        }
    }

    /// The last two segments as one, where they are to be joined.
    private func joinedTail() -> MaskedSegment? {
        let tail = targets.suffix(2)
        guard tail.count == 2, let first = tail.first, let last = tail.last,
            first.segment.referenceCount <= 2 * last.segment.referenceCount,
            first.segment.bytes.count + last.segment.bytes.count <= Self.joinedSize,
            let image = try? SegmentMerger.image(
                of: tail.map { SegmentMerger.Source(target: $0, name: name) },
                limits: queryLimits
            ),
            // A damaged one stays as it is.
            let segment = try? Segment(MappedBytes(image), name: name)
        else { return nil }
        return MaskedSegment(segment: segment, removed: [])
    }

    /// A name that is not taken: the given one, or the given one with a number appended. The suffix contains no space, so that
    /// the name can be used in addresses and on command lines.
    func freeName(_ wanted: String) -> ReferenceID {
        var id = ReferenceID(wanted)
        var number = 2
        while contains(id) {
            id = ReferenceID("\(wanted)-\(number)")
            number += 1
        }
        return id
    }

    private static func name(of reference: Reference) -> String {
        "signature-" + reference.contentDigest.hexadecimal
    }
}
