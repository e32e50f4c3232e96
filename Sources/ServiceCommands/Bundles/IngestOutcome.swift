import EarshotCore
import EarshotMonitor

/// The outcome for a bundle that was to be ingested, as JSON.
struct IngestOutcome: Encodable {
    let file: String
    var outcome = "failed"
    var id: String?
    var version: UInt64?
    var references: Int?
    var error: String?
    var code: String?

    init(file: String) { self.file = file }

    /// Takes what the store says.
    mutating func take(_ report: IngestReport) {
        outcome =
            switch report.outcome {
            case .added: "added"
            case .replaced(let version): "replaced \(version)"
            case .unchanged: "unchanged"
            case .older(let version): "older than \(version)"
            }
        (id, version) = (report.bundle.id, report.bundle.version)
        references = report.bundle.referenceCount
    }
}
