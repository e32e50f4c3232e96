import ArgumentParser

/// How bundles and the store that takes them in do.
@main
struct Bundles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundles",
        abstract: "Make bundles, take them in, ask for what they hold, and interrupt all of it.",
        subcommands: [Build.self, Ingest.self, Lookup.self, Abort.self]
    )
}
