import ArgumentParser
import CommandKit
import EarshotCore
import EarshotServer
import Foundation

extension AdminCommand {
    /// Replaces the keys with which a service signs.
    struct Keys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys",
            abstract:
                "Make a new key to sign tokens and addresses with; those of before are worth nothing from now on.",
            discussion: """
                For a database or a backup that was stolen: with its keys anybody can sign tokens. Clients ask for new tokens by \
                themselves, and nobody has to log in again. A running service knows of the new key within seconds.
                """
        )
        @Flag(name: .long, help: "Let what older keys have signed hold until it expires.")
        var keep = false
        @Option(
            name: .long,
            help: "The setting keyFile of the service; without it EARSHOT_KEY_FILE.",
            completion: .file()
        )
        var keyFile: String?
        @OptionGroup var folder: DataFolder
        @OptionGroup var format: JSONOption

        func run() async throws {
            let options: [ServeConfiguration.Key: String] = keyFile.map { [.keyFile: $0] } ?? [:]
            let wrapping = try ServeConfiguration(options: options, file: nil).keyWrapping(outside: folder.url)
            try await ServiceKeys.renew(
                in: try await folder.accounts(),
                wrapping: wrapping,
                revoking: !keep,
                at: Date()
            )
            folder.record("admin keys", ["keep": "\(keep)"])
            let others = keep ? "What older ones have signed holds until it expires." : "The others are gone."
            try format.print("A new key signs. \(others)", ["revoked": .boolean(!keep)])
        }
    }
}
