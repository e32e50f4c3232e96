import EarshotMusic

/// The keys by which a ``TitleSearch`` finds a work or a programme. They hold no controls, such as U+0000.
package struct TitleKeys: Sendable {
    /// The title as it is compared as a whole, and as results are ordered.
    package let name: String
    /// The words of the titles, each once.
    package let words: Set<String>

    /// The keys of a work.
    package init(_ work: VideoWork) { self.init(work.title, work.subtitle) }

    /// The keys of a programme.
    package init(_ program: Program) { self.init(program.title, program.subtitle) }

    private init(_ title: Name, _ subtitle: Name?) {
        name = TitleSearch.name(title)
        words = TitleSearch.words([title, subtitle])
    }
}
