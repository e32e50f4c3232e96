/// How far the opening of a piece has come, as a pure machine: an address is taken or left alone, and what is taken ends once.
package struct ImportState: Hashable, Sendable {
    /// The steps of an import.
    package enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
        /// No address has come.
        case waiting
        /// The piece is asked for.
        case fetching
        /// The app has the piece.
        case opened
        /// The app has received the error.
        case failed
        /// The address is for somebody else.
        case ignored

        /// `true` if nothing follows.
        package var isFinal: Bool { followers.isEmpty }

        /// The phases that may follow.
        package var followers: [Phase] {
            switch self {
            case .waiting: [.fetching, .ignored]
            case .fetching: [.opened, .failed]
            case .opened, .failed, .ignored: []
            }
        }
    }

    /// The step.
    package private(set) var phase = Phase.waiting
    /// `true` if the app takes pieces.
    package let hasReceiver: Bool

    /// An import that waits for its address.
    ///
    /// - Parameter hasReceiver: `true` if the app takes pieces; one that does not leaves every address alone.
    package init(hasReceiver: Bool) {
        self.hasReceiver = hasReceiver
    }

    /// Takes an address.
    ///
    /// - Parameter request: The request of the address to the app; `nil` for one that is not for it.
    /// - Returns: The piece that is to be fetched; `nil` if the address is left alone, and then it has no effect.
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
    /// - Returns: `true` if the app is to be told: once, and only of what was taken.
    package mutating func end(isFound: Bool) -> Bool {
        guard phase == .fetching else { return false }
        phase = isFound ? .opened : .failed
        return true
    }
}
