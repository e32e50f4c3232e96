public import EarshotCore
import Synchronization

/// Stores the account of an app's user between runs. The stored account is a secret.
public protocol PieceTokenStore: Sendable {
    /// Returns the stored account for an app and a service; `nil` if there is none.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    func account(for place: PieceTokenKey) async throws(EarshotError) -> PieceAccount?
    /// Stores an account in place of the previous one; `nil` removes it.
    ///
    /// - Throws: `writeFailed` if the store cannot be changed.
    func keep(_ account: PieceAccount?, for place: PieceTokenKey) async throws(EarshotError)
}

/// Stores accounts in memory, for the lifetime of the store.
public final class MemoryTokenStore: PieceTokenStore {
    private let accounts = Mutex<[PieceTokenKey: PieceAccount]>([:])

    /// Creates an empty store.
    public init() {}

    /// Returns the stored account for an app and a service; `nil` if there is none.
    public func account(for place: PieceTokenKey) async throws(EarshotError) -> PieceAccount? {
        accounts.withLock { $0[place] }
    }

    /// Stores an account in place of the previous one; `nil` removes it.
    public func keep(_ account: PieceAccount?, for place: PieceTokenKey) async throws(EarshotError) {
        accounts.withLock { $0[place] = account }
    }
}
