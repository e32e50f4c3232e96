import ArgumentParser

struct LibraryIdentifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Say which track of which album each file is.",
        discussion: """
            The files below a folder are read (tags, names, the first 20 s of sound), put into groups that are likely to be of one \
            album, and held against the albums of the database of music; --catalog finds them by their sound too. With --server a \
            service is asked in place of both. Nothing is changed.

            What was read and answered is kept, so that a second run looks at what is new only; interrupted, a run goes on where \
            it was. --fresh looks at everything again.

            EXAMPLES
              earshot library identify ~/Music --catalog music.earcat
              earshot library identify ~/Music/new --why
              earshot library identify ~/Music --without sound --json > albums.json

            Exit status 3: everything could be read, and nothing is known.
            """
    )

    @OptionGroup var library: LibraryOptions

    @Flag(name: .long, help: "Say for each file why.")
    var why = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if output.jsonl { throw ValidationError("An album is told as a whole: use --json.") }
    }

    func run() async throws {
        let (report, result, _) = try await library.identify()
        if output.json {
            Console.say(try JSON.document(report))
        } else {
            report.print(why: why)
        }
        try LibraryReport.finish(result)
    }
}
