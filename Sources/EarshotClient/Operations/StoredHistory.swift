import EarshotCore
public import EarshotRecognition
public import Foundation

/// Records recognized tracks in a history store.
public struct StoredHistory: HistoryRecording {
    private let store: any HistoryStore
    private let place: @Sendable () async -> HistoryPlace?
    private let now: @Sendable () -> Date

    /// Creates a recorder for a store.
    ///
    /// - Parameters:
    ///   - store: The store that keeps the history.
    ///   - now: Returns the current date.
    ///   - place: Returns the user's location; `nil` if it is not known, or the user does not want it recorded.
    public init(
        _ store: any HistoryStore,
        now: @escaping @Sendable () -> Date = { Date() },
        place: @escaping @Sendable () async -> HistoryPlace? = { nil }
    ) {
        self.store = store
        self.place = place
        self.now = now
    }

    /// Adds a match to the store, with date and place. Matches of operations that do not belong in a history are
    /// ignored.
    ///
    /// - Throws: The store's errors.
    public func record(_ match: MusicMatch, from kind: OperationKind) async throws {
        let operation: HistoryEntry.Operation
        switch kind {
        case .streamFromMicrophone: operation = .streamMicrophone
        case .streamFromSamples: operation = .streamPCM
        case .fingerprintSearch: operation = .fingerprint
        default: return
        }
        _ = try await store.add(match, by: operation, at: now(), place: await place())
    }
}
