package import ArgumentParser
package import Earshot
import Foundation

/// The option that names the catalog to search. Without it the user's own catalog is searched.
package struct CatalogOption: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("catalog")],
        help: ArgumentHelp(
            "The catalog to search.",
            discussion: "Without it EARSHOT_CATALOG, or catalog.earstore in the user's data folder."
        ),
        completion: .file(extensions: ["earcat", "earstore"])
    )
    package var path: String?

    package init() {}

    /// Opens the catalog that the option names, or the user's own.
    ///
    /// - Throws: `catalogAddressInvalid` if there is none, and what opening a catalog throws.
    package func open() throws(EarshotError) -> Catalog {
        if let path { return try CatalogArgument.open(path) }
        let own = Self.own()
        guard own.contains("://") || FileManager.default.fileExists(atPath: own) else {
            throw EarshotError(
                .catalogAddressInvalid,
                "There is no catalog at \(own): make one with `earshot catalog create FOLDER`, or name one with --catalog."
            )
        }
        return try CatalogArgument.open(own)
    }

    /// Opens the catalog that the option or EARSHOT_CATALOG names, or the user's own; `nil` if none is named and the user has none.
    ///
    /// - Throws: What ``open()`` throws.
    package func openIfThere() throws(EarshotError) -> Catalog? {
        let isNamed = path != nil || ProcessInfo.processInfo.environment["EARSHOT_CATALOG"]?.isEmpty == false
        guard isNamed || FileManager.default.fileExists(atPath: Self.own()) else { return nil }
        return try open()
    }

    /// The path of the user's own catalog: EARSHOT_CATALOG, or `catalog.earstore` in the data folder, which a service
    /// without other settings serves too.
    package static func own(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        if let path = environment["EARSHOT_CATALOG"], !path.isEmpty { return path }
        return UserFolders().own("catalog.earstore", .data).path
    }
}
