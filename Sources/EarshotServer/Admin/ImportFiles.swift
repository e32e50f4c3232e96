import EarshotCore
import Foundation

/// The files that the operator sends for import, and the reports of imports, in the folder `imports` of the service.
struct ImportFiles: Sendable {
    static let folderName = "imports"
    /// The most bytes of a file.
    static let limit = 8 << 30

    private let folder: URL

    /// - Parameter folder: The service's folder.
    init(folder: URL) { self.folder = folder.appendingPathComponent(Self.folderName) }

    /// Returns the address of a received file.
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Returns the address of the report of a job.
    private func report(_ job: String) -> URL { folder.appendingPathComponent("\(job).json") }

    /// Creates an empty file. Blocks.
    ///
    /// - Returns: Its name, and the file for writing.
    func make() throws(EarshotError) -> (name: String, handle: FileHandle) {
        let name = UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Self.unwritable(error)
        }
        let descriptor = open(file(name).path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(nil) }
        return (name, FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    static func unwritable(_ cause: (any Error)?) -> EarshotError {
        EarshotError(
            .writeFailed,
            "The service could not store the file to import: there may be no room left on its disk.",
            cause: cause
        )
    }

    /// Removes a received file.
    func remove(_ name: String) { try? FileManager.default.removeItem(at: file(name)) }

    /// Stores the report of a job. Blocks.
    func keep(_ report: ImportReport, of job: String) throws(EarshotError) {
        let data: Data
        do {
            data = try JSONEncoder.sorted().encode(report)
        } catch {
            throw EarshotError(.internalError, "The report of an import could not be encoded.", cause: error)
        }
        try AtomicFile.write([UInt8](data), to: self.report(job), replacing: true, mode: 0o600)
    }

    /// Returns the report of a job; `nil` if there is none yet. Blocks.
    func report(of job: String) -> ImportReport? {
        // The identifiers of jobs are letters and digits. Other texts could lead out of the folder.
        guard job.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }) else { return nil }
        return FileManager.default.contents(atPath: report(job).path).flatMap {
            try? JSONDecoder().decode(ImportReport.self, from: $0)
        }
    }
}
