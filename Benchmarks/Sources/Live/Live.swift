import ArgumentParser

/// Measures sessions: how soon they answer, how well they know where playback is, and how they last.
@main
struct Live: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Measure live sessions.",
        subcommands: [First.self, Position.self, Outlets.self, Follow.self, Soak.self]
    )
}
