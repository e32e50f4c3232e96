public import EarshotCore
public import EarshotRecognition

/// Pages of results: five on each, of which the one that is looked at and its two neighbours are held.
///
/// ```swift
/// let pager = ResultPager { offset, limit in
///     try await client.result(of: .text(MusicQuery("moon", offset: offset, limit: limit)), configuration).matches
/// }
/// show(try await pager.current())
/// show(try await pager.next())
/// ```
///
/// The neighbours are fetched before they are asked for, one request for a page. What fails to come beforehand is asked for
/// again when it is wanted.
public actor ResultPager {
    /// Fetches results.
    public typealias Fetch = @Sendable (_ offset: Int, _ limit: Int) async throws(EarshotError) -> [MusicMatch]

    /// How many results a page has: as many as requests are made at the same time.
    public static let pageSize = 5

    private let fetch: Fetch
    private let gate: RequestLimiter
    private var pages: [Int: Task<Result<[MusicMatch], EarshotError>, Never>] = [:]
    /// The place of the page that is looked at, counted from 0.
    public private(set) var index = 0

    /// Pages of what is fetched. Nothing is fetched yet.
    ///
    /// - Parameters:
    ///   - gate: Limits the requests that are made at the same time, with others that share it.
    ///   - fetch: Fetches results from a place on.
    public init(gate: RequestLimiter = RequestLimiter(), fetch: @escaping Fetch) {
        self.gate = gate
        self.fetch = fetch
    }

    /// Which pages are held.
    public var heldPages: [Int] { pages.keys.sorted() }

    /// The page that is looked at.
    ///
    /// - Throws: What fetching threw.
    public func current() async throws(EarshotError) -> [MusicMatch] { try await show(index) }

    /// Goes to the next page and gives it; `nil` if there is none, and then it stays.
    ///
    /// - Throws: What fetching threw; it stays then.
    public func next() async throws(EarshotError) -> [MusicMatch]? {
        let here = index
        // A page that is not full is the last one.
        guard try await page(here).count == Self.pageSize else { return nil }
        let next = try await page(here + 1)
        guard !next.isEmpty else { return nil }
        return try await show(here + 1)
    }

    /// Goes to the previous page and gives it; nothing on the first.
    ///
    /// - Throws: What fetching threw; it stays then.
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
                return .failure(EarshotError(.internalError, "A page could not be fetched.", cause: error))
            }
        }
        pages[number] = task
        return task
    }
}
