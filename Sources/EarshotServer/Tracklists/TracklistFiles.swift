import EarshotAPI
import EarshotCore
import EarshotNodes
import Foundation
import Synchronization

/// The files of tracklists in a service's folder: recordings that wait for their jobs, and finished tracklists.
///
/// Methods block.
final class TracklistFiles: Sendable {
    /// A format in which a tracklist is stored and sent.
    enum Form: String, CaseIterable, Sendable {
        case json, cue, csv

        /// The content type.
        var type: String {
            switch self {
            case .json: "application/json"
            case .cue: "application/x-cue"
            case .csv: "text/csv; charset=utf-8"
            }
        }
    }

    static let folderName = "tracklists"
    private static let recordingSuffix = ".recording"

    private let root: URL
    /// The names of recordings that no job contains yet, with their owners.
    private let arriving = Mutex<[String: String]>([:])

    /// - Parameter folder: The service's data.
    init(folder: URL) {
        root = folder.appendingPathComponent(Self.folderName)
    }

    /// Returns the file of a recording, by the name that ``begin(_:)`` returned.
    func recording(_ name: String) -> URL { root.appendingPathComponent(name + Self.recordingSuffix) }

    /// Returns the file of a job's tracklist.
    func result(_ job: String, _ form: Form) -> URL { root.appendingPathComponent("\(job).\(form.rawValue)") }

    /// Returns the bytes of all recordings, also of those that are arriving.
    func recordingBytes() -> Int {
        let files = try? FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: [.fileSizeKey])
        return (files ?? []).filter { $0.lastPathComponent.hasSuffix(Self.recordingSuffix) }
            .reduce(0) { $0 + ((try? $1.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0) }
    }

    /// Creates an empty file for a recording. Until ``settle(_:)`` is called, it needs no job to be kept.
    ///
    /// - Parameter owner: The owner of the recording, who may send as many at once as jobs of an owner may wait.
    /// - Returns: The name of the recording, and its file for writing.
    /// - Throws: `tooManyRequests`, `writeFailed`.
    func begin(_ owner: String) throws(EarshotError) -> (name: String, handle: FileHandle) {
        let limit = TracklistController.limits.ownerWaiting
        let name = Secrets.name()
        let isAdmitted = arriving.withLock { arriving in
            guard arriving.values.count(where: { $0 == owner }) < limit else { return false }
            arriving[name] = owner
            return true
        }
        guard isAdmitted else {
            throw EarshotError(
                .tooManyRequests,
                "\(limit) recordings of yours are being sent already: send this one when one of them has arrived."
            )
        }
        do throws(EarshotError) {
            return (name, try make(name))
        } catch {
            settle(name)
            throw error
        }
    }

    private func make(_ name: String) throws(EarshotError) -> FileHandle {
        do {
            try FileManager.default.createDirectory(
                at: root,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw EarshotError(
                .writeFailed,
                "The folder for tracklists could not be made: there may be no room left on the service's disk.",
                cause: error
            )
        }
        let descriptor = open(recording(name).path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw EarshotError(
                .writeFailed,
                "The service could not store the upload: there may be no room left on its disk."
            )
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Notes that a job contains a recording by now, or that none will: from now on it is kept only for a job.
    func settle(_ name: String) { arriving.withLock { $0[name] = nil } }

    /// Removes a recording.
    func removeRecording(_ name: String) { try? FileManager.default.removeItem(at: recording(name)) }

    /// Stores the tracklist of a job.
    ///
    /// - Throws: `writeFailed`.
    func keep(_ texts: [Form: Data], of job: String) throws(EarshotError) {
        for (form, text) in texts {
            try AtomicFile.write([UInt8](text), to: result(job, form), replacing: true, mode: 0o600)
        }
    }

    /// Removes the files of jobs that are forgotten, and recordings whose jobs are over.
    ///
    /// - Parameter jobs: Returns all jobs. Called after the files and the arriving recordings were listed, so that a recording which is in
    ///   neither list has its job by then.
    func removeLeftovers(_ jobs: () async throws(EarshotError) -> [Job]) async throws(EarshotError) {
        let root = root
        let names = try await BlockingWork.run { () throws(EarshotError) in
            (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        }
        let arriving = Set(arriving.withLock { $0 }.keys)
        let jobs = try await jobs()
        let waiting = Set(jobs.filter { !$0.state.isFinal }.compactMap { $0.order.input["recording"] })
        let known = Set(jobs.map(\.id))
        let left = names.filter { name in
            let (stem, suffix) = Self.parts(name)
            let isKept =
                suffix == Self.recordingSuffix
                ? waiting.contains(stem) || arriving.contains(stem)
                : Form(rawValue: String(suffix.dropFirst())) == nil || known.contains(stem)
            return !isKept
        }
        try await BlockingWork.run { () throws(EarshotError) in
            for name in left { try? FileManager.default.removeItem(at: root.appendingPathComponent(name)) }
        }
    }

    private static func parts(_ name: String) -> (stem: String, suffix: String) {
        let stem = String(name.prefix { $0 != "." })
        return (stem, String(name.dropFirst(stem.count)))
    }
}
