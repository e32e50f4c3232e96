import BenchmarkSupport
import Earshot
import Foundation

/// Making, writing and opening catalogs out of the references of one.
struct CatalogBenchmarks {
    let path: String

    func run(_ runner: Runner) throws {
        let url = URL(fileURLWithPath: path)
        var references: [Reference] = []
        try Catalog(contentsOf: url).forEachReference { references.append($0) }
        let hours = references.reduce(0) { $0 + $1.signature.duration.seconds } / 3600
        func make() throws -> Catalog {
            var catalog = Catalog()
            for reference in references {
                try catalog.add(reference.signature, representing: reference.items, id: reference.id)
            }
            return catalog
        }
        try runner.measure("catalog, add", amount: hours, unit: "h") { _ = try make() }
        let made = try make()
        try runner.measure("catalog, index and write", amount: hours, unit: "h") {
            _ = try made.data()
        }
        try runner.measure("catalog, open", amount: hours, unit: "h") {
            _ = try Catalog(contentsOf: url)
        }
        let catalog = try Catalog(contentsOf: url)
        try runner.measure("catalog, verify", amount: hours, unit: "h") {
            try catalog.verify()
        }
    }
}
