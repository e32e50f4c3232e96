import Dispatch
import EarshotCore
import EarshotMedia
import Foundation
import Synchronization

/// A connection to a Music Player Daemon. It is opened with the first command, and again after the daemon has closed it.
///
/// Calls block a thread of its own, never one that tasks share.
final class MPDConnection: Sendable {
    /// The time in which a daemon answers.
    static let limit = MediaTime(value: 10, timescale: 1)

    fileprivate struct State {
        var socket: MPDSocket?
        var decoder = MPDDecoder()
        /// `true` while the daemon is to tell of changes.
        var isIdle = false
    }

    private let address: MPDAddress
    private let clock: MediaClock
    private let queue = DispatchQueue(label: "earshot.library.mpd")
    // Locked only on `queue`, so that nobody waits for it.
    private let state = Mutex(State())

    init(_ address: MPDAddress, clock: MediaClock) {
        (self.address, self.clock) = (address, clock)
    }

    /// Sends commands, and returns the pairs of each.
    ///
    /// - Parameters:
    ///   - commands: The commands. Those behind one that is refused are not done.
    ///   - ignored: The daemon's numbers of refusals that are no failure: there are no pairs then.
    /// - Throws: `storeUnavailable`, `malformedResponse`, `libraryAccessDenied`, `assetUnavailable`, `serviceFailure`,
    ///   `cancelled`.
    func exchange(
        _ commands: [MPDCommand],
        ignoring ignored: Set<Int> = []
    ) async throws(EarshotError) -> [[MPDDecoder.Pair]] {
        guard !commands.isEmpty else { return [] }
        return try await run { [self] (connection: inout State, patience: MPDSocket.Patience) throws(Problem) in
            // A daemon closes a connection on which nothing was said for a minute, and says nothing unasked.
            if connection.socket?.isReadable == true { connection.socket = nil }
            try open(&connection, patience)
            try connection.send(MPDCommand.bytes(commands), patience)
            do throws(Problem) {
                return try connection.answer(patience)
            } catch {
                guard case .refused(let refusal) = error, ignored.contains(refusal.code) else { throw error }
                return []
            }
        }
    }

    /// Waits for changes.
    ///
    /// - Parameters:
    ///   - subsystems: The daemon's names of the parts of it that are meant; the same in each call.
    ///   - time: The longest time; `nil` for no limit.
    /// - Returns: `true` if something has changed; `false` if the time has passed first.
    /// - Throws: The errors of ``exchange(_:)``.
    func waitForChange(of subsystems: [String], atMost time: MediaTime?) async throws(EarshotError) -> Bool {
        let command = try MPDCommand("idle", subsystems)
        return try await run { [self] (connection: inout State, patience: MPDSocket.Patience) throws(Problem) in
            if !connection.isIdle {
                try open(&connection, patience)
                try connection.send(MPDCommand.bytes([command]), patience)
                connection.isIdle = true
            }
            let end = time.map { clock.now + $0 }
            let waiting = MPDSocket.Patience(clock: clock, end: end, isCancelled: patience.isCancelled)
            do throws(Problem) {
                _ = try connection.answer(waiting)
            } catch {
                // The answer is still to come.
                guard case .socket(.timedOut) = error else { throw error }
                return false
            }
            connection.isIdle = false
            return true
        }
    }

    // MARK: - Work

    /// The reason for which work cannot be done.
    fileprivate enum Problem: Error {
        case socket(MPDSocket.Failure)
        case fault(MPDDecoder.Fault)
        case refused(MPDDecoder.Refusal)
    }

    /// Does work on the queue. After a failure that leaves an answer behind, the connection is closed.
    private func run<Value: Sendable>(
        _ work: @escaping @Sendable (inout State, MPDSocket.Patience) throws(Problem) -> Value
    ) async throws(EarshotError) -> Value {
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { [self] () throws(EarshotError) in
            let patience = MPDSocket.Patience(clock: clock, end: clock.now + Self.limit) { cancellation.isCancelled }
            return try state.withLock { state throws(EarshotError) in
                do throws(Problem) {
                    return try work(&state, patience)
                } catch {
                    if case .refused = error {} else { state = State() }
                    throw failure(error)
                }
            }
        }
        return try result.get()
    }

