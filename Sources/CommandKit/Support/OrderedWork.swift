/// Work on many items side by side, whose results come in the order of the items.
package enum OrderedWork {
    /// Works on items, and hands each result on as soon as all before it are handed on.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - jobs: How many are worked on at once.
    ///   - work: Called for each item, on any thread.
    ///   - take: Called for each result, one after the other.
    /// - Throws: The first error that `work` or `take` throws. The rest is canceled then.
    package static func run<Item: Sendable, Result: Sendable>(
        _ items: [Item],
        jobs: Int,
        _ work: @escaping @Sendable (Item) async throws -> Result,
        take: (Result) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (index: Int, result: Result).self) { group in
            var (begun, due) = (0, 0)
            var waiting: [Int: Result] = [:]
            while begun < min(max(1, jobs), items.count) {
                let index = begun
                group.addTask { (index, try await work(items[index])) }
                begun += 1
            }
            while let (index, result) = try await group.next() {
                waiting[index] = result
                if begun < items.count {
                    let index = begun
                    group.addTask { (index, try await work(items[index])) }
                    begun += 1
                }
                while let result = waiting.removeValue(forKey: due) {
                    due += 1
                    try await take(result)
                }
            }
        }
    }
}
