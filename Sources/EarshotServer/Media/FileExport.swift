package import EarshotAPI
import EarshotCore
import EarshotMedia
import EarshotTags
package import Foundation

/// An export of one file of a media folder, as it is sent to the process that runs it.
package struct FileExport: Sendable, Codable {
    /// The result of an export.
    package struct Outcome: Sendable, Codable {
        /// The duration of the result; `nil` if it is unknown.
        package var duration: AssetRecord.Time?
        /// The progress at the end.
        package var progress: ExportRecord.Progress
    }

    /// One line of what the process writes.
    enum Report: Sendable, Codable {
        case progress(ExportRecord.Progress)
        case finished(Outcome)

        /// Returns the report as JSON, with the end of a line.
        func line() throws -> Data { try JSONEncoder().encode(self) + Data([UInt8(ascii: "\n")]) }
    }

    /// The request.
    package let request: ExportRequest
    /// The file to create, in an empty folder.
    package let destination: URL
    /// The planned duration of the result, in seconds; `nil` if it is unknown.
    package let duration: Double?
    /// The largest size of the result, in bytes.
    package let sizeLimit: Int

    /// Creates an export.
    package init(_ request: ExportRequest, to destination: URL, duration: Double?, sizeLimit: Int) {
        (self.request, self.destination) = (request, destination)
        (self.duration, self.sizeLimit) = (duration, sizeLimit)
    }

    /// Returns an export session that has not begun.
    ///
    /// - Throws: An error if the request is invalid.
    static func session(
        _ url: URL,
        _ request: ExportRequest,
        to destination: URL
    ) throws(EarshotError) -> ExportSession {
        let type = try FileType.choose(for: destination, stated: try request.fileType())
        return ExportSession(url, settings: try request.exportSettings(), to: destination, as: type, tags: .tagLib)
    }

    /// Exports the file. Canceling the task ends the export.
    ///
    /// - Parameters:
    ///   - url: The source.
    ///   - report: Called with the progress, at most ten times a second.
    /// - Throws: Errors of the session, and of `report`.
    func run(on url: URL, report: (ExportRecord.Progress) throws -> Void) async throws -> Outcome {
        let session = try Self.session(url, request, to: destination)
        let reports = session.progressReports
        async let file = session.export()
        for await progress in reports { try report(ExportRecord.Progress(progress)) }
        return Outcome(
            duration: AssetRecord.Time(try await file.duration),
            progress: ExportRecord.Progress(session.progress)
        )
    }
}
