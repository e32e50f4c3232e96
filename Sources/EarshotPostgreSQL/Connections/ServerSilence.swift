/// Remembers that a server does not answer, so that only one piece of work at a time waits for it, now and then.
///
/// A server that refuses connections is not silent, because a refusal takes no time. A server behind a broken network costs seconds each time.
struct ServerSilence {
    /// The role of a piece of work in finding out if the server answers.
    enum Turn: Equatable {
        /// The server answers, as far as is known.
        case usual
        /// The server was silent, and this work tries it again.
        case probe
    }

    /// The time after which a failed connection means that the server is silent, in seconds.
    static let threshold = 1.0
    /// The time after which a silent server is tried again, in seconds.
    static let pause = 2.0

    /// The time at which the silent server is tried again, in seconds; `nil` if the server answers.
    private var end: Double?
    private var isProbed = false

    var isSilent: Bool { end != nil }

    /// Admits a piece of work.
    ///
    /// - Returns: Its turn; `nil` if the server is silent, and it is not yet time for a probe, or another piece of work is one.
    mutating func admit(at now: Double) -> Turn? {
        guard let end else { return .usual }
        guard now >= end, !isProbed else { return nil }
        isProbed = true
        return .probe
    }

    /// Notes that a connection failed.
    ///
    /// - Returns: `true` if the server is silent.
    mutating func failed(from begin: Double, to now: Double) -> Bool {
        guard now - begin >= Self.threshold else { return false }
        end = now + Self.pause
        return true
    }

    /// Notes that a piece of work is done.
    ///
    /// - Parameters:
    ///   - turn: The turn that it had.
    ///   - isAnswered: `true` if the server answered to it.
    mutating func ended(_ turn: Turn, isAnswered: Bool) {
        if turn == .probe { isProbed = false }
        if isAnswered { end = nil }
    }
}
