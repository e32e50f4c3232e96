public import EarshotCore
public import EarshotPieces
public import Foundation

extension PieceClient {
    /// Handles an address that the system opened the app with. An address for another client is not changed, so that
    /// the app can pass it on.
    ///
    /// - Returns: `true` if the client handled the address: it opens a piece and a receiver is set, or it completes a
    ///   login that this client waits for.
    public func handle(_ address: URL) -> Bool {
        let request = scheme.request(address)
        if case .authorize(let code, let state) = request {
            guard let login = expected(state) else { return false }
            login.settle(code)
            return true
        }
        let receiver = configuration.receiver
        var progress = ImportState(hasReceiver: receiver != nil)
        guard let id = progress.begin(request), let receiver else { return false }
        let begun = progress
        Task.detached {
            var progress = begun
            let result: Result<OpenedPiece, EarshotError>
            do throws(EarshotError) {
                result = .success(try await self.open(id))
            } catch {
                result = .failure(error)
            }
            let isFound = if case .success = result { true } else { false }
            guard progress.end(isFound: isFound) else { return }
            await receiver.receive(result)
        }
        return true
    }

    /// Fetches a piece to work with, and adds it to ``nextDraftParents``.
    ///
    /// - Throws: `pieceNotFound`, `networkUnavailable`, `malformedResponse`, and the service's other errors.
    public func open(_ id: PieceID) async throws(EarshotError) -> OpenedPiece {
        let piece = try await fetch(id)
        opened(id)
        return OpenedPiece(piece, self)
    }
}
