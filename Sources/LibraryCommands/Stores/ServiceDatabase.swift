package import ArgumentParser

/// The database in PostgreSQL of a service, with which commands work in place of a file.
package struct ServiceDatabase: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database in PostgreSQL that has a service's data, as postgresql://user@host/name, in place of a file.",
            discussion: "Without it EARSHOT_DATABASE, if that is such an address."
        )
    )
    package var database: String?

    package init() {}
}
