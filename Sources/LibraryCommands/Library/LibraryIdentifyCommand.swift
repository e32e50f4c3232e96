import ArgumentParser
import CommandKit
import EarshotAlbums
import EarshotCore
import EarshotTags

struct LibraryIdentifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Say which track of which album each file is.",
        discussion: """
            The files below a folder are read (tags, names, the first 20 s of sound), put into groups that are likely to be of one \
            album, and held against the albums of the database of music; --catalog finds them by their sound too, and so do the \
            fingerprints that `earshot admin fingerprints add` put beside the database. With --server a service is asked in \
            place of all these. Nothing is changed without --write.

            What was read and answered is kept, so that a second run looks at what is new only; interrupted, a run goes on where \
            it was. --fresh looks at everything again.

            EXAMPLES
              earshot library identify ~/Music --catalog music.earcat
              earshot library identify ~/Music/new --why
              earshot library identify ~/Music/new --diff --covers
              earshot library identify ~/Music/new --write --rename "{albumartist}/{album}/{disc-}{track:02} {title}"
              earshot library identify ~/Music --without sound --json > albums.json

            Exit status 1: some files could not be read or written. 3: everything could be read, and nothing is known.
            """
    )

    @OptionGroup var library: LibraryOptions

    @Flag(name: .long, help: "Say for each file why.")
    var why = false

    @Flag(name: .long, help: "Show what --write would change, file by file; with --write, show it first.")
    var diff = false

    @Flag(name: .long, help: "Write the tags of files that are sure enough; `earshot library undo` takes it back.")
    var write = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --diff or --write: name and move the files too.",
            discussion: "For example \"{albumartist}/{album}{ (year)}/{disc-}{track:02} {title}\"."
        )
    )
    var rename: String?

    @Flag(name: .long, help: "With --diff or --write: put the album's cover into files that have none.")
    var covers = false

    @Option(name: .long, help: "With --diff or --write: leave files alone that are less sure than this, 0 to 1.")
    var least = 0.8

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if output.jsonl { throw ValidationError("An album is told as a whole: use --json.") }
        guard (0...1).contains(least) else { throw ValidationError("--least is 0 to 1.") }
        if rename != nil, library.folder == nil {
            throw ValidationError("--rename goes with one folder: files get their new places from there.")
        }
        guard !diff && !write else { return }
        if rename != nil || covers { throw ValidationError("--rename and --covers go with --diff or --write.") }
    }

    func run() async throws {
        let template = try rename.map { (text) throws(EarshotError) in try RenameTemplate(text) }
        let (report, result, knowledge) = try await library.identify(withCovers: covers)
        guard diff || write else {
            if output.json {
                Terminal.print(try JSON.document(report))
            } else {
                report.print(why: why)
            }
            return try LibraryReport.finish(result)
        }
        var options = TagPlan.Options()
        options.leastConfidence = least
        options.template = template
        options.root = library.folder
        let covers = self.covers ? LibraryCovers(knowledge) : nil
        let plan = await LibraryPlan(result.matched, urls: result.urls, options: options) {
            await covers?.cover(of: $0)
        }
        if write {
            try await plan.carryOut(in: library.folder, output, showing: diff)
        } else {
            try plan.show(output)
        }
        try LibraryReport.finish(result)
    }
}
