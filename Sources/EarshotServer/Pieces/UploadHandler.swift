import EarshotCore
import Synchronization

/// Selects the request that may write a part: the latest of several that send it.
///
/// The latest counts, because a client whose connection was lost reconnects before the service notices the loss.
final class UploadHandler: Sendable {
    /// The right of one request to write a part.
    struct Turn: Sendable {
        fileprivate let place: Place
        fileprivate let number: UInt64
    }

    fileprivate final class Place: Sendable {
        struct State {
            var number: UInt64 = 0
            var isFinishing = false
            var holders = 0
        }
        let state = Mutex(State())
    }

    private let places = Mutex<[String: Place]>([:])

    /// Takes the turn for an upload.
    ///
    /// - Parameters:
    ///   - upload: The upload.
    ///   - isPolite: `true` to fail if another request has the turn; otherwise the turn is taken from it.
    /// - Throws: `requestInvalid` while the whole part is being checked, or, if polite, another request has the turn.
    func take(_ upload: String, isPolite: Bool = false) throws(EarshotError) -> Turn {
        try places.withLock { places throws(EarshotError) in
            let place = places[upload] ?? Place()
            let number: UInt64? = place.state.withLock { state in
                guard !state.isFinishing, !isPolite || state.holders == 0 else { return nil }
                state.number += 1
                state.holders += 1
                return state.number
            }
            guard let number else {
                throw EarshotError(.requestInvalid, "This part is being received or checked: ask for its state.")
            }
            places[upload] = place
            return Turn(place: place, number: number)
        }
    }

    /// Runs a write, unless another request has taken the turn.
    ///
    /// - Throws: `cancelled` if another request has taken the turn; what the body throws.
    func write(_ turn: Turn, _ body: () throws(EarshotError) -> Void) throws(EarshotError) {
        try turn.place.state.withLock { state throws(EarshotError) in
            guard state.number == turn.number else {
                throw EarshotError(.cancelled, "Another request sends the same part now: wait for it.")
            }
            try body()
        }
    }

    /// Keeps other requests from taking the turn until it is given back.
    ///
    /// - Returns: `false` if another request has taken the turn before.
    func finish(_ turn: Turn) -> Bool {
        turn.place.state.withLock { state in
            guard state.number == turn.number else { return false }
            state.isFinishing = true
            return true
        }
    }

    /// Gives the turn back.
    func leave(_ upload: String, _ turn: Turn) {
        places.withLock { places in
            let isLast = turn.place.state.withLock { state in
                if state.number == turn.number { state.isFinishing = false }
                state.holders -= 1
                return state.holders == 0
            }
            if isLast { places[upload] = nil }
        }
    }
}
