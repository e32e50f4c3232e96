import EarshotCore

extension Taxonomies {
    /// The built-in taxonomies of the package.
    ///
    /// Their files lie in `Data` beside this source, and are compiled in as text (`scripts/data/embed-taxonomies` writes it, a
    /// test compares): a binary finds them wherever it is copied. SwiftPM's `embedInCode` does the same with an array of
    /// bytes, which takes the compiler many times as long as strings; `Docs/formats/taxonomy.md` has the figures.
    public static let builtIn = (try? readBuiltIn()) ?? Taxonomies()

    /// Reads what is compiled in. A test does so too, for the error that ``builtIn`` could not tell.
    static func readBuiltIn() throws(EarshotError) -> Taxonomies {
        var taxonomies: [Taxonomy] = []
        for (name, text) in EmbeddedTaxonomies.files {
            taxonomies.append(try Taxonomy(decoding: Array(text.utf8), named: name))
        }
        return try Taxonomies(taxonomies)
    }

    /// A set of nothing.
    private init() {}
}
