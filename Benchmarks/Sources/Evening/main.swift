// Watches an evening of audio with a monitor on a clock of its own, once in each mode, for scripts/checks/evening.
//
//   evening FOLDER DELAY MODE[,local=SECONDS][,online=SECONDS]…
//
// FOLDER has evening.raw, raw mono 16-bit little-endian audio of 16 kHz, and references.tsv with lines of a name, `local` or
// `online`, and a raw file of the same kind. DELAY is what the service takes to answer, in seconds. Prints lines:
// `result MODE TIME TRIGGER SOURCE NAME POSITION` for each result, with `-` where there is nothing, `transition MODE TIME` for
// each change that was noticed, and `total MODE KEY VALUE` at the end of each mode. All times are seconds of the evening.

import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMonitor
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import Foundation

let rate = 16_000

/// Processor time of this process, in seconds.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

func samples(_ url: URL) throws -> Data { try Data(contentsOf: url, options: .mappedIfSafe) }

func buffer(_ data: Data, _ first: Int, _ count: Int) -> AudioBuffer {
    let end = min(data.count / 2, first + count)
    return data.withUnsafeBytes { bytes in
        let part = UnsafeRawBufferPointer(rebasing: bytes[first * 2..<end * 2])
        return AudioBuffer(part, as: AudioConfiguration(sampleRate: rate))
    }
}

/// What was counted of one mode.
final class Counts {
    var values: [String: Double] = [:]
    func add(_ key: String, _ value: Double = 1) { values[key, default: 0] += value }
}

/// The store of bundles, in a folder, and the service's catalog, both of what the script says.
func knowledge(_ folder: URL) async throws -> (store: BundleStore, catalog: Catalog) {
    let table = try String(contentsOf: folder.appendingPathComponent("references.tsv"), encoding: .utf8)
    let bundle = folder.appendingPathComponent("local.earbundle")
    let header = try BundleHeader(id: "evening", version: 1, creationDate: Date(timeIntervalSince1970: 0))
    let writer = try BundleWriter(bundle, header: header)
    var catalog = Catalog()
    for line in table.split(separator: "\n") {
        let cells = line.split(separator: "\t").map(String.init)
        let data = try samples(folder.appendingPathComponent(cells[2]))
        var generator = SignatureGenerator()
        for first in stride(from: 0, to: data.count / 2, by: 60 * rate) {
            try generator.append(buffer(data, first, 60 * rate))
        }
        let signature = generator.signature()
        if cells[1] == "local" {
            try writer.add(BundleReference(id: ReferenceID(cells[0]), signature: signature, title: cells[0]))
        } else {
            try catalog.add(signature, representing: [], id: ReferenceID(cells[0]))
        }
    }
    _ = try writer.finish(replacing: true)
    let store = BundleStore(folder: folder.appendingPathComponent("store"))
    // An evening that was kept may be watched again.
    try await store.clear()
    try await store.ingest(FileBundleSource(bundle))
    return (store, catalog)
}

/// The properties that a mode with its intervals stands for.
func properties(_ mode: String) throws -> MonitorProperties {
    let parts = mode.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var properties = MonitorProperties()
    properties.optimization = try OptimizationMode(name: parts[0])
    for part in parts.dropFirst() {
        let pair = part.split(separator: "=").map(String.init)
        guard pair.count == 2, let seconds = Int(pair[1]), pair[0] == "local" || pair[0] == "online" else {
            throw EarshotError(.configurationInvalid, "\(part) is no interval: write local=SECONDS or online=SECONDS.")
        }
        if pair[0] == "local" { properties.localInterval = seconds } else { properties.onlineInterval = seconds }
    }
    return properties
}

func watch(_ audio: Data, _ mode: String, _ delay: Double, _ store: BundleStore, _ catalog: Catalog) throws {
    let properties = try properties(mode)
    let counts = Counts()
    var simulation = MonitorSimulation(
        properties,
        local: { signature in
            let begun = processorTime()
            let answer: Result<[MonitorMatch], EarshotError>
            do throws(EarshotError) {
                answer = .success(try store.lookup(signature).map { MonitorMatch($0) })
            } catch {
                answer = .failure(error)
            }
            let used = processorTime() - begun
            counts.add("local lookups")
            counts.add("processor time of local lookups", used)
            return (answer, used)
        },
        online: { signature in
            let begun = processorTime()
            var answer = BroadcastAnswer()
            do throws(EarshotError) {
                if let match = try catalog.match(signature) {
                    answer.source = .archive
                    answer.matches = match.references.map { found in
                        let name = found.id.rawValue
                        var match = BroadcastMatch(title: name)
                        match.work = VideoWork(id: EntityID(name), title: Name(name))
                        match.position = Int((found.offset.seconds * 1_000).rounded())
                        return match
                    }
                }
            } catch {
                counts.add("errors")
            }
            counts.add("online queries")
            counts.add("bytes up", Double(signature.data.count))
            // The service's own work is not the device's.
            counts.add("processor time of the service", processorTime() - begun)
            return (.success(answer), delay)
        }
    )
    let begun = processorTime()
    let step = rate / 10
    for first in stride(from: 0, to: audio.count / 2 - step + 1, by: step) {
        for report in simulation.hear(buffer(audio, first, step)) {
            switch report {
            case .status(let event) where event.kind == .fingerprintDone:
                counts.add("fingerprinted", event.value / 1_000)
            case .status(let event) where event.kind == .fingerprintRestarted: counts.add("restarts")
            case .status(let event) where event.kind == .transition:
                print("transition", mode, event.time.seconds)
            case .status: break
            case .result(let result):
                let best = result.matches.first
                print(
                    "result",
                    mode,
                    simulation.now,
                    result.trigger.rawValue,
                    result.source?.rawValue ?? "-",
                    best?.title ?? "-",
                    best?.position(at: MediaTime(seconds: simulation.now)).map { "\(Double($0) / 1_000)" } ?? "-"
                )
            }
        }
    }
    counts.add("processor time", processorTime() - begun - (counts.values["processor time of the service"] ?? 0))
    for (key, value) in counts.values.sorted(by: { $0.key < $1.key }) {
        print("total", mode, key.replacingOccurrences(of: " ", with: "-"), value)
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3, let delay = Double(arguments[1]) else {
    FileHandle.standardError.write(Data("usage: evening FOLDER DELAY MODE…\n".utf8))
    exit(2)
}
let folder = URL(fileURLWithPath: arguments[0])
let (store, catalog) = try await knowledge(folder)
let audio = try samples(folder.appendingPathComponent("evening.raw"))
for name in arguments.dropFirst(2) { try watch(audio, name, delay, store, catalog) }
