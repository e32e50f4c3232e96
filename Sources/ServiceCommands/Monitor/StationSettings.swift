import CommandKit
import Earshot
import EarshotBroadcast
import EarshotClient
import EarshotMusic
import EarshotPostgreSQL
import EarshotStations
import Foundation

/// The stations of `earshot monitor run`, and what goes with them, as the file of settings names them.
struct StationSettings {
    /// The address at which events are served.
    struct Address: Equatable {
        var host: String
        var port: Int

        /// An address from its text: `127.0.0.1:8480`, `[::1]:8480`, `:8480` or `8480` on the loopback.
        init?(_ text: String) {
            let host: Substring
            let number: Substring
            if let colon = text.lastIndex(of: ":") {
                (host, number) = (text[..<colon], text[text.index(after: colon)...])
            } else {
                (host, number) = ("", text[...])
            }
            guard let port = UInt16(number) else { return nil }
            let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
            let name = isBracketed ? host.dropFirst().dropLast() : host
            guard isBracketed || !name.contains(":") else { return nil }
            (self.host, self.port) = (name.isEmpty ? "127.0.0.1" : String(name), Int(port))
        }
    }

    private(set) var document: Document
    let path: String
    private let folder: URL
    /// The address of events that the command line gives.
    var eventsOption: String?
    /// The address of a database that the command line names.
    var databaseOption: String?

    /// Reads the file of settings.
    ///
    /// - Throws: `configurationInvalid`, saying what is wrong with which station.
    init(path: String) throws {
        self.path = path
        guard let data = FileManager.default.contents(atPath: path) else {
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            let why =
                isFolder.boolValue
                ? "\(path) is a folder: name the file of settings in it."
                : isThere
                    ? "The settings at \(path) cannot be read: check the rights."
                    : "There are no settings at \(path): check the path."
            throw EarshotError(.configurationInvalid, why)
        }
        try Self.checkKeys(data, path: path)
        do {
            document = try JSONDecoder().decode(Document.self, from: data)
        } catch {
            throw EarshotError(
                .configurationInvalid,
                "\(path) cannot be read: it is to be JSON with a list of stations, each with an id and a url, device or file.",
                cause: error
            )
        }
        folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try check()
    }

    private func url(_ path: String) -> URL { URL(fileURLWithPath: path, relativeTo: folder).absoluteURL }

    /// Adds a receiver that the command line names.
    mutating func add(_ webhook: Webhook) throws(EarshotError) {
        document.webhooks = (document.webhooks ?? []) + [webhook]
        try check()
    }

    // MARK: - Places

    /// The file to which plays are written.
    var playlog: URL { document.playlog.map { url($0) } ?? DatabaseFile.playlog.url(nil) }

    /// The database of a service into which plays are copied; `nil` for none.
    ///
    /// - Throws: `configurationInvalid` for an address of no such database.
    var database: PostgreSQLOptions? {
        get throws(EarshotError) {
            guard let address = databaseOption ?? document.database else { return nil }
            guard var options = PostgreSQLOptions(ifAddress: address) else {
                throw EarshotError(
                    .configurationInvalid,
                    "database of \(path), or --database, is to be an address such as postgresql://user@host/name: name a file with "
                        + "playlog."
                )
            }
            // A monitor writes one batch after another.
            options.connections = 2
            return options
        }
    }

    /// The file with the state that has to be known after a restart.
    var state: URL { document.state.map { url($0) } ?? playlog.deletingPathExtension().appendingPathExtension("state") }

    /// The folder of data beside the log: the last hours, and repeats.
    var data: URL { document.data.map { url($0) } ?? playlog.deletingPathExtension().appendingPathExtension("data") }

    /// Says that something is kept there.
    var usesData: Bool { document.stations.contains { $0.live != nil || $0.repeats == true } }

    /// The folder of repeats.
    var repeats: RepeatFolder { RepeatFolder(data.appendingPathComponent("repeats")) }

    /// The stations whose last hours are kept: where, and how long.
    var live: [(id: EntityID<BroadcastChannel>, folder: URL, retention: MediaTime)] {
        document.stations.compactMap { entry in
            guard let live = entry.live else { return nil }
            // Any name of a station is a name of a file so.
            let name = Data(entry.id.utf8).map { byte in
                let scalar = UnicodeScalar(byte)
                let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
                return isPlain || byte == 0x2D ? String(scalar) : "_" + String(byte, radix: 16)
            }
            return (
                EntityID(entry.id), data.appendingPathComponent("live/" + name.joined()),
                MediaTime(seconds: live.hours * 3_600, preferredTimescale: 1)
            )
        }
    }

    /// The stations in which what repeats is looked for.
    var repeating: Set<EntityID<BroadcastChannel>> {
        Set(document.stations.filter { $0.repeats == true }.map { EntityID($0.id) })
    }

    /// The most that recordings of what repeats take, in bytes.
    var clipBytes: Int { (document.clipMegabytes ?? 500) * 1_000_000 }

    /// The address at which events are served; `nil` if they are not.
    ///
    /// - Throws: `configurationInvalid` for what is no address.
    var events: Address? {
        get throws(EarshotError) {
            guard let text = eventsOption ?? document.events else { return nil }
            guard let address = Address(text) else {
                throw EarshotError(
                    .configurationInvalid,
                    "Events cannot be served at \(text): name an address and a port, such as 127.0.0.1:8480."
                )
            }
            return address
        }
    }

