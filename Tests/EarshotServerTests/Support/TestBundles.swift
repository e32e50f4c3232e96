import EarshotCore
import EarshotMonitor
import Foundation

/// Bundles for the test services.
enum TestBundles {
    /// A bundle named `ads` with one piece of the made-up music.
    static func write(version: UInt64, seed: UInt64 = 60, to url: URL) throws {
        let header = try BundleHeader(
            id: "ads",
            version: version,
            creationDate: Date(timeIntervalSince1970: 1_800_000_000)
        )
        let writer = try BundleWriter(url, header: header)
        try writer.add(BundleReference(id: "spot", signature: try TestMusic.whole(seed), title: "Spot \(version)"))
        _ = try writer.finish()
    }
}
