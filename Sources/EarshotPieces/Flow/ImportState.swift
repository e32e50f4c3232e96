/// The state of opening a piece from an address, as a pure state machine. An address is accepted or ignored, and an
/// accepted one ends once.
package struct ImportState: Hashable, Sendable {
    /// The phases of an import.
    package enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        /// No address has arrived.
        case waiting
        /// The piece is being fetched.
        case fetching
        /// The app has the piece.
        case opened
        /// The app has received the error.
        case failed
        /// The address is not for this app.
        case ignored

        /// `true` if no phase can follow.
        package var isFinal: Bool { followers.isEmpty }

        /// The phases that can follow.
        package var followers: [Phase] {
            switch self {
            case .waiting: [.fetching, .ignored]
            case .fetching: [.opened, .failed]
            case .opened, .failed, .ignored: []
            }
        }
    }

    /// The current phase.
    package private(set) var phase = Phase.waiting
    /// `true` if the app accepts pieces.
    package let hasReceiver: Bool

    /// Creates the state before an address has arrived.
    ///
    /// - Parameter hasReceiver: `true` if the app accepts pieces; otherwise every address is ignored.
    package init(hasReceiver: Bool) {
        self.hasReceiver = hasReceiver
    }

    /// Handles an address.
    ///
    /// - Parameter request: The request in the address; `nil` if it is not for this app.
    /// - Returns: The piece to fetch; `nil` if the address is ignored.
    package mutating func begin(_ request: PieceRequest?) -> PieceID? {
        guard phase == .waiting else { return nil }
        guard hasReceiver, case .open(let id) = request else {
            phase = .ignored
            return nil
        }
        phase = .fetching
        return id
    }

    /// Ends the import.
    ///
    /// - Parameter isFound: `true` if the piece could be fetched.
    /// - Returns: `true` if the app is to be notified: once, and only for an accepted address.
    package mutating func end(isFound: Bool) -> Bool {
        guard phase == .fetching else { return false }
        phase = isFound ? .opened : .failed
        return true
    }
}
