import ArgumentParser
import CommandKit
import EarshotAPI
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

/// The service of pieces that a command asks, and as whom.
struct PieceConnection: ParsableArguments {
    @OptionGroup(title: "Service")
    var service: ServiceOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The identifier of the app, part of the scheme of its addresses.",
            discussion: "Without it EARSHOT_APPLICATION, or earshot."
        )
    )
    var application: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The user, as the service serialised it, for servers and scripts.",
            discussion: "Without it EARSHOT_USER, or who has logged in with `earshot piece login`."
        )
    )
    var user: String?

    /// The app.
    func scheme() throws -> PieceScheme {
        let own = application ?? ProcessInfo.processInfo.environment["EARSHOT_APPLICATION"]
        return try PieceScheme(application: own.flatMap { $0.isEmpty ? nil : $0 } ?? "earshot")
    }

    /// A client of the service.
    ///
    /// - Parameters:
    ///   - receiver: Takes pieces that an address opens.
    ///   - mayLogIn: Whether somebody may be asked to log in.
    ///   - isWatched: Whether somebody sees the code to log in with, as at a terminal.
    func client(
        receiver: (any PieceReceiver)? = nil,
        mayLogIn: Bool = true,
        isWatched: Bool = Terminal.isWatched
    ) throws -> PieceClient {
        let (remote, _) = try service.connect()
        var configuration = PieceClient.Configuration(
            applicationIdentifier: try scheme().application,
            apiKey: service.identifier,
            service: remote.url,
            receiver: receiver
        )
        // Addresses come as arguments: nothing has to be registered for that.
        configuration.manifest = NoManifest()
        let given = user ?? ProcessInfo.processInfo.environment["EARSHOT_USER"]
        if let given, !given.isEmpty {
            configuration.tokenStore = GivenUser(account: PieceAccount(user: given, author: ""))
        } else {
            configuration.tokenStore = FileTokenStore(FileTokenStore.usualFolder())
            if mayLogIn, !isWatched {
                configuration.login = UnwatchedLogin(refusal: notLoggedIn(remote.url))
            } else if mayLogIn {
                configuration.login = DeviceCodeLogin { device in
                    let (page, code) = (device.address.absoluteString, device.userCode)
                    Terminal.note(
                        "Log in at \(Terminal.shown(page)) with the code \(Terminal.shown(code)), within "
                            + "\(DisplayText.plural(device.expiresIn / 60, "minute", "minutes"))."
                    )
                }
            }
        }
        configuration.log = { Terminal.note(Terminal.shown($0)) }
        return try PieceClient(configuration)
    }

    /// Refuses a command that would need a log-in where nobody could log in, before any work is done for it.
    ///
    /// - Throws: `accessDenied`, naming the remedy.
    func checkLogin(_ client: PieceClient) async throws(EarshotError) {
        guard let login = client.configuration.login as? UnwatchedLogin else { return }
        guard try await client.account() == nil else { return }
        throw login.refusal
    }

    private func notLoggedIn(_ address: URL) -> EarshotError {
        EarshotError(
            .accessDenied,
            "Nobody has logged in at \(address.absoluteString), and there is no terminal to log in at: log in with `earshot piece login` "
                + "and the same options once, or name the user with --user or EARSHOT_USER, as the service serialised it."
        )
    }

    /// Refuses the name of a package that is not there: no service knows it.
    static func checkFile(_ text: String) throws(EarshotError) {
        guard URL(fileURLWithPath: text).pathExtension.lowercased() != PiecePackage.fileExtension else {
            throw EarshotError(.assetNotFound, "There is no file \(text): check its name.")
        }
    }

    /// The identifier of a piece, or of the piece of an address: of its page, or one that an app is opened with.
    func piece(_ text: String) throws -> PieceID {
        if let id = PieceID(text) { return id }
        if let url = URL(string: text) {
            if case .open(let id) = try scheme().request(url) { return id }
            if ["http", "https"].contains(url.scheme?.lowercased()), let id = PieceID(url.lastPathComponent) {
                return id
            }
        }
        throw EarshotError(
            .requestInvalid,
            "\"\(text.prefix(120))\" names no piece: give its identifier or the address of its page."
        )
    }
}

/// No log-in: nobody sees the code that would have to be typed in.
private struct UnwatchedLogin: LoginPresenter {
    let refusal: EarshotError

    func logIn(_ session: LoginSession) async throws -> PieceAccount { throw refusal }
}

/// The user that the command was given: nobody else is kept.
private struct GivenUser: PieceTokenStore {
    let account: PieceAccount

    func account(for place: PieceTokenKey) async throws(EarshotError) -> PieceAccount? { account }

    func keep(_ account: PieceAccount?, for place: PieceTokenKey) async throws(EarshotError) {}
}