    private func open(_ connection: inout State, _ patience: MPDSocket.Patience) throws(Problem) {
        guard connection.socket == nil else { return }
        connection = State()
        do throws(MPDSocket.Failure) {
            connection.socket = try MPDSocket(address.place, patience)
        } catch {
            throw .socket(error)
        }
        _ = try connection.answer(patience)
        guard let password = address.password, let command = try? MPDCommand("password", [password]) else { return }
        do throws(Problem) {
            try connection.send(MPDCommand.bytes([command]), patience)
            _ = try connection.answer(patience)
        } catch {
            // Without it the next command would be refused, for another reason.
            connection.socket = nil
            throw error
        }
    }

    private func failure(_ problem: Problem) -> EarshotError {
        switch problem {
        case .socket(.cancelled): EarshotError(.cancelled, "Asking the player at \(address) was canceled.")
        case .socket(.timedOut):
            EarshotError(
                .storeUnavailable,
                "The player at \(address) does not answer: see whether MPD is well there, or correct the address."
            )
        case .socket(.lost(let reason)):
            EarshotError(
                .storeUnavailable,
                "The player at \(address) cannot be reached (\(reason)): start MPD there, or correct the address."
            )
        case .fault(.noGreeting):
            EarshotError(.storeUnavailable, "Something else than MPD answers at \(address): correct the address.")
        case .fault(let fault):
            EarshotError(
                .malformedResponse,
                "The answer of the player at \(address) cannot be used (\(fault.rawValue)): restart MPD, and try again."
            )
        case .refused(let refusal): self.refusal(refusal)
        }
    }

    private func refusal(_ refusal: MPDDecoder.Refusal) -> EarshotError {
        let reason = "(\(refusal.message.prefix(500)))"
        // MPD's numbers: 3 password, 4 permission, 50 no such thing, 51 queue full.
        switch refusal.code {
        case 3, 4:
            return EarshotError(
                .libraryAccessDenied,
                "The player at \(address) does not allow \"\(refusal.command)\" \(reason): give its password, as in "
                    + "mpd://PASSWORD@HOST."
            )
        case 50:
            return EarshotError(
                .assetUnavailable,
                "The player at \(address) does not have this \(reason): let it read its folder again with `mpc update`."
            )
        case 51:
            return EarshotError(
                .serviceFailure,
                "The queue of the player at \(address) is full \(reason): empty it with `mpc clear`."
            )
        default:
            return EarshotError(
                .serviceFailure,
                "The player at \(address) refuses \"\(refusal.command)\" \(reason): see its log."
            )
        }
    }
}

extension MPDConnection.State {
    fileprivate func send(_ bytes: [UInt8], _ patience: MPDSocket.Patience) throws(MPDConnection.Problem) {
        guard let socket else { throw .socket(.lost("it closed the connection")) }
        do throws(MPDSocket.Failure) {
            try socket.send(bytes, patience)
        } catch {
            throw .socket(error)
        }
    }

    /// Waits for the next answer.
    fileprivate mutating func answer(
        _ patience: MPDSocket.Patience
    ) throws(MPDConnection.Problem) -> [[MPDDecoder.Pair]] {
        guard let socket else { throw .socket(.lost("it closed the connection")) }
        while true {
            let bytes: [UInt8]
            do throws(MPDSocket.Failure) {
                bytes = try socket.receive(patience)
            } catch {
                throw .socket(error)
            }
            // One answer at a time is asked for: what stands behind it is nobody's.
            switch decoder.append(bytes).first {
            case nil: continue
            case .greeting: return []
            case .done(let sections): return sections
            case .refused(let refusal): throw .refused(refusal)
            case .fault(let fault): throw .fault(fault)
            }
        }
    }
}
