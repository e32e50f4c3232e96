import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore
public import Foundation

/// The folder in which a monitor keeps repeats, and through which users instruct it.
///
/// | entry | content |
/// |---|---|
/// | `offered.json` | the candidates for naming (``RepeatCandidate``), written by the monitor when they change |
/// | `clips/` | recordings of the candidates |
/// | `orders/` | instructions of users (``RepeatOrder``), one in each file, removed by the monitor when done |
/// | `named.earcat` | the catalog of named repeats |
/// | `heard/` | the data of the finder ([repeats](RepeatFinder)) |
/// | `recent/` | the last minutes of all stations, as audio |
public struct RepeatFolder: Hashable, Sendable {
    /// The folder.
    public let url: URL

    /// Creates a value for a folder, which need not exist.
    public init(_ url: URL) { self.url = url }

    /// The address of the catalog of named repeats.
    public var catalogURL: URL { url.appendingPathComponent("named.earcat") }
    /// The address of the file of candidates.
    public var offeredURL: URL { url.appendingPathComponent("offered.json") }
    var clips: URL { url.appendingPathComponent("clips") }
    var orders: URL { url.appendingPathComponent("orders") }
    var heard: URL { url.appendingPathComponent("heard") }
    var recent: URL { url.appendingPathComponent("recent") }

    /// Returns the candidates for naming, by weight, highest first; empty before any was found.
    ///
    /// - Throws: `storeDamaged` if the list cannot be decoded.
    public func offered() throws(EarshotError) -> [RepeatCandidate] {
        guard let data = FileManager.default.contents(atPath: offeredURL.path) else { return [] }
        do {
            return try PlaylogJSON.decode([RepeatCandidate].self, from: data)
        } catch {
            throw EarshotError(
                .storeDamaged,
                "\(offeredURL.path) cannot be read: remove it, and the monitor writes it again.",
                cause: error
            )
        }
    }

    /// Returns the catalog of named repeats; empty before any was named.
    ///
    /// - Throws: `catalogInvalid` if it is damaged.
    public func catalog() throws(EarshotError) -> Catalog {
        FileManager.default.fileExists(atPath: catalogURL.path)
            ? try Catalog(contentsOf: catalogURL) : Catalog()
    }

    /// Stores an instruction for the monitor, which carries it out within seconds or at its next start.
    ///
    /// - Throws: `entityNotFound` if no candidate has this identifier; `writeFailed`; `storeDamaged` if the list of
    ///   candidates cannot be decoded.
    public func leave(_ order: RepeatOrder) throws(EarshotError) {
        guard try offered().contains(where: { $0.id == order.id }) else {
            throw EarshotError(
                .entityNotFound,
                "There is no candidate \(order.id): list them with `earshot monitor repeats list`."
            )
        }
        do {
            try FileManager.default.createDirectory(at: orders, withIntermediateDirectories: true)
        } catch {
            throw EarshotError(.writeFailed, "\(orders.path) cannot be made: check the folder's rights.", cause: error)
        }
        let bytes = [UInt8](try PlaylogJSON.encode(order))
        try AtomicFile.write(bytes, to: orders.appendingPathComponent("\(UUID().uuidString).json"), replacing: false)
    }

    /// Returns the waiting instructions, oldest first, for programs other than the monitor.
    package func pendingOrders() -> [RepeatOrder] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: orders.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.map { orders.appendingPathComponent($0) }
            .compactMap { file -> (order: RepeatOrder, date: Date)? in
                guard let data = FileManager.default.contents(atPath: file.path),
                    let order = try? PlaylogJSON.decode(RepeatOrder.self, from: data)
                else { return nil }
                let date = (try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]) as? Date
                return (order, date ?? .distantPast)
            }
            .sorted { $0.date < $1.date }.map(\.order)
    }

    /// Returns the waiting instructions, oldest first, with their files. Removes files that are no instruction.
    func waitingOrders() -> [(order: RepeatOrder, file: URL)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: orders.path)) ?? []
        var found: [(order: RepeatOrder, file: URL, date: Date)] = []
        for name in names where name.hasSuffix(".json") {
            let file = orders.appendingPathComponent(name)
            let date = (try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]) as? Date
            guard let data = FileManager.default.contents(atPath: file.path),
                let order = try? PlaylogJSON.decode(RepeatOrder.self, from: data)
            else {
                try? FileManager.default.removeItem(at: file)
                continue
            }
            found.append((order, file, date ?? .distantPast))
        }
        return found.sorted { ($0.date, $0.file.path) < ($1.date, $1.file.path) }.map { ($0.order, $0.file) }
    }
}
