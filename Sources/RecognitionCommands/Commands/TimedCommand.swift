import ArgumentParser
import CommandKit
import Earshot
import Foundation

/// Commands for timed content.
struct TimedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timed",
        abstract: "Read, check and convert timed content: lyrics, chapters, questions of a lesson.",
        discussion: """
            Read are JSON of this package, WebVTT (.vtt), LRC lyrics (.lrc), podcast chapters (.json), tables (.csv, .tsv), \
            FFmpeg's metadata text (.ffmetadata), and the chapters of media files (.m4b, .mka, .mkv, .mp4 and others).

            EXAMPLES
              earshot timed import lesson.csv -o lesson.json        a table to the form that holds everything
              earshot timed import book.m4b -o chapters.json        the chapters of a media file
              earshot timed export lesson.json -o lesson.vtt        to another form
              earshot timed show lesson.json --at 0:23              what is active there, and what comes next
              earshot timed check lesson.json --duration 12:34      find mistakes
              earshot timed seconds 3:14 1h2m3s                     times in seconds
            """,
        subcommands: [
            ImportCommand.self, ExportCommand.self, ShowCommand.self, CheckCommand.self, SecondsCommand.self,
        ]
    )

    /// Suffixes of media files, whose chapters are taken.
    private static let mediaSuffixes: Set<String> = [
        "aac", "avi", "flac", "m4a", "m4b", "m4v", "mka", "mkv", "mov", "mp3", "mp4", "oga", "ogg", "ogv", "opus",
        "wav",
        "webm", "wma", "wmv",
    ]

    /// The timed content of a file, of a media file's chapters, or of standard input.
    static func timeline(_ path: String, format: TimedContentFormat? = nil) async throws -> Timeline {
        guard path != "-" else {
            let data = try FileHandle.standardInput.readToEnd() ?? Data()
            return try Timeline(data: data, format: format, name: "standard input")
        }
        let url = URL(fileURLWithPath: path)
        if format == nil, mediaSuffixes.contains(url.pathExtension.lowercased()) {
            return try Timeline(chaptersOf: try await Asset.load(url))
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw EarshotError(.assetNotFound, "There is no file at \(path): check the path.")
        }
        guard !isFolder.boolValue else {
            throw EarshotError(.assetIsDirectory, "\(path) is a folder: name a file in it.")
        }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw EarshotError(.assetUnreadable, "\(path) cannot be read: check that you may read it.", cause: error)
        }
        return try Timeline(data: data, format: format, name: path)
    }

    /// Refuses early to overwrite.
    static func refuse(existing path: String, unless replace: Bool) throws {
        guard path != "-", !replace, FileManager.default.fileExists(atPath: path) else { return }
        throw AtomicFile.exists(URL(fileURLWithPath: path))
    }

    /// Writes a timeline to a file, with a line about it, or to standard output.
    static func write(
        _ timeline: Timeline,
        as format: TimedContentFormat,
        to path: String,
        replacing: Bool,
        result: JSONOption
    ) throws {
        let data = try timeline.data(as: format)
        guard path != "-" else {
            Terminal.write(String(decoding: data, as: UTF8.self), to: .standardOutput)
            return
        }
        try AtomicFile.write([UInt8](data), to: URL(fileURLWithPath: path), replacing: replacing)
        let count = timeline.entries.count
        try result.print(
            "\(path): \(DisplayText.plural(count, "entry", "entries"))",
            ["output": .string(path), "entries": .integer(count)]
        )
    }
}

/// A form of timed content on the command line.
struct TimedForm: ExpressibleByArgument {
    static let allValueStrings = TimedContentFormat.allCases.map(\.rawValue)

    let format: TimedContentFormat

    init?(argument: String) {
        guard let format = TimedContentFormat(rawValue: argument) else { return nil }
        self.format = format
    }
}

/// A time on the command line, in any form that timed content knows.
struct TimedTime: ExpressibleByArgument {
    let time: MediaTime

    init?(argument: String) {
        guard let time = try? TimeText.time(argument) else { return nil }
        self.time = time
    }
}
