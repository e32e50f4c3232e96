import ArgumentParser
import CommandKit
import Earshot
import EarshotMonitor
import Foundation

struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Recognize without pause: what is on, by bundles on this machine and by a service.",
        discussion: """
            EXAMPLES
              earshot monitor watch --url http://radio.example/stream --jsonl
              earshot monitor run stations.json
              earshot monitor repeats list stations.json
              earshot monitor simulate T5
            """,
        subcommands: [Watch.self, Run.self, Repeats.self, Lookup.self, Feed.self, Simulate.self],
        defaultSubcommand: Watch.self
    )

    struct Simulate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "simulate",
            abstract: "Show when a monitor would look up, on a clock of its own.",
            discussion: """
                A scenario is T1 to T8, or a file of JSON: onlineInterval, localInterval, noMatchLimit, noMatchIncrement, \
                noMatchMaxDelay and cacheOnly as a monitor has them; fingerprint, local and online, how long each step takes; \
                until; events, a list of {"at": 30, "event": "transition"} with transition, manual or stop; localHits, \
                onlineHits and onlineErrors, the times at which a step ends that finds something or fails. All in seconds.

                EXAMPLES
                  earshot monitor simulate T1
                  earshot monitor simulate evening.json --json
                """
        )

        @Argument(help: "T1 to T8, or a file; - for standard input.", completion: .file(extensions: ["json"]))
        var scenario: String

        @Flag(name: .long, help: "Print one JSON object.")
        var json = false

        private struct Report: Encodable {
            let name: String
            let lookups: [SchedulerSimulation.LookupRow]
            let nextLookup: Double?
            let delay: Int
        }

        private func read() throws -> SchedulerScenario {
            if let known = SchedulerScenario.builtIn.first(where: { $0.name == scenario.uppercased() }) { return known }
            if scenario == "-" { return try SchedulerScenario(json: FileHandle.standardInput.readDataToEndOfFile()) }
            guard let data = FileManager.default.contents(atPath: scenario) else {
                throw EarshotError(
                    .assetNotFound,
                    "There is no scenario \(scenario): name T1 to T8, or a JSON file."
                )
            }
            return try SchedulerScenario(json: data)
        }

        func run() async throws {
            let scenario = try read()
            let simulation = SchedulerSimulation(scenario)
            if json {
                let report = Report(
                    name: scenario.name,
                    lookups: simulation.lookups,
                    nextLookup: simulation.nextLookup,
                    delay: simulation.scheduler.delay
                )
                return Terminal.print(try JSON.document(report))
            }
            for row in simulation.lookups { Terminal.print(row.text) }
            let next = simulation.nextLookup.map { String(format: "at %g s", $0) } ?? "none"
            Terminal.print(
                "next lookup: \(next)"
                    + (simulation.scheduler.delay > 0 ? ", delay \(simulation.scheduler.delay) s" : "")
            )
        }
    }
}

extension SchedulerSimulation.LookupRow {
    /// The lookup as one line: from when to when, its cause, where it looked, and what came of it.
    var text: String {
        func time(_ seconds: Double?) -> String { seconds.map { String(format: "%g", $0) } ?? "…" }
        let cause = upgradedBy.map { "\(trigger.rawValue), raised by \($0.rawValue)" } ?? trigger.rawValue
        let place = kind == .localOnly ? "local only" : wasOnline ? "local, then online" : "local"
        let count = missesInARow > 0 ? " (\(missesInARow))" : ""
        let span = "\(time(begin)) to \(time(end))".padding(toLength: 16, withPad: " ", startingAt: 0)
        return "\(span)  \(cause); \(place); \(outcome.isEmpty ? "under way" : outcome)\(count)"
            + (delay > 0 ? "; delay \(delay) s" : "")
    }
}
