import ArgumentParser
import BenchmarkSupport
import EarshotCore
import EarshotMonitor
import EarshotSignatures
import Foundation

/// Interrupts ingests at random places and compares the store with what it was.
struct Abort: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Interrupt ingests at random places, by a failing source and by SIGKILL, and compare the store.",
        discussion: "The store should hold another bundle already. The bundle given must not be in it."
    )

    @Argument(help: "The bundle whose ingest is interrupted.") var bundle: String
    @Argument(help: "A bundle that the store holds, for queries.") var held: String
    @Argument(help: "The folder of the store.") var store: String
    @Option(help: "Interrupts of each kind.") var count = 50
    @Option(help: "What the places follow from.") var seed: UInt64 = 1

    /// Fails once so many bytes were read.
    struct FailingSource: BundleSource {
        var file: FileBundleSource
        var rest: Int

        mutating func read(into buffer: UnsafeMutableRawBufferPointer) async throws -> Int {
            guard rest > 0 else { throw Failure("The place was reached.") }
            let count = try await file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(rest, buffer.count)])
            )
            rest -= count
            return count
        }
    }

    func run() async throws {
        let folder = URL(fileURLWithPath: store, isDirectory: true)
        let bundleURL = URL(fileURLWithPath: bundle)
        let queries = try References(held, every: 7, limit: 20).references.map {
            $0.signature.slice(from: MediaTime(seconds: 4), duration: MediaTime(seconds: 5)).signature
        }
        let size = try FileBundleSource(bundleURL).byteCount
        var random = SeededGenerator(seed: seed)
        let before = try state(folder, queries)
        for round in 0..<count {
            let place = random.integer(in: 0..<size)
            let source = FailingSource(file: try FileBundleSource(bundleURL), rest: place)
            do {
                try await BundleStore(folder: folder).ingest(source)
                throw Failure("An ingest that was to fail at byte \(place) came to its end.")
            } catch let error as EarshotError where error.code == .ingestAborted {
                try compare(before, try state(folder, queries), "round \(round), byte \(place)")
            }
        }
        print("\(count) ingests whose source failed: the store was as before each time")

        // How long a whole one takes, to choose moments within.
        var span = 0.0
        let start = ProcessorTime.now.wall
        let first = try launch(folder)
        first.waitUntilExit()
        span = ProcessorTime.now.wall - start
        guard let id = try BundleStore(folder: folder).bundles.last?.id else {
            throw Failure("Nothing was ingested.")
        }
        var (killed, finished, leftovers) = (0, 0, 0)
        while killed < count {
            try await BundleStore(folder: folder).remove(bundle: id)
            let clean = try state(folder, queries)
            let process = try launch(folder)
            usleep(UInt32(random.unit() * span * 1.02 * 1e6))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            if names.contains(where: { $0.hasSuffix(".partial") }) { leftovers += 1 }
            let after = try state(folder, queries)
            if try BundleStore(folder: folder).bundles.contains(where: { $0.id == id }) {
                // It was through: then wholly.
                try BundleStore(folder: folder).verify()
                finished += 1
            } else {
                try compare(clean, after, "kill \(killed)")
                killed += 1
            }
        }
        print(
            "\(killed) ingests ended by SIGKILL: the store was as before each time, \(leftovers) left something to clear away;",
            "\(finished) more were through before"
        )
        var limits = Limits()
        limits.hold(requirements("R-ACR-125"), "a store that an ingest breaks off in is as before", true)
        try limits.finish()
    }

    private func launch(_ folder: URL) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["ingest", bundle, folder.path]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// What a store is: its files, after opening, and its answers.
    private struct State: Equatable {
        /// Check sums by name.
        var files: [String: UInt32] = [:]
        var answers: [[LocalMatch]] = []
    }

    private func state(_ folder: URL, _ queries: [Signature]) throws -> State {
        let store = BundleStore(folder: folder)
        var state = State()
        state.answers = try queries.map { try store.lookup($0) }
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let bytes = (try? Data(contentsOf: folder.appendingPathComponent(name), options: .alwaysMapped)) ?? Data()
            state.files[name] = bytes.withUnsafeBytes { CRC32C.checksum($0) }
        }
        return state
    }

    private func compare(_ before: State, _ after: State, _ what: String) throws {
        guard before.files == after.files else { throw Failure("\(what): the files differ.") }
        guard before.answers == after.answers else { throw Failure("\(what): the answers differ.") }
    }
}
