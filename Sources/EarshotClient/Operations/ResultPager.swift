public import EarshotCore
public import EarshotRecognition

/// Pages of five results. The current page and its two neighbors are kept in memory.
///
/// ```swift
/// let pager = ResultPager { offset, limit in
///     try await client.result(of: .text(MusicQuery("moon", offset: offset, limit: limit)), configuration).matches
/// }
/// show(try await pager.current())
/// show(try await pager.next())
/// ```
///
/// Neighboring pages are prefetched with one request each. A page that could not be prefetched is requested again when
/// it is needed.
public actor ResultPager {
    /// Fetches up to `limit` results, skipping the first `offset`.
    public typealias Fetch = @Sendable (_ offset: Int, _ limit: Int) async throws(EarshotError) -> [MusicMatch]

    /// The number of results on a page, equal to the default number of concurrent requests.
    public static let pageSize = 5

    private let fetch: Fetch
    private let gate: RequestLimiter
    private var pages: [Int: Task<Result<[MusicMatch], EarshotError>, Never>] = [:]
    /// The number of the current page, from 0.
    public private(set) var index = 0

    /// Creates a pager. Nothing is fetched before the first page is requested.
    ///
    /// - Parameters:
    ///   - gate: Limits concurrent requests; several pagers and clients can share one.
    ///   - fetch: Fetches results from an offset on.
    public init(gate: RequestLimiter = RequestLimiter(), fetch: @escaping Fetch) {
        self.gate = gate
        self.fetch = fetch
    }

    /// The numbers of the pages in memory, from 0, in ascending order.
    public var heldPages: [Int] { pages.keys.sorted() }

    /// Returns the current page, which is fetched if it is not in memory.
    ///
    /// - Throws: The errors of the fetch function.
    public func current() async throws(EarshotError) -> [MusicMatch] { try await show(index) }

    /// Goes to the next page and returns it; `nil` if there is none, and the current page does not change.
    ///
    /// - Throws: The errors of the fetch function; the current page does not change then.
    public func next() async throws(EarshotError) -> [MusicMatch]? {
        let here = index
        // A page that is not full is the last one.
        guard try await page(here).count == Self.pageSize else { return nil }
        let next = try await page(here + 1)
        guard !next.isEmpty else { return nil }
        return try await show(here + 1)
    }

    /// Goes to the previous page and returns it; `nil` on the first page.
    ///
    /// - Throws: The errors of the fetch function; the current page does not change then.
    public func previous() async throws(EarshotError) -> [MusicMatch]? {
        guard index > 0 else { return nil }
        return try await show(index - 1)
    }

    // MARK: - Parts

    private func show(_ wanted: Int) async throws(EarshotError) -> [MusicMatch] {
        let matches = try await page(wanted)
        index = wanted
        for (number, task) in pages where abs(number - wanted) > 1 {
            task.cancel()
            pages[number] = nil
        }
        if wanted > 0 { load(wanted - 1) }
        if matches.count == Self.pageSize { load(wanted + 1) }
        return matches
    }

    private func page(_ number: Int) async throws(EarshotError) -> [MusicMatch] {
        let task = load(number)
        let result = await task.value
        if case .failure = result, pages[number] == task { pages[number] = nil }
        return try result.get()
    }

    @discardableResult
    private func load(_ number: Int) -> Task<Result<[MusicMatch], EarshotError>, Never> {
        if let task = pages[number] { return task }
        let (fetch, gate) = (fetch, gate)
        let task = Task { () async -> Result<[MusicMatch], EarshotError> in
            do {
                try await gate.enter()
                defer { gate.leave() }
                let matches = try await fetch(number * Self.pageSize, Self.pageSize)
                return .success(Array(matches.prefix(Self.pageSize)))
            } catch let error as EarshotError {
                return .failure(error)
            } catch {
                return .failure(
                    EarshotError(.internalError, "A page of results could not be fetched: try again.", cause: error)
                )
            }
        }
        pages[number] = task
        return task
    }
}
