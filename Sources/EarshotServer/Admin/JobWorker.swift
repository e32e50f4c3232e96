import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotRecognition
import Foundation

/// Runs the jobs of the operator and of clients.
struct JobWorker: Sendable {
    let settings: ServiceSettings
    let folder: URL
    let disk: DiskReserve
    let catalog: CatalogProvider
    let references: ReferenceWriter
    let published: OfferedCatalogs
    let fetcher: SafeFetcher
    let decoder: any UploadDecoder
    let queue: WorkQueue
    let now: @Sendable () -> Date
    let accounts: any AccountStore
    let maintenance: (any StoreMaintenance)?
    let imports: ImportWorker
    /// Replaces the paths of the service's folders in results and messages, which clients read.
    let concealed: ConcealedFolders

    /// Runs a job.
    ///
    /// - Returns: The result, as a sentence.
    /// - Throws: `accessDenied` for the job of a client that has lost the right since, and what the job throws.
    func run(
        _ job: Job,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(EarshotError) -> String? {
        do throws(EarshotError) {
            return try await perform(job, progress).map { concealed.concealed($0) }
        } catch {
            throw concealed.concealed(error)
        }
    }

    private func perform(
        _ job: Job,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(EarshotError) -> String? {
        if let client = job.client {
            guard let client = try await accounts.client(client), client.isEnabled, client.rights.contains(.references)
            else {
                throw EarshotError(
                    .accessDenied,
                    "The client of this job does not have the right references any more: the operator can give it."
                )
            }
        }
        // The disk had room when the job was submitted, and may be full by now.
        if job.order.kind != "check" { try await disk.admit() }
        if let kind = ImportWorker.Kind(rawValue: job.order.kind) {
            return try await imports.run(kind, job, progress)
        }
        return switch job.order.kind {
        case "addReference": try await addReference(job, progress)
        case "publish": try await publish(job)
        case "backup": try await makeBackup(job, progress)
        case "check": try await lookForDamage()
        default: throw EarshotError(.internalError, "There is no job of kind \(job.order.kind).")
        }
    }

    private func addReference(_ job: Job, _ progress: @escaping @Sendable (Double) -> Void)
        async throws(EarshotError) -> String?
    {
        let file = try await fetcher.fetch(
            job.order.input["url"] ?? "",
            into: folder,
            limit: settings.uploadLimit
        ) { arrived, all in
            if let all, all > 0 { progress(0.5 * Double(arrived) / Double(all)) }
        }
        progress(0.5)
        let signature = try await decoder.signature(reading: file.handle, limit: nil)
        progress(0.9)
        // `replacing`: a job that a restart interrupted may have added the reference already.
        let id = job.order.input["id"].map { ReferenceID($0) }
        return try await references.keep(signature, id: id, job.order.input, replacing: true, for: job.client).record.id
    }

    private func publish(_ job: Job) async throws(EarshotError) -> String? {
        let version = try await published.publish(try await catalog.whole(), as: job.order.input["id"] ?? "", at: now())
        return "\(version.name) \(version.version)"
    }

    private func makeBackup(_ job: Job, _ progress: @escaping @Sendable (Double) -> Void)
        async throws(EarshotError) -> String?
    {
        guard let maintenance else {
            throw EarshotError(.internalError, "This service cannot make backups: its databases have no backup.")
        }
        let name = job.created.ISO8601Format().replacing(":", with: "").replacing("-", with: "")
        let folder = folder.appendingPathComponent("backups").appendingPathComponent(
            "\(name)-\(job.id.prefix(4))"
        )
        try await maintenance.backUp(to: folder, progress: progress)
        return folder.lastPathComponent
    }

    private func lookForDamage() async throws(EarshotError) -> String? {
        guard let maintenance else {
            throw EarshotError(.internalError, "This service cannot check its stores: its databases have no check.")
        }
        let faults = try await maintenance.faults()
        return faults.isEmpty ? "nothing is wrong" : faults.prefix(20).joined(separator: "; ")
    }
}
