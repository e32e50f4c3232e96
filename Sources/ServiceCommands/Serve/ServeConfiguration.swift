import CommandKit
import Configuration
import EarshotBuckets
import EarshotCore
import EarshotNodes
import EarshotRecognition
import EarshotServer
import Foundation
import Logging

/// The configuration of `earshot serve`: by its options, then by variables of the environment, then by a file.
struct ServeConfiguration {
    /// A setting with what it does.
    enum Key: String, CaseIterable {
        case host, port, operationsHost, operationsPort, publicURL, certificate, privateKey, allowedOrigins,
            trustedProxies, proxyHeader, securityContact
        case catalog, database, bucket, bucketRegion, clusterAddress, cacheBytes, guide, stations, logFormat, logLevel
        case uploadLimit, tracklistLimit, tracklistTotalLimit, uploadTime, idleTime, shutdownTime, connectionLimit,
            requestsPerClient, workers, queueLimit, decodingTime, failuresPerSecond
        case fingerprintRequestsPerSecond, fingerprintRequestsPerAddress
        case tokenLifetime, contentLifetime, keyLifetime, keyFile, historyLimit, liveHours, criteria
        case coverArtAccess, pieceLimit, pieceStemsLimit, pieceDrafts, pieceAuthorLimit, pieceBucket, pieceRegion,
            pieceCache, pieceTotalLimit, pieceAnnouncedLimit, reservedSpace
        case pages, pagesFolder
        case mediaRoots, exportFolder, exportWorkers, exportsKept, analysisWorkers
    }

    private let reader: ConfigReader
    /// The readers of each source by itself, the first of which counts.
    let sources: [(SettingRecord.Source, ConfigReader)]

