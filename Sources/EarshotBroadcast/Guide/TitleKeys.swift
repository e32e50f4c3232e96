import EarshotMusic

/// The keys by which a ``TitleSearch`` finds a work or a program. They contain no control characters, such as U+0000.
package struct TitleKeys: Sendable {
    /// The normalized title, for comparison with a whole text and for the order of results.
    package let name: String
    /// The words of title and subtitle, each once.
    package let words: Set<String>

    /// Creates the keys of a work.
    package init(_ work: VideoWork) { self.init(work.title, work.subtitle) }

    /// Creates the keys of a program.
    package init(_ program: Program) { self.init(program.title, program.subtitle) }

    private init(_ title: Name, _ subtitle: Name?) {
        name = TitleSearch.name(title)
        words = TitleSearch.words([title, subtitle])
    }
}
