import Synchronization

@testable import EarshotPostgreSQL

/// Counts down.
private final class Counter: Sendable {
    private let count: Mutex<Int>

    init(_ count: Int) { self.count = Mutex(count) }

    var value: Int { count.withLock { $0 } }

    func next() -> Int {
        count.withLock { count in
            count -= 1
            return count
        }
    }
}

extension PostgreSQLPool {
    /// A pool whose transactions lose races: some statements of each connection fail as in a transaction that another one overtook.
    ///
    /// The first ones follow each other closely, so that short work meets them too. Then so many pass that the longest transaction of
    /// the rules is kept when it is repeated.
    static func losingRaces(_ options: PostgreSQLOptions) -> PostgreSQLPool {
        let gaps = [2, 5, 11, 23, 160]
        let states = Mutex<[ObjectIdentifier: (left: Int, failures: Int)]>([:])
        var patient = options
        patient.patience = 60
        return PostgreSQLPool(patient) { connection throws(PostgreSQLFailure) in
            let isDue = states.withLock { states in
                var state = states[ObjectIdentifier(connection)] ?? (gaps[0], 0)
                defer { states[ObjectIdentifier(connection)] = state }
                state.left -= 1
                guard state.left == 0 else { return false }
                state.failures += 1
                state.left = gaps[state.failures % gaps.count]
                return true
            }
            guard isDue else { return }
            throw PostgreSQLFailure(state: "40001", message: "could not serialize access", isConnectionLost: false)
        }
    }

    /// A pool of one connection, which is cut before a statement.
    ///
    /// - Parameter statement: The number of statements before it, counted after the connection is made.
    /// - Returns: The pool, and a function that says whether there was such a statement yet.
    static func cut(
        _ options: PostgreSQLOptions,
        before statement: Int
    ) -> (pool: PostgreSQLPool, isCut: @Sendable () -> Bool) {
        let left = Counter(statement)
        var single = options
        single.connections = 1
        let pool = PostgreSQLPool(single) { connection throws(PostgreSQLFailure) in
            if left.next() == -1 { connection.cut() }
        }
        return (pool, { left.value < 0 })
    }
}
