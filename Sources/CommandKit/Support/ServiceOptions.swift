package import ArgumentParser
import EarshotCore
import Foundation

/// The recognition service that a command asks, and what is wanted of it.
package struct ServiceOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The address of a recognition service.", discussion: "Without it EARSHOT_SERVER.")
    )
    package var server: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The client identifier, ID-TAG, for the service.", discussion: "Without it EARSHOT_CLIENT.")
    )
    package var client: String?

    /// The address of the service; nothing when none is named.
    package var address: String? { Self.value(server, "EARSHOT_SERVER") }

    /// The client identifier; nothing when none is named.
    package var identifier: String? { Self.value(client, "EARSHOT_CLIENT") }

    private static func value(_ option: String?, _ name: String) -> String? {
        let text = option ?? ProcessInfo.processInfo.environment[name]
        return text?.isEmpty == false ? text : nil
    }

    package init() {}
}
