import BenchmarkSupport
import Earshot
import Foundation

/// Holds made-up references against as many hours of real ones.
struct Realism {
    let real: [Reference]
    let synthesis: Synthesis
    /// Queries of music that is in neither.
    let foreign: [QueryFolder.Query]

    func report() throws {
        var census = PairCensus()
        var catalog = Catalog()
        for reference in real {
            census.add(reference.signature)
            try catalog.add(reference.signature, representing: [], id: reference.id)
        }
        var madeCensus = PairCensus()
        var madeCatalog = Catalog()
        var number = 0
        while madeCensus.seconds < census.seconds {
            let signature = synthesis.reference(number)
            madeCensus.add(signature)
            try madeCatalog.add(signature, representing: [], id: ReferenceID("synthetic-\(number)"))
            number += 1
        }
        print("pairs of neighbouring landmarks")
        let header = ["", "hours", "landmarks/s", "pairs/h", "kinds", "median", "99 %", "most", "meets its own kind/h"]
        Output.table([header, row("real", census.figures), row("made up", madeCensus.figures)])
        guard !foreign.isEmpty else { return }
        let meetings = foreign.map { (census.meetings(of: $0.signature), madeCensus.meetings(of: $0.signature)) }
        print(
            "\na foreign query's pair meets its kind \(Output.number(Output.mean(meetings.map(\.0)), 1)) times an hour of"
        )
        print("real references, \(Output.number(Output.mean(meetings.map(\.1)), 1)) times an hour of made-up ones\n")
        print("\(foreign.count) foreign queries: scores of the best candidates, and processor time")
        var rows = [["", "mode", "50 %", "90 %", "99 %", "highest", "answered", "CPU ms mean"]]
        for (name, catalog) in [("real", catalog), ("made up", madeCatalog)] {
            // Builds the index.
            _ = try Engine.search(catalog, for: foreign[0].signature, escalates: false)
            for escalates in [false, true] {
                let start = ProcessorTime.now
                let found = try foreign.map { try Engine.search(catalog, for: $0.signature, escalates: escalates) }
                let time = (ProcessorTime.now - start).processor / Double(foreign.count)
                let scores = found.map(\.score).sorted()
                rows.append(
                    [name, escalates ? "shipped" : "plain"]
                        + [0.5, 0.9, 0.99, 1].map { Output.number(Output.quantile(scores, $0)) }
                        + ["\(found.count { $0.isAnswered })", Output.number(time * 1000, 1)]
                )
            }
        }
        Output.table(rows)
    }

    private func row(_ name: String, _ figures: PairCensus.Figures) -> [String] {
        [
            name, Output.number(figures.hours, 1), Output.number(figures.landmarksPerSecond, 1),
            Output.number(figures.pairsPerHour, 0), "\(figures.distinct)", Output.number(figures.median, 0),
            Output.number(figures.p99, 0), "\(figures.most)", Output.number(figures.ownMeetingsPerHour, 1),
        ]
    }
}
