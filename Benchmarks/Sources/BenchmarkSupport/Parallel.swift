import Foundation
import Synchronization

/// Work on several threads.
public enum Parallel {
    /// The results of work on each item, in order of the items. Each thread takes the next item that is left.
    ///
    /// - Parameters:
    ///   - jobs: Threads.
    ///   - progress: Called after each item with the number that are done.
    /// - Throws: The first error; what has begun is ended first.
    public static func map<Item: Sendable, Result: Sendable>(
        _ items: [Item],
        jobs: Int,
        progress: @escaping @Sendable (Int) -> Void = { _ in },
        _ work: @escaping @Sendable (Item) throws -> Result
    ) throws -> [Result] {
        let state = Mutex(State<Result>(count: items.count))
        let group = DispatchGroup()
        for _ in 0..<max(1, min(jobs, items.count)) {
            group.enter()
            let thread = Thread {
                defer { group.leave() }
                while true {
                    let index = state.withLock { state -> Int? in
                        guard state.error == nil, state.next < items.count else { return nil }
                        defer { state.next += 1 }
                        return state.next
                    }
                    guard let index else { return }
                    do {
                        let result = try work(items[index])
                        let done = state.withLock { state in
                            state.results[index] = result
                            state.done += 1
                            return state.done
                        }
                        progress(done)
                    } catch {
                        state.withLock { $0.error = $0.error ?? error }
                    }
                }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        group.wait()
        return try state.withLock { state in
            if let error = state.error { throw error }
            return state.results.compactMap { $0 }
        }
    }
}

private struct State<Result> {
    var next = 0
    var done = 0
    var results: [Result?]
    var error: (any Error)?

    init(count: Int) { results = [Result?](repeating: nil, count: count) }
}

/// A line on standard error that says how far work has come.
public struct ProgressLine: Sendable {
    private let name: String
    private let total: Int
    private let start = ProcessorTime.now.wall
    private let isShown = isatty(2) == 1

    /// A line for a number of things.
    public init(_ name: String, total: Int) {
        self.name = name
        self.total = total
    }

    /// Says that so many are done. Off a terminal every tenth part is told.
    public func show(_ done: Int) {
        let seconds = Int(ProcessorTime.now.wall - start)
        if isShown {
            FileHandle.standardError.write(Data("\r\(name) \(done)/\(total), \(seconds) s\u{1B}[K".utf8))
            if done == total { FileHandle.standardError.write(Data("\n".utf8)) }
        } else if done == total || total >= 10 && done % (total / 10) == 0 {
            FileHandle.standardError.write(Data("\(name) \(done)/\(total), \(seconds) s\n".utf8))
        }
    }
}
