public import ArgumentParser
import CommandKit
import Earshot
import EarshotCore
public import EarshotMedia
import EarshotTags
import Foundation

struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert audio files, or a whole folder of them.",
        discussion: """
            Tags, pictures and chapters are kept. Nothing is overwritten unless --replace is given, and no file appears before it \
            is whole; a folder that was interrupted is gone on with by the same command. Files of a folder that would have one name get \
            numbers. What a file loses is said by --dry-run, which does nothing else and ends with the status of the conversion.

            EXAMPLES
              earshot convert song.flac -o song.m4a
              earshot convert ~/Music -o ~/Phone --to opus --bit-rate 96000
              earshot convert film.mkv -o cut.wav --from 1:00 --until 1:30 --bits 24
              earshot convert film.mp4 -o sound.m4a --preset passthrough
              earshot convert song.ogg -o - --to raw --rate 16000 --channels 1 | program
            """
    )

    @Argument(help: "Files and folders.", completion: .file())
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: "The file, or the folder for several; - for standard output.",
        completion: .file()
    )
    var output: String

    @Option(
        name: .long,
        help:
            "The type: \(FileType.allCases.map(\.rawValue).joined(separator: ", ")); by the output's extension unless stated."
    )
    var to: FileType?

    @OptionGroup(title: "Settings")
    var settings: ExportOptions

    @Option(name: .shortAndLong, help: "Files at a time; as many as there are processors unless stated.")
    var jobs: Int?

    @Flag(name: .long, help: "Replace files that are there already.")
    var replace = false

    @Flag(name: .shortAndLong, help: "Say what would be done, and what the files would lose, and do nothing.")
    var dryRun = false

    @OptionGroup
    var format: OutputOptions

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
        if output == "-", inputs.count > 1 { throw ValidationError("Only one file can go to standard output.") }
        if output == "-", to == nil { throw ValidationError("Say with --to what standard output shall be.") }
    }

    func run() async throws {
        let wanted = try settings.settings()
        if output == "-", let to {
            let session = ExportSession(
                URL(fileURLWithPath: inputs[0]),
                settings: wanted,
                toDescriptor: STDOUT_FILENO,
                as: to,
                tags: .tagLib
            )
            do {
                let written = try await session.export()
                if let warning = DurationWarning(inputs[0], written.durationMismatch) { Terminal.note(warning.message) }
            } catch {
                // A reader that has enough, such as `head`, is no failure.
                guard !Terminal.readerHasGone else { return }
                throw error
            }
            return
        }
        let jobs = try ConversionJob.list(inputs, output: output, type: to)
        // A folder that happens to hold one file is told of like any other.
        let isFolder = try URL(fileURLWithPath: inputs[0]).resourceValues(forKeys: [.isDirectoryKey]).isDirectory
        let isSingle = jobs.count == 1 && isFolder != true
        let batch = ConversionBatch(
            jobs,
            isSingle: isSingle,
            settings: wanted,
            type: to,
            replacing: replace,
            width: self.jobs ?? ProcessInfo.processInfo.activeProcessorCount
        )
        for job in jobs {
            guard let namesake = job.namesake else { continue }
            let (first, second) = (Terminal.shown(namesake.path), Terminal.shown(job.input.path))
            Terminal.note(
                "\(first) and \(second) would have one name: the second becomes \(Terminal.shown(job.output.path))."
            )
        }
        if dryRun { return try await show(batch) }
        let report: ConversionBatch.Report
        do {
            report = try await batch.run()
        } catch let error as EarshotError where error.code == .cancelled {
            Terminal.note(isSingle ? "Interrupted." : "Interrupted: run the same command again to go on.")
            // 128 and the number of the signal, as shells expect.
            throw ExitCode(130)
        }
        try tell(report, isSingle: isSingle)
        if report.failures > 0 { throw ExitCode(1) }
    }

    private func show(_ batch: ConversionBatch) async throws {
        let plans = try await batch.plans()
        if format.json { Terminal.print(try JSON.document(plans)) }
        for plan in format.json ? [] : plans {
            if format.jsonl {
                Terminal.print(try JSON.line(plan))
                continue
            }
            Terminal.print("\(Terminal.shown(plan.input)) → \(Terminal.shown(plan.output))")
            if let error = plan.error { Terminal.print("  \(Terminal.shown(error.message))") }
            if plan.isThere { Terminal.print("  there already") }
            if let encoding = plan.encoding { Terminal.print("  \(encoding)") }
            for loss in plan.losses { Terminal.print("  \(Terminal.shown(loss))") }
        }
        if plans.contains(where: { $0.error != nil }) { throw ExitCode(1) }
    }

    private func tell(_ report: ConversionBatch.Report, isSingle: Bool) throws {
        for warning in report.files.compactMap(\.durationWarning) { Terminal.note(warning.message) }
        if format.json { return Terminal.print(try JSON.document(report)) }
        if format.jsonl {
            for file in report.files { Terminal.print(try JSON.line(file)) }
            return
        }
        for file in report.files {
            if let error = file.error { Terminal.printError(error.message) }
            if let dropped = file.droppedTags {
                let names = Terminal.shown(dropped.joined(separator: ", "))
                Terminal.note("\(Terminal.shown(file.output)) cannot hold \(names): left out.")
            }
        }
        if isSingle, let file = report.files.first, file.error == nil, let bytes = file.bytes {
            Terminal.print(
                "\(Terminal.shown(file.output)): \(DisplayText.position(MediaTime(seconds: file.seconds ?? 0))), \(DisplayText.bytes(Int(bytes)))"
            )
            return
        }
        var parts = ["\(report.converted) converted"]
        if report.kept > 0 { parts.append("\(report.kept) there already") }
        if report.failures > 0 { parts.append("\(report.failures) failed") }
        Terminal.print(parts.joined(separator: ", "))
    }
}

extension FileType: ExpressibleByArgument {
    /// A type by its name, in any case.
    public init?(argument: String) {
        self.init(rawValue: argument.lowercased())
    }
}
