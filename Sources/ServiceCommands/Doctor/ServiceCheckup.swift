import ArgumentParser
package import CommandKit
import EarshotBuckets
import EarshotClient
import EarshotCore
import EarshotNodes
import EarshotPostgreSQL
import EarshotRemoteCatalogs
import EarshotServer
import Foundation
import Synchronization

/// Looks at what a service needs, as `earshot serve` with the same settings would: database, bucket, decoders; and at a service that runs.
package struct ServiceCheckup: ParsableArguments {
    @OptionGroup var folder: DataFolder

    @Option(name: .long, help: "The bucket that nodes share. Without it EARSHOT_BUCKET.")
    var bucket: String?

    @Option(name: .long, help: "The file of settings of `earshot serve`.", completion: .file(extensions: ["json"]))
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The address of the service that is to answer.",
            discussion: "Without it EARSHOT_SERVER, or the one that runs in the service's folder."
        )
    )
    var server: String?

    package init() {}

    package func findings() async -> [Finding] {
        var options: [ServeConfiguration.Key: String] = [:]
        (options[.database], options[.bucket]) = (folder.database, bucket)
        var findings: [Finding] = [.good("libpq", PostgreSQLLibrary.version)]
        do throws(EarshotError) {
            let configuration = try ServeConfiguration(options: options, file: config)
            _ = try configuration.settings()
            findings.append(await database(configuration.text(.database)))
            findings.append(await objects(configuration))
        } catch {
            findings.append(
                .missing("settings", error.message, remedy: "Correct the file of --config, or the variable EARSHOT_….")
            )
        }
        findings.append(await decoders())
        findings.append(await service())
        return findings
    }

    /// Opens no database in a file: that would bring one of a service of an earlier version, which runs, to this version.
    private func database(_ address: String?) async -> Finding {
        guard let options = PostgreSQLOptions(ifAddress: address) else {
            let folder = folder.url.path
            guard FileManager.default.fileExists(atPath: self.folder.accountsURL.path) else {
                return .unused("database", "There is no service in \(folder).", remedy: "`earshot serve` makes one.")
            }
            guard access(self.folder.accountsURL.path, R_OK | W_OK) == 0 else {
                return .missing(
                    "database",
                    "The files in \(folder) may not be read and written.",
                    remedy: "Run the command as the user of the service."
                )
            }
            return .good("database", "files in \(folder); `earshot admin check` looks for damage")
        }
        do throws(EarshotError) {
            let version = try await PostgreSQLPool.connected(options).read { connection in
                try connection.row("SELECT current_setting('server_version') AS version")?.text("version")
            }
            return .good("database", "PostgreSQL \(version ?? "") at \(options.name)")
        } catch {
            return .missing(
                "database",
                error.message,
                remedy: "Start the server, or correct the setting database (EARSHOT_DATABASE)."
            )
        }
    }

    private func objects(_ configuration: ServeConfiguration) async -> Finding {
        do throws(EarshotError) {
            guard let objects = try configuration.bucket(ProcessInfo.processInfo.environment) else {
                return .unused(
                    "bucket",
                    "None is set.",
                    remedy: "Set `bucket` (EARSHOT_BUCKET) only if several nodes share a catalog."
                )
            }
            try await objects.check()
            return .good("bucket", objects.name)
        } catch {
            return .missing(
                "bucket",
                error.message,
                remedy: "Correct the setting bucket (EARSHOT_BUCKET), AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
            )
        }
    }

    /// Has a decoder try what it should have given up.
    private func decoders() async -> Finding {
        let remedy = "Use Linux 5.13 or later with Landlock and seccomp, and let no container forbid them."
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-doctor-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        guard let executable = Bundle.main.executableURL,
            FileManager.default.createFile(atPath: file.path, contents: Data("x".utf8))
        else { return .advice("decoders", "Whether they are confined could not be tried.", remedy: remedy) }
        do throws(EarshotError) {
            let decoder = [DecodeUploadCommand.configuration.commandName ?? ""]
            let escapes = try await Confinement.escapes(of: executable, decoder, file: file)
            guard !escapes.isEmpty else { return .good("decoders", "confined by Landlock and seccomp") }
            return .advice("decoders", "This system lets them \(escapes.joined(separator: ", ")).", remedy: remedy)
        } catch {
            return .advice("decoders", error.message, remedy: remedy)
        }
    }

    // MARK: - A service that runs

    private func service() async -> Finding {
        let named = server ?? ProcessInfo.processInfo.environment["EARSHOT_SERVER"]
        guard let address = named.flatMap({ $0.isEmpty ? nil : $0 }) ?? running() else {
            return .unused(
                "service",
                "None runs in \(folder.url.path), and none is named.",
                remedy: "Start one with `earshot serve`, or name one with --server."
            )
        }
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()) else {
            return .missing("service", "\(address) is no address.", remedy: "Name one such as http://127.0.0.1:8080.")
        }
        let answer = Answer()
        do {
            let transport = AsyncHTTPTransport(timeout: MediaTime(value: 5, timescale: 1))
            try await transport.fetch(TransportRequest(url: url.appendingPathComponent("ready")), to: answer)
        } catch {
            return .missing(
                "service",
                "\(address) does not answer.",
                remedy: "Check that it runs there (`systemctl status earshot`), and that no firewall is between."
            )
        }
        return Self.finding(of: address, status: answer.status)
    }

    /// - Parameter status: The status of the answer to `GET /ready`.
    static func finding(of address: String, status: Int) -> Finding {
        switch status {
        case 200: .good("service", "\(address) is ready")
        // With `operationsPort` the other port does not tell.
        case 404: .good("service", "\(address) answers; its readiness is told at its operationsPort")
        case 503:
            .missing("service", "\(address) is not ready.", remedy: "Read its log (`journalctl -u earshot`).")
        default:
            .missing(
                "service",
                "\(address) answers with status \(status), as a recognition service never does.",
                remedy: "Correct the address, or the proxy in front of the service."
            )
        }
    }

    /// The address of the service that holds the catalog in the folder; `nil` if none does.
    private func running() -> String? {
        let descriptor = open(folder.catalogURL.appendingPathComponent("lock").path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return LockHolder.read(from: descriptor)?.address
    }

    /// Keeps the status of an answer.
    private final class Answer: TransportReceiver {
        private let kept = Mutex(0)

        var status: Int { kept.withLock { $0 } }

        func begin(_ response: TransportResponse) { kept.withLock { $0 = response.status } }
        func take(_ bytes: Data) {}
    }
}
