import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Packages and other programs")
struct PackageInteropTests {
    /// Runs a program that the system may have; gives what it printed.
    private func run(_ arguments: [String], in folder: URL) throws -> (status: Int32, output: String) {
        let process = Process()
        let output = folder.appendingPathComponent("output-\(UUID().uuidString)")
        try Data().write(to: output)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: output)
        try ProcessLaunch.run(process)
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self))
    }

    @Test("What is written here, zipfile and unzip read")
    func writing() throws {
        try PackageSamples.withFolder { folder in
            let writer = try PiecePackageWriter(try PackageSamples.whole())
            try writer.write(to: folder.appendingPathComponent("a.earpiece"))
            let script = """
                import hashlib, json, zipfile
                archive = zipfile.ZipFile("a.earpiece")
                assert archive.testzip() is None
                manifest = json.loads(archive.read(archive.namelist()[0]))
                files = manifest["parts"] + manifest["stems"]
                assert archive.namelist() == ["manifest.json"] + [file["file"] for file in files]
                for file in files:
                    data = archive.read(file["file"])
                    assert len(data) == file["size"] and hashlib.sha256(data).hexdigest() == file["sha256"]
                print(manifest["format"], manifest["version"])
                """
            let python = try run(["python3", "-c", script], in: folder)
            // 127: there is no such program here.
            #expect(python.status == 127 || python.output == "earshot-piece 1\n", "\(python.output)")
            let unzip = try run(["unzip", "-t", "a.earpiece"], in: folder)
            #expect(unzip.status == 127 || unzip.status == 0 && unzip.output.contains("No errors"), "\(unzip.output)")
        }
    }

    @Test("What zipfile and zip write, stored and packed, is read here")
    func reading() throws {
        try PackageSamples.withFolder { folder in
            let package = try PackageSamples.whole()
            try PiecePackageWriter(package).write(toFolder: folder.appendingPathComponent("plain"))
            let script = """
                import os, sys, zipfile
                os.chdir("plain")
                for name, method in (("stored", zipfile.ZIP_STORED), ("packed", zipfile.ZIP_DEFLATED)):
                    with zipfile.ZipFile(f"../{name}.earpiece", "w", method) as archive:
                        archive.write("manifest.json")
                        for root, folders, files in os.walk("."):
                            for file in files:
                                path = os.path.relpath(os.path.join(root, file), ".")
                                if path != "manifest.json":
                                    archive.write(path)
                class Pipe:
                    def __init__(self, file): self.write, self.flush = file.write, file.flush
                with open("../piped.earpiece", "wb") as file, zipfile.ZipFile(Pipe(file), "w", 8) as archive:
                    for name in zipfile.ZipFile("../packed.earpiece").namelist():
                        archive.write(name)
                """
            let python = try run(["python3", "-c", script], in: folder)
            if python.status != 127 {
                #expect(python.status == 0, "\(python.output)")
                for name in ["stored", "packed", "piped"] {
                    let reader = try PiecePackageReader(folder.appendingPathComponent("\(name).earpiece"))
                    #expect(try reader.package() == package)
                }
            }
            // Without a locale zip does not say in what form names are.
            var plain = package
            plain.stems.removeLast()
            plain.attachment = try AttachmentBundle(fileName: "project.bin", bytes: Data([1]))
            try FileManager.default.removeItem(at: folder.appendingPathComponent("plain"))
            try PiecePackageWriter(plain).write(toFolder: folder.appendingPathComponent("plain"))
            let zip = try run(
                ["sh", "-c", "cd plain && zip -q ../zipped.earpiece manifest.json && zip -q -r ../zipped.earpiece ."],
                in: folder
            )
            if zip.status != 127 {
                #expect(zip.status == 0, "\(zip.output)")
                let reader = try PiecePackageReader(folder.appendingPathComponent("zipped.earpiece"))
                #expect(try reader.package() == plain)
            }
        }
    }
}
