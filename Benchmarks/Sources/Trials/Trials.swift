import ArgumentParser

@main
struct Trials: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trials",
        abstract: "Measure on your own music how often answers are right, and how often there rightly is none.",
        subcommands: [Negatives.self, Positives.self, Calibrate.self, Adversarial.self]
    )
}
