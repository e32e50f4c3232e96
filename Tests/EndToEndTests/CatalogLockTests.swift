import EarshotCatalogs
import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("earshot catalog, beside another program that changes the catalog")
struct CatalogLockTests {
    private let earshot = Workshop.earshot

    private func store(_ folder: URL) async throws -> String {
        let store = folder.appendingPathComponent("catalog.earstore").path
        let imported = try await earshot.run(["catalog", "import", try await Workshop.shared().catalog.path, store])
        #expect(imported.status == 0, "\(imported.errors)")
        return store
    }

    @Test(
        "A change beside a running service fails at once, names the service and what to do, and works when it has ended"
    )
    func service() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let data = folder.appendingPathComponent("data")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            let store = try await store(data)
            let service = try await RunningService(data: data)
            let partial = store + ".partial"
            let commands = [
                ["update", shop.music.path, store], ["add", store, shop.foreign.path], ["remove", store, "win.wav"],
                ["compact", store], ["import", shop.catalog.path, store],
            ]
            for command in commands {
                let outcome = try await earshot.run(["catalog"] + command)
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(command)")
                for words in [store, "earshot serve at \(service.base.absoluteString)", "/v1/references", "--wait"] {
                    #expect(outcome.errors.contains(words), "\(command): \(outcome.errors)")
                }
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(command): \(outcome.errors)")
            }
            // A creation that was interrupted goes on there, and is refused too.
            try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: true)
            let resumed = try await earshot.run(["catalog", "create", shop.music.path, "-o", store])
            #expect(resumed.status == 1 && resumed.errors.contains("earshot serve"), "\(resumed.errors)")
            try FileManager.default.removeItem(atPath: partial)
            await service.stop()
            let added = try await earshot.run(["catalog", "add", store, shop.foreign.path])
            #expect(added.status == 0, "\(added.errors)")
        }
    }

    @Test("Another command is waited for, which is said at once; after the limit the error names it")
    func command() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let store = try await store(folder)
            var holder: CatalogStore? = try CatalogStore(URL(fileURLWithPath: store))
            let add = ["catalog", "add", store, shop.foreign.path]
            let refused = try await earshot.run(add + ["--wait-limit", "0.2"])
            #expect(refused.status == 1)
            let lines = refused.errors.split(separator: "\n")
            #expect(lines.count == 2 && lines[0].contains("waiting for up to 1 s"), "\(refused.errors)")
            #expect(lines.allSatisfy { $0.contains("process \(getpid())") && $0.contains(store) }, "\(refused.errors)")
            // It waits visibly until the other one is done.
            async let waiting = earshot.run(add + ["--wait"])
            try await Task.sleep(for: .milliseconds(300))
            withExtendedLifetime(holder) {}
            holder = nil
            let outcome = try await waiting
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    @Test("A catalog file that another process changes is waited for in the same way")
    func file() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let catalog = folder.appendingPathComponent("c.earcat")
            try FileManager.default.copyItem(at: shop.catalog, to: catalog)
            let lock = try CatalogLock(catalog, patience: .none)
            let add = ["catalog", "add", catalog.path, shop.foreign.path, "--wait-limit", "0.2"]
            let refused = try await earshot.run(add)
            #expect(refused.status == 1 && refused.errors.contains("waiting for up to 1 s"), "\(refused.errors)")
            #expect(refused.errors.contains("run the command again when it has ended, or with --wait"))
            withExtendedLifetime(lock) {}
        }
    }
}
