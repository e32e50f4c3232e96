import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Exports the catalog, and publishes versions of it.
struct CatalogController: Controller {
    let catalog: CatalogProvider
    let published: OfferedCatalogs
    /// The catalog as a file.
    let copy: CatalogCopy

    var endpoints: [Endpoint] {
        let file = Endpoint.Response(
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
                access: .right(.references),
                responses: [file, .failure(507, "There is no room for the file.")],
                handler: { _ in try await copy.response() }
            ),
            Endpoint(
                method: .get,
                path: "/v1/catalogs",
                id: "catalogs",
                summary: "The newest version of each catalog that is published.",
                tag: "Catalog",
                access: .client,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The catalogs.",
                        type: "application/json",
                        schema: Schemas.list("CatalogVersion")
                    )
                ],
                handler: { _ in try .json(try await published.newest()) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/catalogs/{name}",
                id: "newestCatalog",
                summary: "The newest version of a published catalog.",
                tag: "Catalog",
                access: .client,
                parameters: [name],
                responses: Endpoint.Response.file(ServiceAPI.catalogType) + [.notFound],
                handler: { context in try await download(context, nil) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/catalogs/{name}/versions",
                id: "catalogVersions",
                summary: "The versions of a published catalog, the oldest first.",
                tag: "Catalog",
                access: .client,
                parameters: [name],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The versions.",
                        type: "application/json",
                        schema: Schemas.list("CatalogVersion")
                    ),
                    .notFound,
                ],
                handler: { context in
                    let name = try context.path("name")
                    let versions = try await published.versions(of: name)
                    guard !versions.isEmpty else { throw EarshotError.missing("catalog", name) }
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
                responses: Endpoint.Response.file(ServiceAPI.catalogType) + [.notFound],
                handler: { context in
                    guard let version = Int(try context.path("version")), version > 0 else {
                        throw EarshotError(
                            .requestInvalid,
                            "The version in the path is no whole number from 1: give one."
                        )
                    }
                    return try await download(context, version)
                }
            ),
            Endpoint(
                method: .post,
                path: "/v1/catalogs/{name}/versions",
                id: "publishCatalog",
                summary:
                    "Publishes the catalog as it is now as the newest version under a name of letters, digits, hyphens and dots.",
                tag: "Catalog",
                access: .right(.references),
                parameters: [name],
                isWriting: true,
                responses: [
                    Endpoint.Response(
                        status: 201,
                        summary: "The version.",
                        type: "application/json",
                        schema: Schemas.reference("CatalogVersion")
                    )
                ],
                handler: { context in
                    let name = try context.path("name")
                    let version = try await published.publish(try await catalog.whole(), as: name, at: context.now)
                    return try .json(version, .created)
                }
            ),
        ]
    }

    private func download(_ context: RequestContext, _ version: Int?) async throws -> Response {
        let name = try context.path("name")
        guard let (found, url) = try await published.file(of: name, version) else {
            throw EarshotError.missing(version == nil ? "catalog" : "version of the catalog", name)
        }
        return try Response.file(
            url,
            type: ServiceAPI.catalogType,
            tag: "\"\(found.sha256)\"",
            context.request.headers
        )
    }
}
