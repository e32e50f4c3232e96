/// The page on which people look for music by words.
struct SearchPage: Page {
    static let template = "search"

    /// A scope of the search, as shown.
    struct Scope: Sendable {
        let name: String
        let label: String
        let isChosen: Bool
    }

    let title: String
    let words: String
    let artist: String
    let album: String
    let track: String
    /// `true` if one of the additional fields is filled in.
    let hasFields: Bool
    let scopes: [Scope]
    /// The index of the first result, from 0; `nil` if no search was made.
    let offset: Int?
    let rows: [MusicRow]
    let hasRows: Bool
    /// The range of the displayed results; `nil` if there are none.
    let range: String?
    /// The sentence that there are no results; `nil` if there are results, or no search was made.
    let nothing: String?
    /// The addresses of the pages before and after; `nil` for none.
    let previous: String?
    let next: String?
    /// The address of the first page, if this one is behind the last; otherwise `nil`.
    let first: String?

    /// - Parameters:
    ///   - question: The question that the page answers.
    ///   - rows: The results of the page.
    ///   - hasMore: `true` if there are more rows behind them.
    ///   - words: The texts of the page.
    init(_ question: MusicQuestion, rows: [MusicRow], hasMore: Bool, _ text: PageWords) {
        let isAsked = !question.isEmpty
        let shown = [question.text, question.artist, question.album, question.track].compactMap(\.self)
        title = (shown.prefix(1) + [text("search.title"), text("search.product")]).joined(separator: " – ")
        words = question.text ?? ""
        (artist, album, track) = (question.artist ?? "", question.album ?? "", question.track ?? "")
        hasFields = question.artist != nil || question.album != nil || question.track != nil
        scopes = MusicQuestion.Scope.allCases.map { scope in
            Scope(
                name: scope.rawValue,
                label: text("search.in-\(scope.rawValue)"),
                isChosen: scope == question.scope
            )
        }
        self.rows = rows
        hasRows = !rows.isEmpty
        let offset = question.offset
        self.offset = isAsked ? offset : nil
        range =
            rows.isEmpty
            ? nil : text("search.range", ["from": "\(offset + 1)", "to": "\(offset + rows.count)"])
        let isBehind = isAsked && rows.isEmpty && offset > 0
        nothing =
            isAsked && rows.isEmpty && !isBehind
            ? text("search.nothing", ["words": shown.joined(separator: " · ")]) : nil
        first = isBehind ? question.address(from: 0) : nil
        previous = isAsked && offset > 0 && !isBehind ? question.address(from: offset - MusicQuestion.pageSize) : nil
        next = hasMore ? question.address(from: offset + MusicQuestion.pageSize) : nil
    }
}
