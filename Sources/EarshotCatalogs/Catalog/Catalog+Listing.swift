public import EarshotCore
import EarshotSegments
package import EarshotSignatures

extension Catalog {
    /// The number of references.
    public var count: Int {
        targets.reduce(pending.count) { $0 + $1.segment.referenceCount - $1.removed.count }
    }

    /// `true` if there are no references.
    public var isEmpty: Bool { count == 0 }

    /// The size of the segments, in bytes. References added since the catalog was opened are not counted until they are
    /// indexed.
    public var byteCount: Int { targets.reduce(0) { $0 + $1.segment.bytes.count } }

    /// The names of all references, in order of adding.
    public var referenceIDs: [ReferenceID] {
        var ids: [ReferenceID] = []
        ids.reserveCapacity(count)
        for target in targets {
            for number in 0..<target.segment.referenceCount where !target.removed.contains(number) {
                ids.append(target.segment.id(number) ?? "")
            }
        }
        return ids + pending.map(\.id)
    }

    /// Returns the reference of a name; `nil` if there is none.
    ///
    /// - Throws: `catalogInvalid` if the reference is damaged.
    public func reference(_ id: ReferenceID) throws(EarshotError) -> Reference? {
        if let number = pendingNumbers[id] { return pending[number] }
        guard let (index, number) = place(of: id) else { return nil }
        return try load(number, of: targets[index])
    }

    /// Returns the first reference with an equal signature; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - signature: The signature as it would be added: only its strongest 48 landmarks a second are compared.
    ///   - id: The only reference to compare; `nil` compares all.
    /// - Throws: `catalogInvalid` if a reference with the same digest is damaged.
    package func reference(of signature: Signature, id: ReferenceID? = nil) throws(EarshotError) -> Reference? {
        let kept = signature.thinned(to: Reference.density)
        if let id {
            guard let reference = try reference(id), reference.signature == kept else { return nil }
            return reference
        }
        let digest = kept.contentDigest
        for target in targets {
            for (number, record) in target.segment.records.enumerated()
            where record.contentDigest >> 32 == UInt64(digest) && !target.removed.contains(number) {
                let reference = try load(number, of: target)
                if reference.signature == kept { return reference }
            }
        }
        return pending.first { $0.signature == kept }
    }

    /// Returns `true` if there is a reference of a name.
    public func contains(_ id: ReferenceID) -> Bool {
        pendingNumbers[id] != nil || place(of: id) != nil
    }

    /// Calls `body` with every reference, in order of adding. Each reference is loaded just before its call.
    ///
    /// - Throws: `catalogInvalid` at the first damaged reference, and the errors of `body`.
    public func forEachReference(_ body: (Reference) throws -> Void) throws {
        for target in targets {
            for number in 0..<target.segment.referenceCount where !target.removed.contains(number) {
                try body(try load(number, of: target))
            }
        }
        for reference in pending { try body(reference) }
    }

    func place(of id: ReferenceID) -> (target: Int, number: Int)? {
        for (index, target) in targets.enumerated() {
            guard let number = target.segment.number(of: id), !target.removed.contains(number) else { continue }
            return (index, number)
        }
        return nil
    }

    func load(_ number: Int, of target: MaskedSegment) throws(EarshotError) -> Reference {
        guard let reference = target.segment.reference(number) else {
            throw EarshotError(
                .catalogInvalid,
                "\(name) is damaged: reference \(number + 1) cannot be read. Make the catalog again."
            )
        }
        return reference
    }
}
