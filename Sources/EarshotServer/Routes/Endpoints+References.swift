import Crypto
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import HTTPTypes
import Hummingbird

extension Endpoints {
    // MARK: - References

    static var references: [Endpoint] {
        let item: [Endpoint.Parameter] = [
            .text("title", "What the recording is called."), .text("artist", "Whose it is."),
            .text("album", "Its album."),
            .text("isrc", "Its ISRC."),
            .text("trackID", "The track that it is; its metadata is answered then."),
        ]
        let made = Endpoint.Answer(
            status: 201,
            summary: "The reference.",
            type: "application/json",
            schema: Schemas.reference("ReferenceRecord")
        )
        return [
            Endpoint(
                method: .get,
                path: "/v1/references",
                id: "references",
                summary: "The references of the catalog, in order of adding.",
                tag: "Catalog",
                access: .references,
                parameters: Schemas.page(limit: 1_000, default: 100),
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The references.",
                        type: "application/json",
                        schema: Schemas.reference("ReferencePage")
                    )
                ],
                handler: { try await list($0) }
            ),
            Endpoint(
                method: .post,
                path: "/v1/references",
                id: "addReference",
                summary:
                    "Adds a reference: the body is its audio or its signature, as for a recognition. One that is there already is answered as it is.",
                tag: "Catalog",
                access: .references,
                parameters: [.text("id", "Its name; without it the content gives one.")] + item,
                body: Upload.body,
                isQueued: true,
                answers: [
                    made,
                    Endpoint.Answer(
                        status: 200,
                        summary: "The reference that is there already.",
                        type: "application/json",
                        schema: Schemas.reference("ReferenceRecord")
                    ),
                    .failure(409, "The name is taken, or the recording is there with other metadata."),
                ] + Endpoint.Answer.uploadFailures,
                handler: { call in
                    try await add(call, id: try call.text("id").map { ReferenceID($0) }, replacing: false)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/references/{id}",
                id: "reference",
                summary: "A reference.",
                tag: "Catalog",
                access: .references,
                parameters: [.id("The reference.")],
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The reference.",
                        type: "application/json",
                        schema: Schemas.reference("ReferenceRecord")
                    ),
                    .notFound,
                ],
                handler: { call in
                    let reference = try find(call)
                    return try .json(record(reference))
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/references/{id}/signature",
                id: "signatureOfReference",
                summary: "The signature of a reference.",
                tag: "Catalog",
                access: .references,
                parameters: [.id("The reference.")],
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The signature.",
                        type: ServiceAPI.signatureType,
                        schema: ["type": "string", "format": "binary"]
                    ),
                    .notFound,
                ],
                handler: { call in .bytes(try find(call).signature.data, type: ServiceAPI.signatureType) }
            ),
            Endpoint(
                method: .put,
                path: "/v1/references/{id}",
                id: "putReference",
                summary: "Adds a reference, or puts it in the place of the one of the same name.",
                tag: "Catalog",
                access: .references,
                parameters: [.id("The reference.")] + item,
                body: Upload.body,
                isQueued: true,
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "Replaced.",
                        type: "application/json",
                        schema: Schemas.reference("ReferenceRecord")
                    ),
                    made,
                ] + Endpoint.Answer.uploadFailures,
                handler: { call in try await add(call, id: ReferenceID(try call.path("id")), replacing: true) }
            ),
            Endpoint(
                method: .delete,
                path: "/v1/references/{id}",
                id: "removeReference",
                summary: "Removes a reference.",
                tag: "Catalog",
                access: .references,
                parameters: [.id("The reference.")],
                answers: [Endpoint.Answer(status: 204, summary: "Removed."), .notFound],
                handler: { call in
                    let id = ReferenceID(try call.path("id"))
                    let holder = call.core.catalog
                    try await call.core.queue.run { () throws(EarshotError) in
                        try holder.change { try $0.remove([id]) }
                    }
                    return .empty
                }
            ),
        ] + catalogs
    }

    private static func find(_ call: Call) throws(EarshotError) -> Reference {
        let id = ReferenceID(try call.path("id"))
        guard let reference = try call.core.catalog.catalog.reference(id) else {
            throw EarshotError(.referenceNotFound, "The catalog has no reference named \(id.rawValue.prefix(120)).")
        }
        return reference
    }

    private static func record(_ reference: Reference) -> ReferenceRecord {
        record(reference.id, reference.signature, reference.items.first)
    }

    private static func record(_ id: ReferenceID, _ signature: Signature, _ item: MediaItem?) -> ReferenceRecord {
        ReferenceRecord(
            id: id.rawValue,
            duration: signature.duration.seconds,
            title: item?.title,
            artist: item?.artist,
            trackID: item?.serviceID
        )
    }

    private static func list(_ call: Call) async throws -> Response {
        let offset = try call.number("offset", 0...100_000_000, default: 0)
        let limit = try call.number("limit", 1...1_000, default: 100)
        let catalog = call.core.catalog.catalog
        let page = try await call.core.queue.run { () throws(EarshotError) in
            var records: [ReferenceRecord] = []
            let ids = catalog.referenceIDs
            for id in ids.dropFirst(offset).prefix(limit) {
                if let reference = try catalog.reference(id) { records.append(record(reference)) }
            }
            return ReferencePage(references: records, offset: offset, total: ids.count)
        }
        return try .json(page)
    }

    private static func add(_ call: Call, id: ReferenceID?, replacing: Bool) async throws -> Response {
        _ = try call.core.catalog.changeable()
        let upload = try await Upload.read(call, limit: nil, isLive: false)
        var fields: [String: String] = [:]
        for (name, value) in call.parameters + upload.fields where !value.isEmpty { fields[name] = value }
        let (record, isNew) = try await keep(
            upload.signature,
            id: id ?? fields["id"].map { ReferenceID($0) },
            fields,
            replacing: replacing,
            call.core
        )
        return try .json(record, isNew ? .created : .ok)
    }

    /// Keeps a reference; when this returns it is on the disk.
    static func keep(
        _ signature: Signature,
        id: ReferenceID?,
        _ fields: [String: String],
        replacing: Bool,
        _ core: ServiceCore
    ) async throws(EarshotError) -> (record: ReferenceRecord, isNew: Bool) {
        if let id, !(1...512).contains(id.rawValue.utf8.count) {
            throw EarshotError(.requestInvalid, "A reference's name takes 1 to 512 bytes.")
        }
        var given: [MediaItemKey: PropertyValue] = [:]
        for (name, key) in [
            ("title", MediaItemKey.title), ("artist", .artist), ("album", .album), ("isrc", .isrc),
            ("trackID", .serviceID),
        ] {
            if let value = fields[name] { given[key] = .string(value) }
        }
        let item = try MediaItem(properties: given)
        let (holder, properties) = (core.catalog, item.properties)
        return try await core.queue.run { () throws(EarshotError) in
            try holder.change { store in
                try store.change { catalog in
                    if let id, replacing, catalog.contains(id) {
                        try catalog.replace(id, with: signature, representing: [item])
                        return (record(id, signature, item), false)
                    }
                    if let present = try present(signature, id: id, properties, in: catalog) {
                        return (record(present), false)
                    }
                    let name = try catalog.add(signature, representing: [item], id: id)
                    return (record(name, signature, item), true)
                }
            }
        }
    }

    /// The reference that is there already of what is sent once more; `nil` when there is none.
    ///
    /// - Parameter id: The name that is asked for; without one a reference of any name counts.
    /// - Throws: `referenceExists` for the same recording with other metadata, where no name is asked for.
    private static func present(
        _ signature: Signature,
        id: ReferenceID?,
        _ properties: [MediaItemKey: PropertyValue],
        in catalog: Catalog
    ) throws(EarshotError) -> Reference? {
        guard let present = try catalog.reference(of: signature, id: id) else { return nil }
        let known = present.items.first?.properties ?? [:]
        let other = properties.filter { known[$0.key] != $0.value }.map(\.key.rawValue).sorted()
        guard !other.isEmpty else { return present }
        // A name that is taken is told as such.
        guard id == nil else { return nil }
        let name = present.id.rawValue.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        throw EarshotError(
            .referenceExists,
            "The catalog has this recording as \(present.id.rawValue.prefix(120)), with another \(other.joined(separator: ", ")): change "
                + "that one with PUT /v1/references/\(name), or give this one a name with the parameter id."
        )
    }

    // MARK: - Catalogs

    private static var catalogs: [Endpoint] {
        let file = Endpoint.Answer(
            status: 200,
            summary: "The catalog file.",
            type: ServiceAPI.catalogType,
            schema: ["type": "string", "format": "binary"]
        )
        let name = Endpoint.Parameter.id("The catalog's name.", name: "name")
        return [
            Endpoint(
                method: .get,
                path: "/v1/catalog",
                id: "exportCatalog",
                summary: "The catalog as it is now, as a file that every client of this kind opens.",
                tag: "Catalog",
                access: .references,
                answers: [file],
                handler: { try await export($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/catalogs",
                id: "catalogs",
                summary: "The newest version of each catalog that is published.",
                tag: "Catalog",
                access: .client,
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The catalogs.",
                        type: "application/json",
                        schema: Schemas.list("CatalogVersion")
                    )
                ],
                handler: { call in
                    let published = PublishedCatalogs(folder: call.core.folder)
                    return try .json(try published.names().compactMap { try published.versions(of: $0).last })
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/catalogs/{name}",
                id: "newestCatalog",
                summary: "The newest version of a published catalog.",
                tag: "Catalog",
                access: .client,
                parameters: [name],
                answers: [file, .notFound],
                handler: { call in try await download(call, nil) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/catalogs/{name}/versions",
                id: "catalogVersions",
                summary: "The versions of a published catalog, the oldest first.",
                tag: "Catalog",
                access: .client,
                parameters: [name],
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The versions.",
                        type: "application/json",
                        schema: Schemas.list("CatalogVersion")
                    ),
                    .notFound,
                ],
                handler: { call in
                    let name = try call.path("name")
                    let versions = try PublishedCatalogs(folder: call.core.folder).versions(of: name)
                    guard !versions.isEmpty else { throw missing("catalog", name) }
                    return try .json(versions)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/catalogs/{name}/versions/{version}",
                id: "catalogVersion",
                summary: "A version of a published catalog.",
                tag: "Catalog",
                access: .client,
                parameters: [
                    name,
                    Endpoint.Parameter(
                        name: "version",
                        place: .path,
                        schema: ["type": "integer", "minimum": 1],
                        summary: "The version, counted from 1.",
                        isRequired: true
                    ),
                ],
                answers: [file, .notFound],
                handler: { call in
                    guard let version = Int(try call.path("version")), version > 0 else {
                        throw EarshotError(.requestInvalid, "A version is a whole number from 1.")
                    }
                    return try await download(call, version)
                }
            ),
            Endpoint(
                method: .post,
                path: "/v1/catalogs/{name}/versions",
                id: "publishCatalog",
                summary:
                    "Publishes the catalog as it is now as the newest version under a name of letters, digits, hyphens and dots.",
                tag: "Catalog",
                access: .references,
                parameters: [name],
                answers: [
                    Endpoint.Answer(
                        status: 201,
                        summary: "The version.",
                        type: "application/json",
                        schema: Schemas.reference("CatalogVersion")
                    )
                ],
                handler: { call in
                    let name = try call.path("name")
                    let published = PublishedCatalogs(folder: call.core.folder)
                    let catalog = call.core.catalog.catalog
                    let version = try await call.core.queue.run { () throws(EarshotError) in
                        try published.publish(catalog, as: name)
                    }
                    return try .json(version, .created)
                }
            ),
        ]
    }

    private static func export(_ call: Call) async throws -> Response {
        let catalog = call.core.catalog.catalog
        let folder = call.core.folder.appendingPathComponent("tmp-\(UUID().uuidString).earcat")
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try await call.core.queue.run { () throws(EarshotError) in try catalog.write(to: folder) }
        // The open file is read on when its name is gone.
        return try Response.file(folder, type: ServiceAPI.catalogType, tag: nil, [:])
    }

    private static func download(_ call: Call, _ version: Int?) async throws -> Response {
        let name = try call.path("name")
        let published = PublishedCatalogs(folder: call.core.folder)
        let versions = try published.versions(of: name)
        guard let found = version.map({ wanted in versions.first { $0.version == wanted } }) ?? versions.last else {
            throw missing(version == nil ? "catalog" : "version of the catalog", name)
        }
        return try Response.file(
            published.url(name, found.version),
            type: ServiceAPI.catalogType,
            tag: "\"\(found.sha256)\"",
            call.request.headers
        )
    }
}
