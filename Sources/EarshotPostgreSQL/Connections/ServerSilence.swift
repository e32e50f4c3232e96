/// Remembers that a server does not answer, so that one piece of work waits for it now and then, and not each.
///
/// A server that refuses connections is not silent: asking it costs nothing. One to which packets are lost costs seconds each time.
struct ServerSilence {
    /// The role of a piece of work in finding out if the server answers.
    enum Turn: Equatable {
        /// The server answers, as far as is known.
        case usual
        /// The server was silent, and this work tries it again.
        case probe
    }

    /// A server is silent if a connection to it fails after so many seconds.
    static let threshold = 1.0
    /// A silent server is asked again after so many seconds.
    static let pause = 2.0

    /// The time at which the server is asked again, in seconds; `nil` for one that answers.
    private var end: Double?
    private var isProbed = false

    var isSilent: Bool { end != nil }

    /// Admits a piece of work.
    ///
    /// - Returns: Its turn; `nil` if the server is silent, and it is not yet time to ask it, or another piece of work does.
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
    ///   - isAnswered: Says that the server answered to it.
    mutating func ended(_ turn: Turn, isAnswered: Bool) {
        if turn == .probe { isProbed = false }
        if isAnswered { end = nil }
    }
}
