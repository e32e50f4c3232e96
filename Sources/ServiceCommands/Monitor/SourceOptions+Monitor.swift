import CommandKit
import EarshotMonitor

extension SourceOptions {
    /// Has a monitor watch the source to its end.
    func run(on monitor: Monitor) async throws {
        try await monitor.run(try await live())
    }
}
