import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation
import Synchronization

/// Adds references to the catalog.
struct ReferenceWriter: Sendable {
    let catalog: CatalogProvider
    let queue: WorkQueue
    let owners: ResourceOwners
    /// The notes of unanswered additions; `nil` for a catalog of this machine alone, whose store says at once if an addition is kept.
    var unsettled: UnsettledAdditions?

    /// Adds or replaces a reference. It is durable when the function returns. An addition that the same client repeats because it was
    /// not told whether it is durable counts as new, whichever attempt has made it.
    ///
    /// - Parameters:
    ///   - signature: The signature of the reference.
    ///   - id: The name; `nil` to derive it from the content.
    ///   - fields: The properties of the reference.
    ///   - replacing: `true` if it takes the place of the one of the same name.
    ///   - client: The id of the client that keeps it; `nil` for the operator.
    /// - Throws: `accessDenied` for the reference of another client, and what the catalog throws.
    func keep(
        _ signature: Signature,
        id: ReferenceID?,
        _ fields: [String: String],
        replacing: Bool,
        for client: String?
    ) async throws(EarshotError) -> (record: ReferenceRecord, isNew: Bool) {
        if let id, !(1...512).contains(id.rawValue.utf8.count) {
            throw EarshotError(.requestInvalid, "The reference's id does not have 1 to 512 bytes: choose another.")
        }
        var given: [MediaItemKey: String] = [:]
        for (name, key) in [
            ("title", MediaItemKey.title), ("artist", .artist), ("album", .album), ("isrc", .isrc),
            ("trackID", .serviceID),
        ] {
            if let value = fields[name] { given[key] = value }
        }
        let item = try MediaItem(properties: given.mapValues { .string($0) })
        guard let unsettled else {
            return try await put(signature, id: id, item, replacing: replacing, for: client)
        }
        let name = unsettled.name(of: signature, id: id, given, for: client)
        let isRepeated = try await unsettled.isNoted(name)
        if isRepeated {
            if let record = try await settled(signature, id: id, item, for: client) {
                // A note that cannot be removed now expires after a day.
                try? await unsettled.forget(name)
                return (record, true)
            }
        } else {
            var isThere = false
            if let id { isThere = try await catalog.contains(id) }
            // Before the addition: when the database stops answering, no note can be written any more.
            if !isThere { try await unsettled.note(name) }
        }
        do throws(EarshotError) {
            var kept = try await put(signature, id: id, item, replacing: replacing, for: client)
            // The first attempt may have been committed between `settled` and `put`: then the repeated one found its reference.
            if isRepeated, !replacing, !kept.isNew,
                let record = try await settled(signature, id: id, item, for: client)
            {
                kept = (record, true)
            }
            try? await unsettled.forget(name)
            return kept
        } catch {
            if error.code != .storeUnavailable, error.code != .cancelled { try? await unsettled.forget(name) }
            throw error
        }
    }

    /// Returns the reference that an earlier attempt at the same addition has made, and gives it to the client. `nil` if it is not there,
    /// has another content, or belongs to another client.
    private func settled(
        _ signature: Signature,
        id: ReferenceID?,
        _ item: MediaItem,
        for client: String?
    ) async throws(EarshotError) -> ReferenceRecord? {
        let properties = item.properties
        // A change that changes nothing: it reads the newest catalog, not the one that this node has followed so far.
        let known = try await catalog.change(on: queue) { try present(signature, id: id, properties, in: $0) }
        guard let known else { return nil }
        do throws(EarshotError) {
            try await owners.claim(OwnedResource(.reference, known.id.rawValue), for: client)
        } catch {
            guard error.code == .accessDenied else { throw error }
            return nil
        }
        return ReferenceRecord(known)
    }

    private func put(
        _ signature: Signature,
        id: ReferenceID?,
        _ item: MediaItem,
        replacing: Bool,
        for client: String?
    ) async throws(EarshotError) -> (record: ReferenceRecord, isNew: Bool) {
        var isTaken = false
        if let id, !replacing { isTaken = try await catalog.contains(id) }
        guard let id, !isTaken else {
            let (record, isNew) = try await write(signature, id: id, item, replacing: false)
            if isNew { try await owners.give(OwnedResource(.reference, record.id), to: client) }
            return (record, isNew)
        }
        // Replaces only a reference whose owner was checked: one that another node adds meanwhile is somebody else's.
        let isThere = Mutex(false)
        return try await owners.change(
            OwnedResource(.reference, id.rawValue),
            for: client,
            exists: { () async throws(EarshotError) in
                let isHere = try await catalog.contains(id)
                isThere.withLock { $0 = isHere }
                return isHere
            },
            { () async throws(EarshotError) in
                let isThere = isThere.withLock { $0 }
                return try await write(signature, id: id, item, replacing: replacing && isThere)
            }
        )
    }

