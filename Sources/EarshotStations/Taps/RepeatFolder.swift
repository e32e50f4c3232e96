import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore
public import Foundation

/// The folder in which a monitor keeps what stations repeat, and where people and the monitor meet.
///
/// | in it | what |
/// |---|---|
/// | `offered.json` | what is offered for naming (``RepeatCandidate``), written by the monitor whenever it changes |
/// | `clips/` | recordings of it |
/// | `orders/` | what people want done (``RepeatOrder``), a file each, taken away by the monitor once it is done |
/// | `named.earcat` | the catalog of what was named |
/// | `heard/` | what the finder needs ([repeats](RepeatFinder)) |
/// | `recent/` | the last minutes of all stations, as audio |
public struct RepeatFolder: Hashable, Sendable {
    /// The folder.
    public let url: URL

    /// A folder; it need not be there.
    public init(_ url: URL) { self.url = url }

    /// The catalog of named repeats.
    public var catalogURL: URL { url.appendingPathComponent("named.earcat") }
    /// The file of the candidates.
    public var offeredURL: URL { url.appendingPathComponent("offered.json") }
    var clips: URL { url.appendingPathComponent("clips") }
    var orders: URL { url.appendingPathComponent("orders") }
    var heard: URL { url.appendingPathComponent("heard") }
    var recent: URL { url.appendingPathComponent("recent") }

    /// The candidates for naming, by weight, highest first; empty before any was found.
    ///
    /// - Throws: `storeDamaged` when the list cannot be read.
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

    /// The catalog of named repeats; empty before any was named.
    ///
    /// - Throws: `catalogInvalid` when it is damaged.
    public func catalog() throws(EarshotError) -> Catalog {
        FileManager.default.fileExists(atPath: catalogURL.path)
            ? try Catalog(contentsOf: catalogURL) : Catalog()
    }

    /// Stores an order for the monitor, which carries it out within seconds, or at its next start.
    ///
    /// - Throws: `entityNotFound` if no candidate has this name; `writeFailed`.
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

    /// The orders that were left and not taken away yet, oldest first, for others than the monitor to look at.
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

    /// The orders that wait, oldest first, and their files. What is no order is removed.
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
