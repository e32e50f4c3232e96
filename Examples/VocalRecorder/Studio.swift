import EarshotClient
import EarshotCore

/// Takes the pieces that the app is opened with.
@MainActor
final class Studio: PieceReceiver {
    private var result: Result<OpenedPiece, EarshotError>?
    private var waiting: CheckedContinuation<Void, Never>?

    nonisolated init() {}

    func receive(_ result: Result<OpenedPiece, EarshotError>) {
        self.result = result
        waiting?.resume()
        waiting = nil
    }

    /// The piece, as soon as it is there.
    func piece() async throws -> OpenedPiece {
        while true {
            if let result { return try result.get() }
            await withCheckedContinuation { waiting = $0 }
        }
    }
}