    // MARK: - Receivers

    /// Senders for all receivers, and under which names their positions are kept.
    ///
    /// - Parameters:
    ///   - store: The log.
    ///   - options: How requests are made to the receiver of a name.
    /// - Throws: `configurationInvalid` for an address or a secret that will not do.
    func webhooks(
        _ store: any PlaylogStore,
        options: (String) -> WebhookSender.Options = { _ in WebhookSender.Options() }
    ) throws(EarshotError) -> [(name: String, sender: WebhookSender)] {
        var senders: [(name: String, sender: WebhookSender)] = []
        for webhook in document.webhooks ?? [] {
            let name = Self.consumer(webhook)
            var settings = WebhookSettings(consumer: name)
            if let events = webhook.events { settings.events = Set(events.compactMap { PlayEvent(rawValue: $0) }) }
            settings.channels = Set((webhook.channels ?? []).map { EntityID($0) })
            senders.append(
                (name, try Self.sender(webhook.url, url(webhook.secretFile), settings, store, options(name)))
            )
        }
        return senders
    }

    /// A sender whose secrets are the lines of a file.
    static func sender(
        _ address: String,
        _ secretFile: URL,
        _ settings: WebhookSettings,
        _ store: any PlaylogStore,
        _ options: WebhookSender.Options = .init()
    ) throws(EarshotError) -> WebhookSender {
        guard let target = URL(string: address) else {
            throw EarshotError(.configurationInvalid, "\(address) is no address for a webhook: begin with https://.")
        }
        guard let text = try? String(contentsOf: secretFile, encoding: .utf8) else {
            throw EarshotError(
                .configurationInvalid,
                "The secret of the webhook \(address) cannot be read from \(secretFile.path): check the path and its rights."
            )
        }
        let secrets = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        return try WebhookSender(
            to: target,
            secrets: secrets.filter { !$0.isEmpty }.map { Data($0.utf8) },
            settings: settings,
            store: store,
            options: options
        )
    }

    /// The receivers as they are shown to people, without what has been sent to them.
    var receivers: [WebhookStatus] {
        (document.webhooks ?? []).map { webhook in
            WebhookStatus(
                name: Self.consumer(webhook),
                address: webhook.url,
                events: webhook.events ?? [],
                channels: webhook.channels ?? []
            )
        }
    }

    // MARK: - Stations

    /// The zone in which days begin where a station names none. Default: the machine's.
    var timeZone: TimeZone { document.timeZone.flatMap { TimeZone(identifier: $0) } ?? .current }

    /// The stations as they are shown to people.
    var descriptions: [StationDescription] {
        document.stations.map { entry in
            StationDescription(
                id: EntityID(entry.id),
                name: entry.name,
                timeZone: entry.timeZone.flatMap { TimeZone(identifier: $0) } ?? timeZone,
                guide: entry.guide.map { EntityID($0) }
            )
        }
    }

    /// The stations with their catalogs, each of which is opened once.
    func stations() throws -> [Station] {
        var catalogs: [String: Catalog] = [:]
        return try document.stations.map { entry in
            let name = entry.catalog ?? document.catalog ?? ""
            let catalog = try catalogs[name] ?? Catalog(contentsOf: url(name))
            catalogs[name] = catalog
            var options = entry.spots == true ? StationTracker.Options.spots : StationTracker.Options()
            options.callerRef = entry.callerRef
            if let date = entry.beginning { options.dates = .since(date) }
            var station = Station(
                channel: PlayChannel(id: EntityID(entry.id), name: entry.name),
                catalog: catalog,
                options: options,
                isFinite: entry.file != nil,
                open: try opening(entry)
            )
            // A recording has its dates, and begins anew with each run.
            station.keepsState = entry.beginning == nil
            return station
        }
    }

    private func opening(_ entry: Entry) throws -> @Sendable () async throws -> any AudioSource {
        if let file = entry.file {
            let url = url(file)
            guard FileManager.default.fileExists(atPath: url.path) else {
                throw EarshotError(.assetNotFound, "There is no file at \(url.path), for the station \(entry.id).")
            }
            let isPaced = entry.beginning == nil
            return {
                let reader = try await AssetReader(url)
                return isPaced ? PacedSource(reader, blockDuration: Self.block) : reader
            }
        }
        if let device = entry.device { return { try await CaptureSource(try await .named(device)) } }
        guard let text = entry.url, let address = URL(string: text), address.scheme != nil else {
            throw EarshotError(
                .configurationInvalid,
                "The station \(entry.id) has no address of a stream: give one such as http://…, or a file."
            )
        }
        // The monitor opens it again, and so knows and tells when it is lost.
        var options = LiveSource.Options(reconnects: false)
        options.blockDuration = Self.block
        return { [options] in try await LiveSource(address, options: options) }
    }

    /// The length of audio that a station is handed at once: handing it over then costs little beside hearing it, and it waits little beside the
    /// seconds that lie between two searches.
    private static let block = MediaTime(value: 250, timescale: 1_000)
}
