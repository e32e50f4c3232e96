import EarshotAPI
import EarshotCore
import Synchronization

/// Tokens that a configuration's operations share. Several that need one at the same time ask for it once.
final class Authentication: Sendable {
    typealias Exchange = @Sendable () async throws(EarshotError) -> TokenAnswer

    /// For whom at which service a token is.
    struct Place: Hashable {
        let service: String
        let user: String?
    }

    private struct Token {
        let text: String
        let renewal: MediaTime
    }

    private struct State {
        var tokens: [Place: Token] = [:]
        var exchanges: [Place: Task<Result<String, EarshotError>, Never>] = [:]
        var reported: Set<String> = []
    }

    private let state = Mutex(State())

    /// A token; a new one where there is none, it is about to end, or it was refused.
    ///
    /// - Parameters:
    ///   - refused: The token that the service did not take, if that is why one is wanted.
    func token(
        for place: Place,
        refused: String? = nil,
        clock: MediaClock,
        exchange: @escaping Exchange
    ) async throws(EarshotError) -> String {
        let now = clock.now
        let task: Task<Result<String, EarshotError>, Never>
        switch state.withLock({ state -> Either in
            if let token = state.tokens[place], token.text != refused, now < token.renewal { return .token(token.text) }
            if let task = state.exchanges[place] { return .task(task) }
            // The exchange belongs to all who wait for it: it goes on when one of them is canceled.
            let task = Task { await self.obtain(place, clock: clock, exchange) }
            state.exchanges[place] = task
            return .task(task)
        }) {
        case .token(let text): return text
        case .task(let found): task = found
        }
        return try await task.value.get()
    }

    private enum Either {
        case token(String)
        case task(Task<Result<String, EarshotError>, Never>)
    }

    private func obtain(_ place: Place, clock: MediaClock, _ exchange: Exchange) async -> Result<String, EarshotError> {
        let asked = clock.now
        let answer: Result<TokenAnswer, EarshotError>
        do {
            answer = .success(try await exchange())
        } catch {
            answer = .failure(error)
        }
        return state.withLock { state in
            state.exchanges[place] = nil
            return answer.map { answer in
                // Renewed a little early: a request is still under way when it is looked at.
                let lifetime = max(0, answer.expiresIn - min(60, answer.expiresIn / 10))
                let end = asked + MediaTime(value: Int64(lifetime), timescale: 1)
                state.tokens[place] = Token(text: answer.token, renewal: end)
                return answer.token
            }
        }
    }

    /// The notices that were not given out before.
    func unreported(_ notices: [String]) -> [String] {
        notices.isEmpty ? [] : state.withLock { state in notices.filter { state.reported.insert($0).inserted } }
    }
}
