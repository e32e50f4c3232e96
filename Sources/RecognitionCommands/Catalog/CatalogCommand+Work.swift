#if Service
    import ArgumentParser
    import CommandKit
    import Earshot
    import Foundation

    extension CatalogCommand {
        struct WorkCommand: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "work",
                abstract: "Help to make a catalog that services share, on as many machines as you like.",
                discussion: """
                    Takes files that `catalog create --bucket` entered, a few at a time, and ends when none is left, here or on \
                    another machine. Files are read by the paths with which they were entered. If a machine dies, the others do \
                    what it had begun 15 s later; each file becomes one reference. With Ctrl-C what was read is kept.

                    EXAMPLES
                      earshot catalog work music --database postgresql://earshot@db/earshot --bucket https://s3.example.org/earshot
                      earshot catalog work music --root /srv/music=/mnt/music
                    """
            )

            @Argument(help: "The name of the catalog.")
            var catalog: String

            @OptionGroup var nodes: NodeOptions

            @Option(
                name: .long,
                help: "A folder that is elsewhere on this machine, OLD=NEW; may be repeated.",
                completion: .directory
            )
            var root: [RootArgument] = []

            @Option(name: .shortAndLong, help: "Files worked on at once (default: one a core).")
            var jobs: Int?

            @OptionGroup var format: JSONOption

            func validate() throws {
                guard (jobs ?? 1) >= 1 else { throw ValidationError("--jobs must be at least 1.") }
            }

            func run() async throws {
                var build = try await SharedBuild(catalog, nodes, .existing)
                (build.jobs, build.roots) = (jobs, root)
                try CatalogCommand.print(try await build.work(), json: format.json)
            }
        }
    }
#endif