    /// Removes a reference.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - client: The id of the client that removes it; `nil` for the operator.
    /// - Throws: `referenceNotFound`, `accessDenied` for the reference of another client, and what the catalog throws.
    func remove(_ id: ReferenceID, for client: String?) async throws(EarshotError) {
        let (catalog, queue) = (catalog, queue)
        try await owners.remove(OwnedResource(.reference, id.rawValue), for: client) { () async throws(EarshotError) in
            try await catalog.change(on: queue) { try $0.remove(id) }
        }
    }

    /// Changes the media items of a reference; when this returns they are kept. The reference then counts as added last.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - client: The id of the client that changes it; `nil` for the operator.
    ///   - body: Gives the items in place of those that it is given.
    /// - Throws: `referenceNotFound`, `accessDenied` for the reference of another client, and what the catalog and the body throw.
    func changeItems(
        of id: ReferenceID,
        for client: String?,
        _ body: @escaping @Sendable ([MediaItem]) throws(EarshotError) -> [MediaItem]
    ) async throws(EarshotError) {
        try catalog.checkChangeable()
        let (holder, queue) = (catalog, queue)
        try await owners.change(
            OwnedResource(.reference, id.rawValue),
            for: client,
            exists: { () async throws(EarshotError) in try await holder.contains(id) },
            { () async throws(EarshotError) in
                try await holder.change(on: queue) { catalog in
                    guard let reference = try catalog.reference(id) else {
                        throw EarshotError(
                            .referenceNotFound,
                            "The catalog has no reference named \(id.rawValue.prefix(120)): list them with GET /v1/references."
                        )
                    }
                    let items = try body(reference.items)
                    guard items != reference.items else { return }
                    try catalog.replace(id, with: reference.signature, representing: items)
                }
            }
        )
    }

    private func write(
        _ signature: Signature,
        id: ReferenceID?,
        _ item: MediaItem,
        replacing: Bool
    ) async throws(EarshotError) -> (record: ReferenceRecord, isNew: Bool) {
        let (holder, properties) = (catalog, item.properties)
        return try await holder.change(on: queue) { catalog in
            if let id, replacing, catalog.contains(id) {
                // A new copy of the recording keeps its timed content.
                var properties = properties
                properties[.timeline] = try catalog.reference(id)?.items.lazy.compactMap { $0[.timeline] }.first
                let item = try MediaItem(properties: properties)
                try catalog.replace(id, with: signature, representing: [item])
                return (ReferenceRecord(id, signature, item), false)
            }
            if let present = try present(signature, id: id, properties, in: catalog) {
                return (ReferenceRecord(present), false)
            }
            let name = try catalog.add(signature, representing: [item], id: id)
            return (ReferenceRecord(name, signature, item), true)
        }
    }

    /// Returns the reference of the catalog with the same signature and metadata; `nil` if there is none.
    ///
    /// - Parameter id: The name that the reference must have; `nil` for any.
    /// - Throws: `referenceExists` for the same recording with other metadata if `id` is `nil`.
    private func present(
        _ signature: Signature,
        id: ReferenceID?,
        _ properties: [MediaItemKey: PropertyValue],
        in catalog: Catalog
    ) throws(EarshotError) -> Reference? {
        guard let present = try catalog.reference(of: signature, id: id) else { return nil }
        let known = present.items.first?.properties ?? [:]
        let other = properties.filter { known[$0.key] != $0.value }.map(\.key.rawValue).sorted()
        guard !other.isEmpty else { return present }
        // With a name, the catalog's own error says that the name is taken.
        guard id == nil else { return nil }
        let name = present.id.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        throw EarshotError(
            .referenceExists,
            "The catalog has this recording as \(present.id.rawValue.prefix(120)), with another \(other.joined(separator: ", ")): change "
                + "that one with PUT /v1/references/\(name), or give this one a name with the parameter id."
        )
    }
}

extension ReferenceRecord {
    init(_ reference: Reference) { self.init(reference.id, reference.signature, reference.items.first) }

    init(_ id: ReferenceID, _ signature: Signature, _ item: MediaItem?) {
        self.init(ReferenceSummary(id: id, duration: signature.duration, items: item.map { [$0] } ?? []))
    }

    init(_ summary: ReferenceSummary) {
        let item = summary.items.first
        self.init(
            id: summary.id.rawValue,
            duration: summary.duration.seconds,
            title: item?.title,
            artist: item?.artist,
            album: item?.album,
            trackID: item?.serviceID
        )
    }
}
