import ArgumentParser
package import EarshotCore

/// The time that a command waits for another program that changes the same catalog.
package struct WaitOptions: ParsableArguments {
    /// Seconds for which another command is waited for: several short ones take turns.
    package static let usualSeconds = 10.0

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Wait for another program that changes the catalog, however long it takes.",
            discussion: "Without it a command waits 10 s for another command, and not at all for a service."
        )
    )
    package var wait = false

    @Option(name: .long, help: ArgumentHelp("Seconds to wait for another command.", visibility: .hidden))
    package var waitLimit = WaitOptions.usualSeconds

    package init() {}

    package func validate() throws {
        guard waitLimit >= 0, waitLimit <= 86_400 else {
            throw ValidationError("--wait-limit must be from 0 to 86400.")
        }
    }

    /// The patience with which a catalog is opened: it says at once for whom it waits.
    ///
    /// - Parameter path: The catalog.
    package func patience(_ path: String) -> LockPatience {
        let seconds = wait ? nil : waitLimit
        return LockPatience(
            seconds: seconds,
            onWait: { holder in
                let who = holder?.description ?? "another program"
                let limit = seconds.map { " for up to \(Int($0.rounded(.up))) s" } ?? " until it ends; Ctrl-C gives up"
                Terminal.note("\(path) is being changed by \(who): waiting\(limit).")
            },
            refusal: { path, holder in Self.refusal(path, holder, after: seconds) }
        )
    }

    /// The error of a command that could not have the catalog.
    package static func refusal(_ path: String, _ holder: LockHolder?, after seconds: Double?) -> EarshotError {
        let who = holder?.description ?? "another program"
        if let holder, holder.isService {
            let address = holder.address ?? "http://HOST:PORT"
            return EarshotError(
                .storeUnavailable,
                "\(path) is held by a service, \(who): end the service and run the command again, or send the change to it "
                    + "(POST \(address)/v1/references, see Docs/service.md); --wait waits until the service ends."
            )
        }
        let length = seconds.map { $0 > 0 ? " and was not done after \(Int($0.rounded(.up))) s" : "" } ?? ""
        return EarshotError(
            .storeUnavailable,
            "\(path) is being changed by \(who)\(length): run the command again when it has ended, or with --wait."
        )
    }
}