    /// - Parameters:
    ///   - options: What was given on the command line.
    ///   - roots: The media folders that were given there.
    ///   - file: A file of JSON.
    init(options: [Key: String], roots: [String] = [], file: String?) throws(EarshotError) {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, value) in options { values[[key.rawValue]] = ConfigValue(.string(value), isSecret: false) }
        if !roots.isEmpty {
            values[[Key.mediaRoots.rawValue]] = ConfigValue(.stringArray(roots), isSecret: false)
        }
        var providers: [(SettingRecord.Source, any ConfigProvider)] = [
            (.option, InMemoryProvider(name: "options", values: values)),
            // The setting publicURL is the variable EARSHOT_PUBLIC_URL.
            (.variable, EnvironmentVariablesProvider().prefixKeys(with: "earshot")),
        ]
        if let file { providers.append((.file, InMemoryProvider(name: file, values: try Self.values(file)))) }
        reader = ConfigReader(providers: providers.map(\.1))
        sources = providers.map { ($0, ConfigReader(providers: [$1])) }
    }

    /// The settings in a file. A name that is none is refused: a misspelt one would be passed over in silence.
    private static func values(_ file: String) throws(EarshotError) -> [AbsoluteConfigKey: ConfigValue] {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw EarshotError(.assetNotFound, "There is no file \(file) to read settings from: check the path.")
        }
        guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
            throw EarshotError(
                .configurationInvalid,
                "\(file) cannot be read as settings: it is to be one JSON object."
            )
        }
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, value) in object {
            guard Key(rawValue: name) != nil else {
                let known = Key.allCases.map(\.rawValue).sorted().joined(separator: ", ")
                throw EarshotError(
                    .configurationInvalid,
                    "\(file) has an unknown setting '\(name)'; known settings: \(known)."
                )
            }
            let content: ConfigContent? =
                switch value {
                case let text as String: .string(text)
                case let number as Int: .int(number)
                case let list as [String]: .stringArray(list)
                default: nil
                }
            guard let content else {
                throw EarshotError(
                    .configurationInvalid,
                    "\(file): the setting \(name) is to be a text, a whole number, or a list of texts."
                )
            }
            values[[name]] = ConfigValue(content, isSecret: false)
        }
        return values
    }

    func text(_ key: Key) -> String? { reader.string(forKey: ConfigKey([key.rawValue])) }

    private func number(_ key: Key, _ range: ClosedRange<Int>) throws(EarshotError) -> Int? {
        let name = ConfigKey([key.rawValue])
        let number = reader.int(forKey: name) ?? reader.string(forKey: name).flatMap { Int($0) }
        if number == nil, reader.string(forKey: name) == nil { return nil }
        guard let number, range.contains(number) else {
            throw EarshotError(
                .configurationInvalid,
                "The setting \(key.rawValue) must be a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// The bucket that nodes share; `nil` if none is named.
    ///
    /// - Parameter environment: The keys are looked for in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, as other programs do.
    /// - Throws: `configurationInvalid`.
    func bucket(_ environment: [String: String]) throws(EarshotError) -> (any ObjectStore)? {
        guard let address = text(.bucket), !address.isEmpty else { return nil }
        return S3ObjectStore(
            try S3Settings(address: address, region: text(.bucketRegion), environment: environment)
        )
    }

    /// The bucket of the parts of pieces; `nil` if none is named.
    ///
    /// - Parameter environment: The keys are looked for in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, as other programs do.
    /// - Throws: `configurationInvalid`.
    func partStore(_ environment: [String: String]) throws(EarshotError) -> (any ObjectStore)? {
        guard let address = text(.pieceBucket), !address.isEmpty else { return try bucket(environment) }
        return S3ObjectStore(
            try S3Settings(address: address, region: text(.pieceRegion), environment: environment)
        )
    }

    /// The encryption of the keys of the service; `nil` if no file of a key is named.
    ///
    /// - Throws: `configurationInvalid` for a file that has no key, and one in the service's folder, with which it would be copied.
    func keyWrapping(outside folder: URL) throws(EarshotError) -> KeyWrapping? {
        guard let path = text(.keyFile), !path.isEmpty else { return nil }
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard !file.path.hasPrefix(folder.resolvingSymlinksInPath().path + "/") else {
            throw EarshotError(
                .configurationInvalid,
                "keyFile is in the folder that it is to protect: put the key where backups of the folder do not go."
            )
        }
        return try KeyWrapping(file: file)
    }

    /// The whole numbers, each with its place and the numbers that it may be.
    static var numbers: [(Key, WritableKeyPath<ServiceSettings, Int>, ClosedRange<Int>)] {
        [
            (.port, \.port, 0...65_535), (.uploadLimit, \.uploadLimit, 1_024...(4 << 30)),
            (.tracklistLimit, \.tracklistLimit, 1_024...(64 << 30)),
            (.tracklistTotalLimit, \.tracklistTotalLimit, 1_024...(1 << 50)),
            (.pieceLimit, \.pieceLimit, 1_024...(16 << 30)), (.pieceStemsLimit, \.pieceStemsLimit, 0...(1 << 40)),
            (.pieceAuthorLimit, \.pieceAuthorLimit, 0...(1 << 50)), (.pieceDrafts, \.pieceDrafts, 1...100_000),
            (.pieceTotalLimit, \.pieceTotalLimit, 0...(1 << 60)),
            (.pieceAnnouncedLimit, \.pieceAnnouncedLimit, 0...(1 << 50)),
            (.pieceCache, \.pieceCache, 0...(1 << 50)), (.connectionLimit, \.connectionLimit, 1...1_000_000),
            (.requestsPerClient, \.requestsPerClient, 1...100_000),
            (.failuresPerSecond, \.failuresPerSecond, 0...1_000_000),
            (.fingerprintRequestsPerSecond, \.fingerprintRequestsPerSecond, 1...100_000),
            (.fingerprintRequestsPerAddress, \.fingerprintRequestsPerAddress, 0...100_000),
            (.workers, \.workers, 1...1_024), (.queueLimit, \.queueLimit, 0...100_000),
            (.historyLimit, \.historyLimit, 1...1_000_000), (.liveHours, \.liveHours, 1...72),
            (.exportWorkers, \.exportWorkers, 1...1_024), (.exportsKept, \.exportsKept, 1...10_000),
            (.analysisWorkers, \.analysisWorkers, 1...1_024),
        ]
    }

    /// The times, in seconds.
    static var times: [(Key, WritableKeyPath<ServiceSettings, Duration>, ClosedRange<Int>)] {
        [
            (.uploadTime, \.uploadTime, 1...3_600), (.idleTime, \.idleTime, 1...3_600),
            (.shutdownTime, \.shutdownTime, 1...3_600),
            (.decodingTime, \.decodingTime, 1...600), (.tokenLifetime, \.tokenLifetime, 10...604_800),
            (.contentLifetime, \.contentLifetime, 10...604_800), (.keyLifetime, \.keyLifetime, 60...31_536_000),
        ]
    }

    /// The settings; those that are not given have their defaults.
    func settings() throws(EarshotError) -> ServiceSettings {
        var settings = ServiceSettings()
        settings.host = text(.host) ?? settings.host
        settings.operationsPort = try number(.operationsPort, 0...65_535)
        settings.operationsHost = text(.operationsHost) ?? settings.operationsHost
        guard text(.operationsHost) == nil || settings.operationsPort != nil else {
            throw EarshotError(
                .configurationInvalid,
                "The setting operationsHost is of use with a port only: set operationsPort, too."
            )
        }
        try readNode(&settings)
        settings.publicURL = text(.publicURL)
        settings.certificateFile = text(.certificate)
        settings.privateKeyFile = text(.privateKey)
        if let url = settings.publicURL {
            guard let parsed = URL(string: url), ["http", "https"].contains(parsed.scheme), parsed.host() != nil else {
                throw EarshotError(
                    .configurationInvalid,
                    "The setting publicURL is to be an address such as https://music.example."
                )
            }
        }
        settings.allowedOrigins = list(.allowedOrigins)
        settings.trustedProxies = try trustedProxies()
        let contacts = list(.securityContact)
        if !contacts.isEmpty { settings.securityText = try SecurityText(contacts: contacts) }
        for (key, place, range) in Self.numbers {
            if let number = try number(key, range) { settings[keyPath: place] = number }
        }
        for (key, place, range) in Self.times {
            if let seconds = try number(key, range) { settings[keyPath: place] = .seconds(seconds) }
        }
        settings.reservedSpace = try number(.reservedSpace, 0...(1 << 50))
        if let access: ServiceSettings.CoverArtAccess = try choice(.coverArtAccess) { settings.coverArtAccess = access }
        if let pages: ServiceSettings.Pages = try choice(.pages) { settings.pages = pages }
        settings.pagesFolder = text(.pagesFolder).map { URL(fileURLWithPath: $0, isDirectory: true) }
        settings.mediaRoots = try mediaRoots()
        settings.exportFolder = text(.exportFolder).map { URL(fileURLWithPath: $0, isDirectory: true) }
        settings.criteria = try criteria(settings.criteria)
        return settings
    }

    /// The settings of a node among several: its address for the others, and its room.
    private func readNode(_ settings: inout ServiceSettings) throws(EarshotError) {
        settings.cacheBytes = try number(.cacheBytes, 1...(1 << 60))
        if let address = text(.clusterAddress) { settings.clusterAddress = try NodeAddress(address) }
        guard (settings.clusterAddress == nil) == (settings.cacheBytes == nil) else {
            throw EarshotError(
                .configurationInvalid,
                "The settings clusterAddress and cacheBytes are of use together only: set both, or none for a node with the whole catalog."
            )
        }
        guard settings.clusterAddress == nil || text(.bucket)?.isEmpty == false else {
            throw EarshotError(
                .configurationInvalid,
                "The setting clusterAddress is of use with a bucket only, whose catalog nodes share: set bucket, too."
            )
        }
    }

    /// One of a few words; `nil` where the setting is left out.
    private func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ key: Key
    ) throws(EarshotError) -> Value? {
        guard let name = text(key) else { return nil }
        guard let value = Value(rawValue: name) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: " or ")
            throw EarshotError(.configurationInvalid, "The setting \(key.rawValue) must be \(known).")
        }
        return value
    }

    private func trustedProxies() throws(EarshotError) -> TrustedProxies {
        guard let name = text(.proxyHeader) else { return try TrustedProxies(list(.trustedProxies)) }
        let headers = TrustedProxies.Header.allCases
        guard let header = headers.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            let known = headers.map(\.rawValue).joined(separator: " or ")
            throw EarshotError(.configurationInvalid, "The setting proxyHeader must be \(known).")
        }
        return try TrustedProxies(list(.trustedProxies), header: header)
    }

    /// The criteria by which candidates are ordered.
    private func criteria(_ standard: [MatchCriterion]) throws(EarshotError) -> [MatchCriterion] {
        let names = list(.criteria)
        guard !names.isEmpty else { return standard }
        var criteria: [MatchCriterion] = []
        for name in names {
            guard let criterion = MatchCriterion(rawValue: name) else {
                throw EarshotError(
                    .configurationInvalid,
                    "The setting criteria names \(name): there are \(MatchCriterion.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            criteria.append(criterion)
        }
        return criteria
    }

    /// The media folders. A comma stands between two of them in a variable only: a path may have one.
    private func mediaRoots() throws(EarshotError) -> [MediaRoot] {
        let key = ConfigKey([Key.mediaRoots.rawValue])
        let texts = reader.stringArray(forKey: key) ?? list(.mediaRoots)
        var roots: [MediaRoot] = []
        for text in texts { roots.append(try MediaRoot(text)) }
        return roots
    }

    /// A list, as in a file, or with commas between its entries.
    private func list(_ key: Key) -> [String] {
        if let list = reader.stringArray(forKey: ConfigKey([key.rawValue])), list.count != 1 { return list }
        return (text(key) ?? reader.stringArray(forKey: ConfigKey([key.rawValue]))?.first ?? "").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The logger of the service.
    ///
    /// - Parameter buffer: Keeps the last lines, too.
    func logger(_ buffer: LogBuffer = LogBuffer()) throws(EarshotError) -> Logger {
        let label = "earshot"
        let writer: any LogHandler
        switch text(.logFormat) ?? "text" {
        case "json": writer = JSONLogHandler(label: label)
        case "text": writer = StreamLogHandler.standardError(label: label)
        default: throw EarshotError(.configurationInvalid, "The setting logFormat must be text or json.")
        }
        var logger = Logger(label: label) { _ in MultiplexLogHandler([writer, buffer.handler()]) }
        guard let level = Logger.Level(rawValue: text(.logLevel) ?? "info") else {
            throw EarshotError(
                .configurationInvalid,
                "The setting logLevel is to be one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        logger.logLevel = level
        return logger
    }
}
