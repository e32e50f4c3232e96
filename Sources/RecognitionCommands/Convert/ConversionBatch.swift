import CommandKit
import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation

/// Converts files side by side.
struct ConversionBatch: Sendable {
    /// The result for one file.
    struct File: Sendable, Encodable {
        let input: String
        let output: String
        /// `converted`, `kept` or `failed`.
        var outcome = "failed"
        var seconds: Double?
        var bytes: Int64?
        /// The file that has the name which this one would have without its number.
        var namesake: String?
        /// Tags that the file could not hold, besides what the plan says.
        var droppedTags: [String]?
        /// The error; `nil` if it did not fail.
        var error: ErrorRecord?
        var durationWarning: DurationWarning?

        init(_ job: ConversionJob) {
            (input, output, namesake) = (job.input.path, job.output.path, job.namesake?.path)
        }
    }

    /// The results for all files.
    struct Report: Sendable, Encodable {
        var converted = 0
        /// Those that were there already.
        var kept = 0
        var failures = 0
        var files: [File] = []
    }

    /// The planned result for one file.
    struct Plan: Sendable, Encodable {
        let input: String
        let output: String
        var encoding: String?
        var sampleRate: Int?
        var channels: Int?
        var losses: [String] = []
        /// The file that has the name which this one would have without its number.
        var namesake: String?
        /// `true` if the result is there already, from an earlier run.
        var isThere = false
        /// The error; `nil` if it did not fail.
        var error: ErrorRecord?
    }

    private let jobs: [ConversionJob]
    private let isSingle: Bool
    private let settings: ExportSettings
    private let type: FileType?
    private let replacing: Bool
    private let width: Int

    /// - Parameter isSingle: `true` if the only job is a file that was named, whose error is that of the whole.
    init(
        _ jobs: [ConversionJob],
        isSingle: Bool,
        settings: ExportSettings,
        type: FileType?,
        replacing: Bool,
        width: Int
    ) {
        self.jobs = jobs
        self.isSingle = isSingle
        self.settings = settings
        self.type = type
        self.replacing = replacing
        self.width = width
    }

    /// Returns the plan for each file, in the order of their names.
    ///
    /// - Throws: For a single file, the errors of ``run()``.
    func plans() async throws -> [Plan] {
        var plans: [Plan] = []
        for job in jobs {
            var plan = Plan(input: job.input.path, output: job.output.path, namesake: job.namesake?.path)
            plan.isThere = !replacing && FileManager.default.fileExists(atPath: job.output.path)
            if isSingle, plan.isThere { throw AtomicFile.exists(job.output) }
            do {
                let decided = try await session(job).plan()
                plan.encoding = Self.text(decided.encoding)
                plan.sampleRate = decided.sampleRate
                plan.channels = decided.channelCount
                plan.losses = decided.losses.map(\.description)
            } catch {
                if isSingle { throw error }
                // What is there is kept, whatever its source is.
                if !plan.isThere { plan.error = ErrorRecord(error) }
            }
            plans.append(plan)
        }
        return plans
    }

    /// Converts. A file that fails does not stop the others; one that is there already is kept, unless it is the only one.
    ///
    /// - Throws: Errors that concern all files, such as a full disk; for a single file, its error.
    func run() async throws -> Report {
        if isSingle { return try await runSingle() }
        let bar = ProgressBar(total: jobs.count)
        defer { bar.finish() }
        let work = Task { try await convertAll(bar) }
        // What is half done goes before the command ends.
        let interruption = Interruption(ending: { work.cancel() })
        defer { _ = interruption }
        var report = Report()
        report.files = try await work.value.sorted { $0.input < $1.input }
        for file in report.files {
            switch file.outcome {
            case "converted": report.converted += 1
            case "kept": report.kept += 1
            default: report.failures += 1
            }
        }
        return report
    }

    private func convertAll(_ bar: ProgressBar) async throws -> [File] {
        let folders = OutputFolders()
        // Nobody wants folders in which nothing came to be.
        defer { folders.removeEmpty() }
        return try await withThrowingTaskGroup(of: File.self) { group in
            var files: [File] = []
            var waiting = jobs.makeIterator()
            func add() {
                if let job = waiting.next() { group.addTask { try await convert(job, folders) } }
            }
            for _ in 0..<width { add() }
            while let file = try await group.next() {
                bar.step(audioSeconds: file.seconds ?? 0)
                files.append(file)
                add()
            }
            return files
        }
    }

    private func runSingle() async throws -> Report {
        let job = jobs[0]
        let session = session(job)
        let bar = PartBar()
        session.onProgress { bar.show($0.fraction) }
        defer { bar.finish() }
        let interruption = Interruption(ending: { session.cancel() })
        defer { _ = interruption }
        let written = try await session.export()
        var file = File(job)
        file.take(written)
        return Report(converted: 1, files: [file])
    }

    private func session(_ job: ConversionJob) -> ExportSession {
        ExportSession(job.input, settings: settings, to: job.output, as: type, replacing: replacing, tags: .tagLib)
    }

    @concurrent
    private func convert(_ job: ConversionJob, _ folders: OutputFolders) async throws -> File {
        var file = File(job)
        // Files appear whole: one that is there was finished by an earlier run.
        if !replacing, FileManager.default.fileExists(atPath: job.output.path) {
            file.outcome = "kept"
            return file
        }
        do {
            folders.make(job.output.deletingLastPathComponent())
            let written = try await session(job).export()
            file.take(written)
        } catch {
            // A full disk is full for all, and who ended it ended all.
            if error.code == .writeFailed || error.code == .cancelled { throw error }
            // Another program that does the same has just finished it.
            if error.code == .destinationExists, !replacing {
                file.outcome = "kept"
                return file
            }
            file.error = ErrorRecord(error)
        }
        return file
    }

    static func text(_ encoding: AudioEncoding) -> String {
        switch encoding {
        case .pcm(let layout): layout.map { "pcm, \($0)" } ?? "pcm"
        case .flac(let bits), .alac(let bits): "\(encoding.kind.rawValue)" + (bits.map { ", \($0) bits" } ?? "")
        case .aac(let rate), .mp3(let rate), .vorbis(let rate), .opus(let rate):
            "\(encoding.kind.rawValue)" + (rate.map { ", \($0 / 1_000) kbit/s" } ?? "")
        case .passthrough: "passthrough"
        }
    }
}

extension ConversionBatch.File {
    fileprivate mutating func take(_ written: WrittenFile) {
        (outcome, seconds, bytes) = ("converted", written.duration.seconds, written.byteCount)
        if !written.droppedTags.isEmpty { droppedTags = written.droppedTags }
        durationWarning = DurationWarning(input, written.durationMismatch)
    }
}
