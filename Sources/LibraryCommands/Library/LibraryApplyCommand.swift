import ArgumentParser
import CommandKit
import EarshotAlbums
import EarshotCore
import EarshotTags
import Foundation

struct LibraryApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Write the tags of a plan that was made in a browser.",
        discussion: """
            The page for albums of a service looks at a folder, shows which track of which album each file is, and saves the tags that \
            were accepted as a plan. This shows what the plan changes, file by file; with --write it writes it. Files that have \
            changed since are left alone, and `earshot library undo` takes a run back.

            EXAMPLES
              earshot library apply plan.json ~/Music/new
              earshot library apply plan.json ~/Music/new --write
              earshot library apply plan.json ~/Music/new --write --rename "{albumartist}/{album}/{disc-}{track:02} {title}"

            Exit status 1: some files could not be read or written.
            """
    )

    @Argument(help: "The plan.", completion: .file(extensions: ["json"]))
    var plan: String

    @Argument(help: "The folder that was chosen in the browser.", completion: .directory)
    var folder: String

    @Flag(name: .long, help: "Write the tags; `earshot library undo` takes it back.")
    var write = false

    @Flag(name: .long, help: "With --write: show first what is changed.")
    var diff = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Name and move the files too.",
            discussion: "For example \"{albumartist}/{album}{ (year)}/{disc-}{track:02} {title}\"."
        )
    )
    var rename: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if output.jsonl { throw ValidationError("A plan is told as a whole: use --json.") }
    }

    func run() async throws {
        let root = URL(fileURLWithPath: folder).standardizedFileURL
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw EarshotError(.assetNotFound, "There is no folder at \(folder): name the folder that the plan is of.")
        }
        let file = try LibraryPlanFile.read(plan)
        var options = TagPlan.Options()
        options.leastConfidence = 0
        options.template = try rename.map { (text) throws(EarshotError) in try RenameTemplate(text) }
        options.root = root
        let (decisions, urls, failures) = file.decisions(in: root)
        let planned = await LibraryPlan(decisions, urls: urls, failures: failures, options: options) { _ in nil }
        guard write else { return try planned.show(output) }
        try await planned.carryOut(in: root, output, showing: diff)
    }
}
