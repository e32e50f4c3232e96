import EarshotCore
import Foundation
import Hummingbird

/// Lists the backups that the job `backup` has made.
struct BackupController: Controller {
    /// The service's folder.
    let folder: URL

    private struct Backup: Encodable, Sendable {
        let name: String
        let date: Date?
        /// The bytes of all files.
        let size: Int
        let files: Int
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/admin/backups",
                id: "backups",
                summary:
                    "The backups in the service's folder, the latest first. `earshot admin restore` puts one back.",
                tag: "Operator",
                access: .admin,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The backups.",
                        type: "application/json",
                        schema: Schemas.list("BackupRecord")
                    )
                ],
                handler: { _ in
                    let folder = folder.appendingPathComponent("backups")
                    let backups = try await BlockingWork.run { () throws(EarshotError) in Self.backups(in: folder) }
                    return try .json(backups)
                }
            )
        ]
    }

    private static func backups(in folder: URL) -> [Backup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted(by: >).compactMap { name in
            let backup = folder.appendingPathComponent(name)
            guard let manifest = try? BackupManifest.read(backup) else { return nil }
            let list = backup.appendingPathComponent(BackupManifest.fileName).path
            let attributes = try? FileManager.default.attributesOfItem(atPath: list)
            return Backup(
                name: name,
                date: attributes?[.modificationDate] as? Date,
                size: manifest.size,
                files: manifest.files.count
            )
        }
    }
}
