import Earshot
import EarshotMetadata
import EarshotMonitor
import Foundation

/// The stations of `earshot monitor run`, as its file of settings names them.
struct StationSettings {
    private struct Document: Decodable {
        var catalog: String?
        var playlog: String?
        var state: String?
        var stations: [Entry]
    }

    private struct Entry: Decodable {
        var id: String
        var name: String?
        var url: String?
        var device: String?
        var file: String?
        var catalog: String?
        var spots: Bool?
        var callerRef: String?
    }

    private let document: Document
    private let folder: URL
    private let path: String

    /// Reads the file of settings.
    ///
    /// - Throws: `configurationInvalid`, saying what is wrong with which station.
    init(path: String) throws {
        self.path = path
        guard let data = FileManager.default.contents(atPath: path) else {
            throw EarshotError(.configurationInvalid, "There are no settings at \(path): check the path.")
        }
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
        guard !document.stations.isEmpty else {
            throw EarshotError(.configurationInvalid, "\(path) names no stations: add one.")
        }
        for (index, entry) in document.stations.enumerated() {
            guard !entry.id.isEmpty, entry.id.utf8.count <= 256 else {
                throw EarshotError(
                    .configurationInvalid,
                    "Station \(index + 1) of \(path) has no id of 1 to 256 bytes."
                )
            }
            guard !document.stations[..<index].contains(where: { $0.id == entry.id }) else {
                throw EarshotError(.configurationInvalid, "\(path) names the station \(entry.id) twice: rename one.")
            }
            guard [entry.url, entry.device, entry.file].compactMap(\.self).count == 1 else {
                throw EarshotError(
                    .configurationInvalid,
                    "The station \(entry.id) of \(path) is to have one of url, device and file."
                )
            }
            guard entry.catalog ?? document.catalog != nil else {
                throw EarshotError(
                    .configurationInvalid,
                    "The station \(entry.id) of \(path) has no catalog: name one."
                )
            }
        }
    }

    private func url(_ path: String) -> URL { URL(fileURLWithPath: path, relativeTo: folder).absoluteURL }

    /// Where plays are written.
    var playlog: URL { document.playlog.map { url($0) } ?? PlaylogCommand.Selection.url(nil) }

    /// Where is kept what has to be known after a restart.
    var state: URL { document.state.map { url($0) } ?? playlog.deletingPathExtension().appendingPathExtension("state") }

    /// The stations with their catalogs, each of which is opened once.
    func stations() throws -> [Station] {
        var catalogs: [String: Catalog] = [:]
        return try document.stations.map { entry in
            let name = entry.catalog ?? document.catalog ?? ""
            let catalog = try catalogs[name] ?? Catalog(contentsOf: url(name))
            catalogs[name] = catalog
            var options = entry.spots == true ? StationTracker.Options.spots : StationTracker.Options()
            options.callerRef = entry.callerRef
            return Station(
                channel: PlayChannel(id: EntityID(entry.id), name: entry.name),
                catalog: catalog,
                options: options,
                isFinite: entry.file != nil,
                open: try opening(entry)
            )
        }
    }

    private func opening(_ entry: Entry) throws -> @Sendable () async throws -> any AudioSource {
        if let file = entry.file {
            let url = url(file)
            guard FileManager.default.fileExists(atPath: url.path) else {
                throw EarshotError(.assetNotFound, "There is no file at \(url.path), for the station \(entry.id).")
            }
            return { PacedSource(try await AssetReader(url, options: AssetReader.Options(blockFrames: 4_096))) }
        }
        if let device = entry.device {
            return {
                let devices = await CaptureDevice.all()
                guard let found = devices.first(where: { $0.id == device || $0.name == device }) else {
                    throw EarshotError(
                        .deviceUnavailable,
                        "There is no capture device named \(device): `earshot devices` lists those there are."
                    )
                }
                return try await CaptureSource(found)
            }
        }
        guard let text = entry.url, let address = URL(string: text), address.scheme != nil else {
            throw EarshotError(
                .configurationInvalid,
                "The station \(entry.id) has no address of a stream: give one such as http://…, or a file."
            )
        }
        return { try await LiveSource(address) }
    }
}
