import ArgumentParser

struct PlotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "plot", abstract: "Draw a recording.")
    func run() async throws {}
}
