// Written by scripts/data/embed-taxonomies.
// swift-format-ignore-file

/// The built-in taxonomies as text.
enum EmbeddedTaxonomies {
    /// Name and content of every file.
    static var files: [(name: String, text: String)] {
        [
            ("artistType.tsv", artistType),
            ("era.tsv", era),
            ("genre-DEU.tsv", genreDEU),
            ("genre-JPN.tsv", genreJPN),
            ("genre-USA.tsv", genreUSA),
            ("genre.tsv", genre),
            ("mood.tsv", mood),
            ("origin.tsv", origin),
            ("tempo.tsv", tempo),
        ]
    }
}
