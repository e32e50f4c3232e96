import EarshotCore
import EarshotMedia
import EarshotMonitor

/// Shows what a monitor says, and asks for more about what is on.
@MainActor
final class SecondScreenApp {
    private(set) var screen: Screen
    private let queries: (any SecondaryQueries)?
    private let write: (String) -> Void
    private var query: Task<Void, Never>?

    /// - Parameters:
    ///   - queries: Who knows more about works, programmes and channels; nothing when nobody does.
    ///   - isVerbose: Whether all that the monitor says is shown.
    ///   - write: Shows a line.
    init(queries: (any SecondaryQueries)?, isVerbose: Bool = false, write: @escaping (String) -> Void) {
        self.queries = queries
        self.write = write
        screen = Screen(isVerbose: isVerbose)
    }

    /// Takes note of an event, and asks for details of the first match when something else is on than before.
    func take(_ event: Screen.Event) {
        for line in screen.apply(event) { write(line) }
        guard case .result(let result) = event, let kept = screen.kept, screen.since == result.lookup else { return }
        askForDetails(of: kept, lookup: result.lookup)
    }

    /// Asks in the background, and comes back to the main thread with the answer only. An earlier question is given up.
    private func askForDetails(of match: MonitorMatch, lookup: Int) {
        guard let queries else { return }
        query?.cancel()
        query = Task.detached { [weak self] in
            let details = await Self.details(of: match, from: queries)
            if !Task.isCancelled { await self?.take(.details(lookup: lookup, details)) }
        }
    }

    private nonisolated static func details(
        of match: MonitorMatch,
        from queries: any SecondaryQueries
    ) async -> Result<Details, EarshotError> {
        do {
            return .success(try await Details.load(match, from: queries))
        } catch let error as EarshotError {
            return .failure(error)
        } catch {
            return .failure(
                EarshotError(.serviceFailure, "Details could not be had (\(error)): try again.", cause: error)
            )
        }
    }

    /// Returns when no question is under way any more.
    func settle() async { await query?.value }
}

/// Brings what a monitor says, in its order, from the monitor's threads to whoever reads.
final class MonitorEar: MonitorStatusReceiver, MonitorResultReceiver {
    private let continuation: AsyncStream<Screen.Event>.Continuation

    init(_ continuation: AsyncStream<Screen.Event>.Continuation) { self.continuation = continuation }

    func monitor(_ monitor: Monitor, didReport event: StatusEvent) { continuation.yield(.status(event)) }

    func monitor(_ monitor: Monitor, didRecognize result: MonitorResult) { continuation.yield(.result(result)) }
}
