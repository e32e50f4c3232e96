import EarshotCore
import Synchronization

/// The status of a library's player, which the thread that plays and the player itself change.
final class PlayerReport: Sendable {
    private struct State {
        var status = MusicPlayerStatus(.stopped)
        var turn = 0
    }

    private let state = Mutex(State())
    private let broadcast = EventBroadcast<MusicPlayerStatus>(
        replay: .latest,
        buffering: .bufferingNewest(64),
        initial: MusicPlayerStatus(.stopped)
    )

    /// The status now.
    var status: MusicPlayerStatus { state.withLock { $0.status } }

    /// The status now, and each one to come.
    var statuses: AsyncStream<MusicPlayerStatus> { broadcast.events }

    /// Changes the status.
    ///
    /// - Parameter turn: The number of what plays from now on; `nil` if that stays.
    func change(turn: Int? = nil, _ change: (inout MusicPlayerStatus) -> Void) {
        state.withLock { state in
            if let turn { state.turn = turn }
            change(&state.status)
            broadcast.send(state.status)
        }
    }

    /// Takes the position of what plays; one of an earlier turn changes nothing.
    func heard(_ position: MediaTime, _ duration: MediaTime?, turn: Int) {
        state.withLock { state in
            guard state.turn == turn else { return }
            state.status.position = position
            if let duration { state.status.duration = duration }
            broadcast.send(state.status)
        }
    }
}
