import EarshotCore
import EarshotRemoteCatalogs
import Foundation
import TestSupport
import Testing

/// The conditions that the registry of errors names for catalogs over a network.
@Suite("Error codes of remote catalogs")
struct RemoteErrorCodeTests {
    @Test("an update from a server that is gone is downloadFailed", .requirements("R-CC-109"))
    func downloadFailed() async throws {
        try await RemoteBench.with { bench in
            let remote = try bench.remote()
            bench.server.stop()
            let error = await #expect(throws: EarshotError.self) { try await remote.update() }
            #expect(error?.code == .downloadFailed)
            #expect(error?.message.isEmpty == false)
        }
    }

    @Test("an update with a wrong byte is verificationFailed", .requirements("R-CC-109"))
    func verificationFailed() async throws {
        try await RemoteBench.with { bench in
            let data = try bench.publish(try RemoteBench.catalog(1), etag: "\"1\"")
            bench.server.fail(RemoteBench.path, .wrong(at: data.count / 2))
            let error = await #expect(throws: EarshotError.self) { try await bench.remote().update() }
            #expect(error?.code == .verificationFailed)
            #expect(error?.message.isEmpty == false)
        }
    }
}
