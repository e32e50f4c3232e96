import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import ServiceCommands

@Suite("earshot bundle, and where its store is")
struct BundleStoreTests {
    private let earshot = Workshop.earshot

    @Test("A bundle goes into the store that stands behind it, and is found there")
    func ingest() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let bundle = folder.appendingPathComponent("ads.earbundle").path
            let reference = shop.folder.appendingPathComponent(Workshop.clipName).path
            #expect(try await earshot.run(["bundle", "build", reference, "-o", bundle]).status == 0)
            let store = folder.appendingPathComponent("bundles").path
            // It is made the first time, and is there the second.
            for outcome in ["added", "unchanged"] {
                let ingested = try await earshot.run(["bundle", "ingest", bundle, store + "/"])
                #expect(ingested.status == 0 && ingested.output.contains(outcome), "\(ingested.errors)")
                #expect(ingested.output.contains(store))
            }
            let found = try await earshot.run(["bundle", "lookup", shop.clip.path, "--store", store])
            #expect(found.status == 0)
            // A bundle whose name is mistyped is no store.
            let mistyped = try await earshot.run(["bundle", "ingest", bundle, folder.path + "/ad.earbundle"])
            #expect(mistyped.status == 1 && mistyped.errors.contains("ad.earbundle"))
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/ad.earbundle"))
        }
    }

    @Test("Which argument is the store")
    func places() throws {
        try withTemporaryFolder { folder in
            for name in ["empty", "incoming"] {
                let place = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            let incoming = folder.appendingPathComponent("incoming").path
            try Data().write(to: URL(fileURLWithPath: incoming + "/b.earbundle"))
            func places(_ inputs: [String], _ store: String? = nil) -> [String] {
                let places = BundleCommand.Ingest.places(inputs, store: store)
                return places.inputs + ["into", places.store ?? ""]
            }
            let (new, empty) = (folder.path + "/new", folder.path + "/empty")
            #expect(places(["a.earbundle"]) == ["a.earbundle", "into", ""])
            #expect(places(["a.earbundle", new]) == ["a.earbundle", "into", new])
            #expect(places(["a.earbundle", empty]) == ["a.earbundle", "into", empty])
            #expect(places(["a.earbundle", incoming]) == ["a.earbundle", incoming, "into", ""])
            #expect(places(["a.earbundle", new + ".earbundle"]) == ["a.earbundle", new + ".earbundle", "into", ""])
            #expect(places(["a.earbundle", new], "s") == ["a.earbundle", new, "into", "s"])
        }
    }

    @Test("A store that is not there is an error that names it, and not an empty answer")
    func mistyped() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let missing = folder.appendingPathComponent("bundels").path
            let other = folder.appendingPathComponent("letters").path
            try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
            try Data("Dear".utf8).write(to: URL(fileURLWithPath: other + "/letter.txt"))
            let commands = [
                ["lookup", shop.clip.path], ["list"], ["list", "--json"], ["verify"], ["remove", "ads"],
                ["clear", "--yes"],
            ]
            for command in commands {
                for store in [missing, other] {
                    let outcome = try await earshot.run(["bundle"] + command + ["--store", store])
                    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(command) \(outcome.output)")
                    #expect(outcome.errors.contains(store) && outcome.errors.contains("--store"), "\(outcome.errors)")
                }
            }
            let named = try await earshot.run(["bundle", "list"], environment: ["EARSHOT_BUNDLES": missing])
            #expect(named.status == 1 && named.errors.contains("EARSHOT_BUNDLES"))
            let watch = ["monitor", "watch", "--file", shop.clip.path, "--cache-only", "--store", missing]
            #expect(try await earshot.run(watch).errors.contains(missing))
            #expect(!FileManager.default.fileExists(atPath: missing))
        }
    }
}
