import Earshot
import Foundation
import TestSupport
import Testing

@Suite("earshot catalog pull and sign")
struct RemoteCatalogCommandTests {
    private let earshot = Workshop.earshot

    private func catalog(_ seed: UInt64) throws -> Catalog {
        var catalog = Catalog()
        try catalog.add(.random(seed: seed, seconds: 12), representing: [], id: ReferenceID("\(seed)"))
        return catalog
    }

    @Test("pulled, unchanged, newer, and with the server away")
    func pull() async throws {
        try await withTemporaryFolder { folder in
            let server = try LoopbackServer()
            defer { server.stop() }
            let data = try catalog(1).data()
            server.publish(data, at: "/m.earcat", etag: "\"1\"")
            server.fail("/m.earcat", .cut(after: 700), .cut(after: 100))
            let output = folder.appendingPathComponent("m.earcat")
            func pull(_ more: String...) async throws -> Tool.Outcome {
                let address = server.url("/m.earcat", credentials: "user:secret@").absoluteString
                return try await earshot.run(["catalog", "pull", address, "-o", output.path, "--retries", "0"] + more)
            }
            let broken = try await pull()
            #expect(broken.status == 1)
            #expect(!broken.errors.contains("secret"))
            #expect(!FileManager.default.fileExists(atPath: output.path))
            // Once more by itself, from where it stopped.
            let first = try await pull("--json", "--retries", "1")
            #expect(first.status == 0, "\(first.errors)")
            #expect(try Document(first.output)["source"] as? String == "download")
            #expect(try Data(contentsOf: output) == data)
            #expect(server.exchanges(at: "/m.earcat").map(\.status) == [200, 206, 206])
            let second = try await pull()
            #expect(second.output.contains("nothing has changed"))
            let newer = try catalog(2).data()
            server.publish(newer, at: "/m.earcat", etag: "\"2\"")
            #expect(try await pull().status == 0)
            #expect(try Data(contentsOf: output) == newer)
            server.stop()
            #expect(try await pull().status == 1)
            let kept = try await pull("--json", "--fallback", output.path)
            #expect(kept.status == 0)
            #expect(try Document(kept.output)["source"] as? String == "cache")
            #expect(try Document(kept.output)["error", "code"] as? String == "downloadFailed")
        }
    }

    @Test(
        "the fallback is taken where nothing is there, and gives way to what is fetched later",
        .requirements("R-CC-106")
    )
    func fallback() async throws {
        try await withTemporaryFolder { folder in
            let server = try LoopbackServer()
            defer { server.stop() }
            let output = folder.appendingPathComponent("m.earcat")
            let shipped = folder.appendingPathComponent("s.earcat")
            try catalog(1).write(to: shipped)
            let arguments = ["catalog", "pull", server.url("/m.earcat").absoluteString, "-o", output.path]
            #expect(try await earshot.run(arguments).status == 1)
            let copied = try await earshot.run(arguments + ["--fallback", shipped.path, "--json"])
            #expect(copied.status == 0)
            #expect(try Document(copied.output)["source"] as? String == "bundle")
            server.publish(try catalog(2).data(), at: "/m.earcat")
            #expect(try await earshot.run(arguments).status == 0)
            #expect(try Catalog(contentsOf: output).referenceIDs == ["2"])
            // What came from elsewhere is not replaced unasked.
            try FileManager.default.removeItem(at: output)
            try catalog(3).write(to: output)
            #expect(try await earshot.run(arguments).status == 4)
            #expect(try await earshot.run(arguments + ["--replace"]).status == 0)
        }
    }

    @Test("signed, verified, pulled with the key, and refused with another")
    func sign() async throws {
        try await withTemporaryFolder { folder in
            let server = try LoopbackServer()
            defer { server.stop() }
            let file = folder.appendingPathComponent("m.earcat")
            try catalog(1).write(to: file)
            let keys = ["a", "b"].map { folder.appendingPathComponent($0).path }
            for key in keys {
                #expect(try await earshot.run(["catalog", "sign", "--generate-key", key]).status == 0)
            }
            #expect(try await earshot.run(["catalog", "sign", "--generate-key", keys[0]]).status == 4)
            let unsigned = try await earshot.run(["catalog", "verify", file.path, "--key", keys[0] + ".pub"])
            #expect(unsigned.status == 1)
            let signed = try await earshot.run(["catalog", "sign", file.path, "--key", keys[0]])
            #expect(signed.status == 0, "\(signed.errors)")
            for suffix in ["", ".sig", ".sha256"] {
                server.publish(try Data(contentsOf: URL(fileURLWithPath: file.path + suffix)), at: "/m.earcat" + suffix)
            }
            for (key, status) in [(keys[0], 0), (keys[1], 1)] as [(String, Int32)] {
                let verified = try await earshot.run(["catalog", "verify", file.path, "--key", key + ".pub"])
                #expect(verified.status == status)
                let output = folder.appendingPathComponent("pulled.earcat")
                let pulled = try await earshot.run([
                    "catalog", "pull", server.url("/m.earcat").absoluteString, "-o", output.path, "--key", key + ".pub",
                ])
                #expect(pulled.status == status, "\(pulled.errors)")
                #expect(try Catalog(contentsOf: output).referenceIDs == ["1"])
            }
            #expect(try await earshot.run(["catalog", "sign", file.path]).status == 2)
        }
    }

    @Test("what a folder and an address offer is listed, with the signer that is proven")
    func directory() async throws {
        try await withTemporaryFolder { folder in
            let server = try LoopbackServer()
            defer { server.stop() }
            let published = folder.appendingPathComponent("published")
            try FileManager.default.createDirectory(at: published, withIntermediateDirectories: true)
            let file = published.appendingPathComponent("m.earcat")
            try catalog(1).write(to: file)
            let keys = ["a", "b"].map { folder.appendingPathComponent($0).path }
            for key in keys {
                #expect(try await earshot.run(["catalog", "sign", "--generate-key", key]).status == 0)
            }
            let unsigned = try await earshot.run(["catalog", "directory", published.path])
            #expect(unsigned.output.contains("m.earcat  1 reference") && unsigned.output.contains("not signed"))
            let refused = ["catalog", "directory", published.path, "--key", keys[0] + ".pub", "--write"]
            #expect(try await earshot.run(refused).status == 1)
            let list = published.appendingPathComponent("catalogs.json")
            #expect(!FileManager.default.fileExists(atPath: list.path))
            #expect(try await earshot.run(["catalog", "sign", file.path, "--key", keys[0]]).status == 0)
            let written = try await earshot.run(refused)
            #expect(written.status == 0, "\(written.errors)")
            server.publish(try Data(contentsOf: list), at: "/offers/catalogs.json")
            let address = server.url("/offers/").absoluteString
            let told = try await earshot.run(["catalog", "directory", address])
            #expect(told.status == 0 && told.output.contains("signed by "), "\(told.errors)")
            let document = try Document(
                try await earshot.run(["catalog", "directory", address, "--key", keys[0] + ".pub", "--json"]).output
            )
            #expect(document["catalogs", 0, "address"] as? String == server.url("/offers/m.earcat").absoluteString)
            #expect(document["catalogs", 0, "references"] as? Int == 1)
            #expect(try await earshot.run(["catalog", "directory", address, "--key", keys[1] + ".pub"]).status == 1)
            #expect(try await earshot.run(["catalog", "directory", address, "--write"]).status == 2)
        }
    }
}
