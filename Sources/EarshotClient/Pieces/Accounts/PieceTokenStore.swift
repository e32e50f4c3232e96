public import EarshotCore
import Synchronization

/// Keeps an app's user between runs. The stored account is a secret.
public protocol PieceTokenStore: Sendable {
    /// The user that was kept last; `nil` if there is none.
    ///
    /// - Throws: `storeUnavailable`.
    func account(for place: PieceTokenKey) async throws(EarshotError) -> PieceAccount?
    /// Keeps a user in place of the one before; without one, none is kept.
    ///
    /// - Throws: `writeFailed`.
    func keep(_ account: PieceAccount?, for place: PieceTokenKey) async throws(EarshotError)
}

/// Users in memory: they are forgotten with the store.
public final class MemoryTokenStore: PieceTokenStore {
    private let accounts = Mutex<[PieceTokenKey: PieceAccount]>([:])

    /// A store without users.
    public init() {}

    /// The user that was kept last.
    public func account(for place: PieceTokenKey) async throws(EarshotError) -> PieceAccount? {
        accounts.withLock { $0[place] }
    }

    /// Keeps a user.
    public func keep(_ account: PieceAccount?, for place: PieceTokenKey) async throws(EarshotError) {
        accounts.withLock { $0[place] = account }
    }
}
