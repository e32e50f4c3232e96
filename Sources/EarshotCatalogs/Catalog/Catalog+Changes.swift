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
    ///   - signature: Usually that of the whole original recording.
    ///   - items: The media items that the signature represents, at most 1,000; may be empty.
    ///   - id: The reference's name, 1 to 512 bytes of UTF-8. `nil` derives a name from the content.
    /// - Returns: The reference's name.
    /// - Throws: `signatureInvalid` for a signature without landmarks or of more than 100 hours; `referenceExists` if
    ///   the name is taken, empty or longer than 512 bytes; `mediaItemInvalid` for more than 1,000 items. After an
    ///   error the catalog is unchanged.
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
    /// - Throws: `referenceNotFound` if no reference has this name.
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

    /// Replaces the signature and the media items of a reference, which then counts as added last.
    ///
    /// - Throws: `referenceNotFound` if no reference has this name, and the errors of ``add(_:representing:id:)``.
    ///   After an error the catalog is unchanged.
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

    /// The largest total size of two segments in memory that are joined, in bytes: 64 MiB.
    private static let joinedSize = 64 << 20

    /// Appends a reference to the pending ones, and lays out the earlier ones first if they have many landmarks.
    mutating func append(_ reference: Reference) {
        if pendingLandmarkCount >= pendingLandmarkLimit { _ = try? matchTargets() }
        promotePending()
        knownContent?.add(reference.id, digest: reference.contentDigest)
        pendingNumbers[reference.id] = pending.count
        pending.append(reference)
        pendingLandmarkCount += reference.signature.landmarks.count
        pendingSegment = SegmentBox()
    }

    /// Moves pending references to the list of segments if a match has laid them out already, so that a later addition
    /// does not lay them out again. Then joins the last two segments while ``joinedTail()`` allows it, which keeps the
    /// number of segments small.
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

    /// Merges the last two segments in memory; `nil` if the first has more than twice the references of the last, if
    /// both exceed ``joinedSize``, or if one is damaged.
    private func joinedTail() -> MaskedSegment? {
        let tail = targets.suffix(2)
        guard tail.count == 2, let first = tail.first, let last = tail.last,
            first.segment.referenceCount <= 2 * last.segment.referenceCount,
            first.segment.bytes.count + last.segment.bytes.count <= Self.joinedSize,
            let image = try? SegmentMerger.image(
                of: tail.map { SegmentMerger.Source(target: $0, name: name) },
                limits: queryLimits
            ),
            // If one of the two is damaged, both stay as they are.
            let segment = try? Segment(MappedBytes(image), name: name)
        else { return nil }
        return MaskedSegment(segment: segment, removed: [])
    }

    /// Returns the given name, or the given name with a hyphen and a number if it is taken. The suffix contains no
    /// space, so that the name can be used in addresses and on command lines.
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
