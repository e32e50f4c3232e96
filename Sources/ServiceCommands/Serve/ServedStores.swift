import EarshotCore
import EarshotSQLite
import EarshotServer
import Foundation

/// The stores of a running service.
struct ServedStores: StoreMaintenance {
    let folder: DataFolder
    let music: SQLiteMusicStore
    let accounts: SQLiteAccountStore
    let guide: SQLiteGuideStore
    let fingerprints: SQLiteFingerprintStore
    let pieces: SQLitePieceStore
    let catalog: CatalogProvider

    func backUp(to target: URL, progress: @escaping @Sendable (Double) -> Void) async throws(EarshotError) {
        try await folder.backup(
            music: music,
            accounts: accounts,
            guide: guide,
            fingerprints: fingerprints,
            pieces: pieces,
            catalog: catalog.catalog,
            to: target,
            progress: progress
        )
    }

    func faults() async throws(EarshotError) -> [String] {
        try await music.check() + accounts.check() + guide.check() + fingerprints.check() + pieces.check()
            + folder.fingerprintIndexFaults()
    }
}
