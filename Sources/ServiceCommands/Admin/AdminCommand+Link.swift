import ArgumentParser
import CommandKit
import EarshotCore
import EarshotServer
import Foundation

extension AdminCommand {
    /// Signs the operator in at a browser.
    struct Link: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "link",
            abstract: "Make a link that signs the operator in at a browser, once and within 15 minutes."
        )
        @OptionGroup var folder: DataFolder
        @OptionGroup var format: JSONOption

        func run() async throws {
            let link = try await OperatorLink(try await folder.accounts()).make(at: Date())
            folder.record("admin link")
            try format.print(link, ["link": .string(link)])
        }
    }
}
