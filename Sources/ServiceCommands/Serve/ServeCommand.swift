import ArgumentParser
import CommandKit
import EarshotCatalogs
import EarshotCore
import EarshotLibrary
import EarshotNodes
import EarshotPieces
import EarshotPostgreSQL
import EarshotSQLite
import EarshotServer
import EarshotSharedCatalogs
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a recognition service.",
        discussion: """
            Without any options it serves this machine from a folder of its own, which it makes, and in which it puts the operator's \
            token the first time. On a terminal it prints a link that signs the operator in at its pages, and opens it where there is \
            a desktop.

            Every option may also be a variable of the environment (EARSHOT_PORT, EARSHOT_PUBLIC_URL) or stand in the file of \
            --config, a JSON object: options count before variables, variables before the file. More settings than there \
            are options are in Docs/service.md.

            It ends with Ctrl-C or a SIGTERM, and finishes what it is doing first.

            EXAMPLES
              earshot serve
              earshot serve --port 9000 --catalog music.earstore --database music.sqlite
              earshot serve --media-root music=/srv/music --export-folder /srv/exports
              earshot serve --stations /etc/earshot
              earshot serve --host 0.0.0.0 --public-url https://music.example --certificate chain.pem --private-key key.pem
            """
    )

    @OptionGroup var folder: DataFolder

    @Option(name: .long, help: "The address to listen at.")
    var host: String?

    @Option(name: .long, help: "The port to listen at; 0 lets the system choose.")
    var port: Int?

    @Option(
        name: .long,
        help:
            "The catalog to search: a store, or a file. Without it the store in the service's folder, made where there is none.",
        completion: .file(extensions: ["earcat", "earstore"])
    )
    var catalog: String?

    @Option(
        name: .long,
        help: "The programme guide, as `earshot epg import` makes it; in the service's folder where nothing is said.",
        completion: .file(extensions: ["sqlite"])
    )
    var guide: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder with the stations.json of `earshot monitor run`, or that file: its stations are shown to the operator.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var stations: String?

    @Option(name: .long, help: "How clients reach the service, as https://music.example.")
    var publicURL: String?

    @Option(name: .long, help: "A certificate chain for TLS, in PEM form.", completion: .file(extensions: ["pem"]))
    var certificate: String?

    @Option(name: .long, help: "The certificate's private key, in PEM form.", completion: .file(extensions: ["pem"]))
    var privateKey: String?

    @Option(name: .long, help: "An origin of web pages that may use the service, or *.")
    var allowOrigin: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A folder of media whose files may be read, converted and analyzed, and a name for it; several may be given.",
            valueName: "name=dir"
        ),
        completion: .directory
    )
    var mediaRoot: [String] = []

    @Option(
        name: .long,
        help: "The folder in which exports of media are put; without it there are none.",
        completion: .directory
    )
    var exportFolder: String?

    @Option(name: .long, help: "How the log is written: text or json.")
    var logFormat: String?

    @Option(name: .long, help: "What is logged: trace, debug, info, notice, warning, error, critical.")
    var logLevel: String?

    @Flag(
        name: .customLong("open"),
        inversion: .prefixedNo,
        help: "Open the page in a browser, where there is a desktop."
    )
    var opensBrowser = true

    @Option(name: .long, help: "A file of settings.", completion: .file(extensions: ["json"]))
    var config: String?

    private var options: [ServeConfiguration.Key: String] {
        var options: [ServeConfiguration.Key: String] = [:]
        options[.host] = host
        options[.port] = port.map { String($0) }
        options[.catalog] = catalog
        options[.database] = folder.database
        options[.guide] = guide
        options[.stations] = stations
        options[.publicURL] = publicURL
        options[.certificate] = certificate
        options[.privateKey] = privateKey
        options[.exportFolder] = exportFolder
        options[.logFormat] = logFormat
        options[.logLevel] = logLevel
        if !allowOrigin.isEmpty { options[.allowedOrigins] = allowOrigin.joined(separator: ",") }
        return options
    }

    func run() async throws {
        let configuration = try ServeConfiguration(options: options, roots: mediaRoot, file: config)
        let log = LogBuffer()
        let logger = try configuration.logger(log)
        var settings = OpenFileLimit.fitted(try configuration.settings(), logger)
        // What the service keeps is its own. Exports are for others too.
        settings.exportMode = 0o666 & ~umask(0o077)
        let closed = try folder.make()
        if closed > 0 {
            logger.notice(
                "The service's folder was open to other users, and is closed to them now",
                metadata: ["files": "\(closed)"]
            )
        }
        try folder.hold()
        let metrics = MetricRegistry()
        let stores = try await stores(configuration, metrics)
        let (accounts, fingerprints) = (stores.accounts, stores.fingerprints)
        let catalog = try await openCatalog(configuration, stores, metrics, logger, reserve: settings.reservedSpace)
        catalog.announceService(at: nil)
        guard let executable = Bundle.main.executableURL else {
            throw EarshotError(
                .internalError,
                "The command cannot find its own program file, which it needs to start decoders: start it with its full path."
            )
        }
        var parts = RecognitionServer.Parts(
            music: stores.music,
            accounts: accounts,
            catalog: catalog,
            decoder: ProcessDecoder(
                executable: executable,
                arguments: [DecodeUploadCommand.configuration.commandName ?? ""],
                time: settings.decodingTime
            ),
            pictures: FFmpegPictureMaker(),
            folder: folder.url,
            logger: logger
        )
        // With a bucket the catalog is a name, and no path.
        let paths: [ServeConfiguration.Key] =
            configuration.text(.bucket) == nil ? [.catalog, .database, .guide] : [.database, .guide]
        parts.otherFolders = paths.compactMap { key in
            guard let path = configuration.text(key), PostgreSQLOptions(ifAddress: path) == nil else { return nil }
            return URL(fileURLWithPath: path).deletingLastPathComponent()
        }
        parts.log = log
        (parts.metrics, parts.databaseLoad) = (metrics, stores.databaseLoad)
        parts.settings = configuration.records(settings)
        parts.settingsFile = config
        parts.guide = stores.guide
        if let path = configuration.text(.stations), !path.isEmpty {
            let watched = try WatchedStations(path)
            parts.stations = try watched.sources()
            parts.otherFolders += watched.folders
        }
        parts.keyWrapping = try configuration.keyWrapping(outside: folder.url)
        parts.pieces = stores.pieces
        (parts.leases, parts.register) = (stores.leases, stores.register)
        (parts.attempts, parts.isShared) = (stores.attempts, stores.attempts != nil)
        parts.jobs = stores.jobs
        if let store = stores.liveChannels, let listener = stores.catalogs?.listener {
            parts.liveChannels = (store, listener.hints(PostgreSQLLiveChannelStore.notifications))
        }
        if let store = stores.publications, let bucket = try configuration.bucket(ProcessInfo.processInfo.environment) {
            parts.publications = SharedPublications(store, objects: MeasuredObjectStore(bucket, metrics: metrics))
        }
        if let store = try configuration.partStore(ProcessInfo.processInfo.environment) {
            try await check(store, logger)
            parts.partStore = MeasuredObjectStore(store, metrics: metrics)
        }
        parts.pieceCatalog = try folder.pieceCatalog { damage in
            logger.error(
                "The catalog of pieces was put aside and is made again",
                metadata: ["reason": "\(damage.message)"]
            )
        }
        parts.fileDecoder = ProcessFileDecoder(
            executable: executable,
            arguments: [DecodeUploadCommand.configuration.commandName ?? ""],
            time: settings.decodingTime
        )
        parts.stemConverter = ProcessStemConverter(
            executable: executable,
            arguments: [DecodeUploadCommand.configuration.commandName ?? ""],
            time: settings.decodingTime * 6
        )
        if !settings.mediaRoots.isEmpty {
            parts.analyses = try SQLiteAnalysisStore(url: folder.analysesURL)
            parts.folders = try SQLiteFolderStore(url: folder.mediaURL)
        }
        parts.fingerprints = try folder.fingerprints(fingerprints) { damage in
            logger.error(
                "The index of fingerprints was put aside and is made again",
                metadata: ["reason": "\(damage.message)"]
            )
        }
        parts.maintenance = stores.maintenance(with: catalog)
        await warnOfEscapes(executable, logger)
        let scheme = settings.certificateFile == nil ? "http" : "https"
        let place = folder.url.path
        let tokenFile = OperatorTokenFile(in: folder.url)
        let (host, isSeen) = (
            settings.host.contains(":") ? "[\(settings.host)]" : settings.host, isatty(STDOUT_FILENO) == 1
        )
        let (served, opensBrowser) = (settings, opensBrowser)
        parts.onRunning = { (port: Int) in
            var token: String?
            do throws(EarshotError) {
                token = try await ClientRegister(accounts).firstAdminToken()
                if let token { try tokenFile.write(token) }
            } catch {
                Terminal.printError("\(error.message) Make a token with `earshot admin token`.")
            }
            catalog.announceService(at: "\(scheme)://\(host):\(port)")
            let address = served.publicURL ?? "\(scheme)://\(host):\(port)"
            Terminal.print("Serving \(scheme)://\(host):\(port) from \(place)")
            // What nobody sees goes to a log that many may read.
            if let token, isSeen { Terminal.print("The operator's token: \(token)") }
            if token != nil { Terminal.print("The operator's token is in \(tokenFile.path)") }
            guard served.pages != .off else { return }
            do throws(EarshotError) {
                let links = OperatorLink(accounts)
                try await links.noteAddress(address)
                guard isSeen, served.isLocal else { return }
                let link = try await links.make(at: Date())
                Terminal.print("Signed in as the operator, once and within 15 minutes: \(link)")
                if opensBrowser { Browser.open(link) }
            } catch {
                Terminal.printError("\(error.message) Make a link with `earshot admin link`.")
            }
        }
        let server = try await RecognitionServer(settings, parts)
        var group = ServiceGroupConfiguration(
            // The last one is told first.
            services: [
                server, ShutdownDeadline(seconds: Int(settings.shutdownTime.components.seconds) + 5, logger: logger),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        // Whoever does not read an answer must not keep the service from ending.
        group.maximumGracefulShutdownDuration = settings.shutdownTime
        try await ServiceGroup(configuration: group).run()
    }

    /// Has a decoder try what it should have given up, and logs what this system does not take.
    private func warnOfEscapes(_ executable: URL, _ logger: Logger) async {
        let decoder = [DecodeUploadCommand.configuration.commandName ?? ""]
        do throws(EarshotError) {
            let escapes = try await Confinement.escapes(of: executable, decoder, file: folder.accountsURL)
            guard !escapes.isEmpty else { return }
            logger.warning(
                "Decoders are not confined: this system lets them \(escapes.joined(separator: ", ")). Use Linux with Landlock and seccomp."
            )
        } catch {
            logger.warning("Whether decoders are confined could not be tried", metadata: ["reason": "\(error.message)"])
        }
    }

    /// The databases that the settings name; without any, files in the folder.
    private func stores(
        _ configuration: ServeConfiguration,
        _ metrics: MetricRegistry
    ) async throws(EarshotError) -> ServiceStores {
        let database = configuration.text(.database)
        if let options = PostgreSQLOptions(ifAddress: database) {
            guard configuration.text(.guide) == nil else {
                throw EarshotError(
                    .configurationInvalid,
                    "The guide is in the PostgreSQL database with all data: leave the setting guide out."
                )
            }
            return try await ServiceStores(options, folder: folder, metrics: metrics)
        }
        try folder.useFiles()
        return try ServiceStores(
            folder: folder,
            music: database.map { URL(fileURLWithPath: $0) } ?? folder.musicURL,
            guide: configuration.text(.guide).map { URL(fileURLWithPath: $0) } ?? folder.guideURL
        )
    }

    private func openCatalog(
        _ configuration: ServeConfiguration,
        _ stores: ServiceStores,
        _ metrics: MetricRegistry,
        _ logger: Logger,
        reserve: Int?
    ) async throws(EarshotError) -> CatalogProvider {
        if let store = try configuration.bucket(ProcessInfo.processInfo.environment) {
            let bucket = MeasuredObjectStore(store, metrics: metrics)
            return try await openSharedCatalog(configuration, bucket, stores, logger, reserve: reserve)
        }
        guard let path = configuration.text(.catalog) else {
            let url = folder.catalogURL
            let store =
                CatalogStore.exists(at: url) ? try CatalogStore(url, waiting: false) : try CatalogStore.create(at: url)
            return CatalogProvider(store)
        }
        let url = URL(fileURLWithPath: path)
        return CatalogStore.exists(at: url)
            ? CatalogProvider(try CatalogStore(url, waiting: false)) : CatalogProvider(try Catalog(contentsOf: url))
    }

    /// Looks whether a bucket lets the service in. One that is away keeps no node from starting: what is in its folder is served.
    private func check(_ bucket: any ObjectStore, _ logger: Logger) async throws(EarshotError) {
        do throws(EarshotError) {
            try await bucket.check()
        } catch {
            guard error.code == .storeUnavailable else { throw error }
            logger.error("The bucket cannot be reached", metadata: ["reason": "\(error.message)"])
        }
    }

    /// The catalog that nodes share, which is made if there is none.
    ///
    /// - Parameter reserve: The bytes of the disk that stay free; `nil` for a part of it.
    private func openSharedCatalog(
        _ configuration: ServeConfiguration,
        _ bucket: any ObjectStore,
        _ stores: ServiceStores,
        _ logger: Logger,
        reserve: Int?
    ) async throws(EarshotError) -> CatalogProvider {
        guard let catalogs = stores.catalogs else {
            throw EarshotError(
                .configurationInvalid,
                "A bucket needs a database that nodes share: set database to the address of one in PostgreSQL, or use pieceBucket for "
                    + "the parts of pieces alone."
            )
        }
        let name = configuration.text(.catalog) ?? Self.sharedCatalogName
        guard ResourceName.isValid(name) else {
            throw EarshotError(
                .configurationInvalid,
                "With a bucket, catalog is the name of a catalog in it, of 1 to 64 letters, digits, hyphens, dots and underscores; and "
                    + "not a path as \(name.prefix(120))."
            )
        }
        if try await catalogs.manifests.create(name, limits: .standard) {
            logger.notice("A catalog was made", metadata: ["name": "\(name)", "bucket": "\(bucket.name)"])
        }
        let disk = DiskReserve(folder: folder.segmentsURL(of: name), reserve: reserve)
        let cache = try SegmentCache(
            folder.segmentsURL(of: name),
            catalog: name,
            objects: bucket,
            room: disk.room(forOwnSegments:)
        )
        // A node that others cannot ask holds the whole catalog.
        let place: PlaceID?
        if configuration.text(.clusterAddress) == nil {
            place = nil
        } else {
            let folder = folder.url
            place = try await BlockingWork.run { () throws(EarshotError) in try PlaceID.kept(in: folder) }
        }
        let shared = try await SharedCatalog(name, manifests: catalogs.manifests, cache: cache, place: place)
        do throws(EarshotError) {
            try await shared.load()
        } catch {
            logger.error("A segment of the catalog could not be had", metadata: ["reason": "\(error.message)"])
        }
        let hints = catalogs.listener.hints(PostgreSQLManifestStore.channel)
        return CatalogProvider(
            shared,
            hints: AsyncStream { continuation in
                let task = Task {
                    for await hint in hints where hint == nil || hint == name { continuation.yield() }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        )
    }

    /// The name of the catalog in a bucket unless another one is set.
    private static let sharedCatalogName = "catalog"
}

/// The command that the service starts for each upload, and for each file of the media folders.
struct DecodeUploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode-upload",
        abstract: "Decode one upload for a service.",
        shouldDisplay: false
    )

    @Option(name: .long) var limit: Double?
    @Option(name: .long) var seconds: Int
    @Option(name: .long) var memory: Int
    @Flag(name: .long) var listen = false
    @Option(name: .long) var loop: String?
    @Option(name: .long) var convert: String?
    @Option(name: .long) var output: String?
    @Option(name: .long) var size: Int?
    @Option(name: .long) var tags: String?
    @Option(name: .long) var task: String?
    @Option(name: .long) var file: String?
    @Option(name: .customLong("try")) var tried: String?

    /// Gives up what decoding does not need.
    ///
    /// - Parameter arguments: Those of the process, the program's name first.
    static func confine(_ arguments: [String]) {
        guard arguments.dropFirst().first == configuration.commandName else { return }
        let output = arguments.firstIndex(of: "--output").flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        Confinement.enter(
            folder: output.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path },
            input: arguments.contains("--file") ? 0 : nil
        )
    }

    func run() async throws {
        if let tried {
            for word in Confinement.escapes(file: tried) { Terminal.print(word) }
            return
        }
        if let task, let file {
            let status = await FileWorker.run(
                task: Data(base64Encoded: task) ?? Data(),
                file: file,
                seconds: seconds,
                memory: memory,
                size: size ?? 0
            )
            Foundation.exit(status)
        }
        if listen {
            let bounds = loop?.split(separator: "-").compactMap { Int64($0) } ?? []
            let markers =
                bounds.count == 2 ? LoopMarkers(start: Microseconds(bounds[0]), end: Microseconds(bounds[1])) : nil
            Foundation.exit(await UploadWorker.listen(loop: markers, seconds: seconds, memory: memory))
        }
        if let format = convert.flatMap({ StemFormat(rawValue: $0) }), let output, let size {
            let status = await UploadWorker.convert(
                to: format,
                tags: tags.flatMap { Data(base64Encoded: $0) } ?? Data(),
                output: URL(fileURLWithPath: output),
                seconds: seconds,
                memory: memory,
                size: size
            )
            Foundation.exit(status)
        }
        let status = await UploadWorker.run(
            limit: limit.map { MediaTime(seconds: $0) },
            seconds: seconds,
            memory: memory
        )
        Foundation.exit(status)
    }
}
