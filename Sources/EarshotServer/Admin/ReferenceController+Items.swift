import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import Hummingbird

extension ReferenceController {
    /// The media items of a reference.
    struct ItemList: Codable, Sendable {
        /// The items, each an object with a member for each property.
        let items: [JSONValue]
    }

    /// The most bytes of the items of a reference.
    private static let itemsLimit = 8 << 20

    /// Reads and replaces the media items of references.
    var items: [Endpoint] {
        let list = Endpoint.Response(
            status: 200,
            summary: "The items.",
            type: "application/json",
            schema: Schemas.reference("MediaItemList")
        )
        return [
            Endpoint(
                method: .get,
                path: "/v1/references/{id}/items",
                id: "itemsOfReference",
                summary: "The media items of a reference with all their properties.",
                tag: "Catalog",
                access: .right(.references),
                parameters: [.id("The reference.")],
                responses: [list, .notFound],
                handler: { context in try .json(ItemList(items: try await find(context).items.map(\.json))) }
            ),
            Endpoint(
                method: .put,
                path: "/v1/references/{id}/items",
                id: "putItemsOfReference",
                summary: """
                    Puts other media items in the place of a reference's. Its audio stays, and it is listed last from then on.
                    """,
                tag: "Catalog",
                access: .right(.references),
                parameters: [.id("The reference.")],
                body: ["application/json": Schemas.reference("MediaItemList")],
                isWriting: true,
                responses: [
                    list, .failure(400, "An item breaks a rule; the message names the path to the value."), .notFound,
                    .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                ],
                handler: { context in
                    try catalog.checkChangeable()
                    let list = try await context.document(ItemList.self, limit: Self.itemsLimit)
                    var items: [MediaItem] = []
                    for json in list.items { items.append(try MediaItem(json: json)) }
                    let id = ReferenceID(try context.path("id"))
                    try await references.changeItems(of: id, for: context.identity.owner) { [items] _ in items }
                    return try .json(ItemList(items: items.map(\.json)))
                }
            ),
        ]
    }
}
