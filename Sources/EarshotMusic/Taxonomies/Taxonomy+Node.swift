extension Taxonomy {
    /// One term of a hierarchy.
    public struct Node: Hashable, Sendable {
        /// The identifier: letters, digits, `-`, `_`, `.` and `:` of ASCII, unique within the kind.
        public var id: String
        /// The identifier of the broader term; `nil` at the top level.
        public var parent: String?
        /// The names by ISO 639-3 code. English (`eng`) is always there.
        public var names: [String: String]
        /// Other texts that mean this term in tags of files: spellings, and numbers of ID3v1 genres.
        public var aliases: [String]
        /// In a country's taxonomy, the international terms that this one stands for.
        public var standsFor: [String]
        /// The range of numbers that the term stands for: beats per minute of a tempo, years of an era; `nil` if it has none.
        public var range: Range<Double>?

        /// Creates a term.
        ///
        /// - Parameters:
        ///   - id: The identifier.
        ///   - parent: The identifier of the broader term; `nil` at the top level.
        ///   - names: The names by ISO 639-3 code.
        ///   - aliases: Other ways in which tags say this.
        ///   - standsFor: In the hierarchy of a country, terms of the international one.
        ///   - range: The numbers that belong to the term.
        public init(
            id: String,
            parent: String? = nil,
            names: [String: String],
            aliases: [String] = [],
            standsFor: [String] = [],
            range: Range<Double>? = nil
        ) {
            self.id = id
            self.parent = parent
            self.names = names
            self.aliases = aliases
            self.standsFor = standsFor
            self.range = range
        }

        /// Returns the name in a language, or in English if there is none.
        ///
        /// - Parameter language: An ISO 639 code or a BCP 47 tag: `jpn`, `ger`, `de-AT`.
        public func name(in language: String? = nil) -> String {
            name(inISO: language.flatMap(ISOCodes.language))
        }

        /// The same, of a code that ``ISOCodes/language(_:)`` gave.
        func name(inISO code: String?) -> String {
            code.flatMap { names[$0] } ?? names[Taxonomy.defaultLanguage] ?? id
        }
    }
}
