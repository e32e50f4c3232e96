#if Service
    import ArgumentParser
    import CommandKit
    import Earshot
    import EarshotClient
    import EarshotRemoteCatalogs
    import Foundation

    extension CatalogCommand {
        struct PullCommand: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "pull",
                abstract: "Fetch a catalog file from an http or https address, when it has changed.",
                discussion: """
                    An interrupted download goes on where it stopped, in a later run too. The SHA-256 beside the catalog \
                    (.sha256) is checked where there is one, with --key the publisher's signature (.sig) as well. What fails \
                    leaves the catalog that is there.

                    EXAMPLES
                      earshot catalog pull https://example.org/music.earcat -o music.earcat
                      earshot catalog pull https://example.org/music.earcat -o music.earcat --key publisher.pub
                      earshot catalog pull https://example.org/music.earcat -o music.earcat --fallback shipped.earcat
                    """
            )

            @Argument(help: "The address of a catalog file.")
            var address: String

            @Option(name: .shortAndLong, help: "Keep the catalog here.", completion: .file(extensions: ["earcat"]))
            var output: String

            @Option(name: .long, help: "The publisher's public key, or a file that holds it.", completion: .file())
            var key: String?

            @Option(
                name: .long,
                help: "Where fetching fails: keep what is there, or else copy this catalog.",
                completion: .file(extensions: ["earcat"])
            )
            var fallback: String?

            @Option(name: .long, help: "Attempts after one that the network or the server ended.")
            var retries = 4

            @Option(name: .long, help: "The most bytes that are fetched.")
            var sizeLimit: Int64 = 2 << 30

            @Flag(name: .long, help: "Replace a catalog that was not fetched from this address.")
            var replace = false

            @Flag(name: .long, help: "Print one JSON object.")
            var json = false

            func validate() throws {
                try CatalogCommand.checkName(output, suffixes: ["earcat"])
                guard retries >= 0 else { throw ValidationError("--retries must be at least 0.") }
                guard sizeLimit > 0 else { throw ValidationError("--size-limit must be at least 1.") }
            }

            private struct Report: Encodable {
                let catalog: String
                /// `download`, `unchanged`, `cache` or `bundle`.
                let source: String
                let references, bytes: Int
                let version: String
                var error: Problem?

                struct Problem: Encodable {
                    let code, message: String
                }
            }

            func run() async throws {
                guard let url = URL(string: address) else {
                    throw EarshotError(.downloadFailed, "\"\(address)\" is no address: write https://host/name.earcat.")
                }
                let destination = URL(fileURLWithPath: output)
                let bar = ByteBar()
                let download = try CatalogDownload(
                    url,
                    to: destination,
                    sizeLimit: sizeLimit,
                    key: try key.map(CatalogCommand.publisherKey),
                    transport: AsyncHTTPTransport(),
                    progress: bar.show
                )
                let isThere = FileManager.default.fileExists(atPath: destination.path)
                if isThere, !replace, !download.knowsDestination { throw AtomicFile.exists(destination) }
                let interruption = Interruption("Interrupted. The same command goes on where this one stopped.")
                defer { withExtendedLifetime(interruption) {} }
                do throws(EarshotError) {
                    let outcome = try await fetch(download, bar)
                    bar.finish()
                    switch outcome {
                    case .fetched(let catalog): try report(catalog, "download", destination)
                    case .unchanged(let catalog): try report(catalog, "unchanged", destination)
                    }
                } catch {
                    bar.finish()
                    guard let fallback, error.code == .downloadFailed || error.code == .verificationFailed else {
                        throw error
                    }
                    if isThere {
                        try report(try Catalog(contentsOf: destination), "cache", destination, error)
                    } else {
                        let catalog = try Catalog(contentsOf: URL(fileURLWithPath: fallback))
                        try catalog.write(to: destination)
                        // The next run may put what it fetches in its place.
                        try download.adopt()
                        try report(catalog, "bundle", destination, error)
                    }
                }
            }

            /// Fetches, again after pauses where that may help.
            private func fetch(
                _ download: CatalogDownload,
                _ bar: ByteBar
            ) async throws(EarshotError) -> CatalogDownload.Outcome {
                var backoff = Backoff.downloads
                while true {
                    do throws(EarshotError) {
                        return try await download.run()
                    } catch {
                        guard error.isTransientDownloadFailure, backoff.failures < retries else { throw error }
                        let pause = backoff.failed(random: Double.random(in: 0...1))
                        bar.finish()
                        Terminal.note("\(error.message) Again in \(String(format: "%.1f s", pause.seconds)).")
                        let clock = MediaClock.system
                        do {
                            try await clock.sleep(until: clock.now + pause)
                        } catch {
                            throw EarshotError(.cancelled, "Fetching \(output) was canceled.")
                        }
                    }
                }
            }

            private func report(
                _ catalog: Catalog,
                _ source: String,
                _ destination: URL,
                _ error: EarshotError? = nil
            ) throws(EarshotError) {
                let size = try? FileManager.default.attributesOfItem(atPath: destination.path)[.size] as? Int
                let report = Report(
                    catalog: output,
                    source: source,
                    references: catalog.count,
                    bytes: size ?? 0,
                    version: catalog.identity.version,
                    error: error.map { Report.Problem(code: $0.code.rawValue, message: $0.message) }
                )
                if let error { Terminal.printError(error.message) }
                if json {
                    do {
                        Terminal.print(try JSON.document(report))
                    } catch {
                        throw EarshotError(
                            .internalError,
                            "The result could not be written as JSON: please report this.",
                            cause: error
                        )
                    }
                    return
                }
                let words = [
                    "download": "fetched", "unchanged": "nothing has changed", "cache": "as it was",
                    "bundle": "copied from \(fallback ?? "")",
                ]
                Terminal.print(
                    "\(output): \(DisplayText.plural(report.references, "reference", "references")), "
                        + "\(DisplayText.bytes(report.bytes)), \(words[source] ?? source)"
                )
            }
        }

        /// The key of an argument: the key itself, or a file that holds it.
        static func publisherKey(_ argument: String) throws(EarshotError) -> PublisherKey {
            if FileManager.default.fileExists(atPath: argument),
                let text = try? String(contentsOf: URL(fileURLWithPath: argument), encoding: .utf8)
            {
                return try PublisherKey(text)
            }
            return try PublisherKey(argument)
        }
    }
#endif
