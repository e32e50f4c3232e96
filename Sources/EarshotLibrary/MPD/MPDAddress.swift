public import EarshotCore
import Foundation

/// The address of a Music Player Daemon: a host and a port, or a socket of this machine, and a password if it wants one.
///
/// ```swift
/// try MPDAddress("mpd://localhost")               // port 6600
/// try MPDAddress("mpd://PASSWORD@music.example:6601")
/// try MPDAddress("mpd:///run/mpd/socket")         // or "/run/mpd/socket"
/// ```
public struct MPDAddress: Hashable, Sendable, CustomStringConvertible {
    /// The place at which a daemon listens.
    public enum Place: Hashable, Sendable {
        /// A port of a host.
        case host(String, port: UInt16)
        /// The path of a Unix socket.
        case socket(path: String)
    }

    /// The place.
    public let place: Place
    /// The password; `nil` if none is sent.
    public let password: String?

    /// The port if an address names none.
    public static let usualPort: UInt16 = 6_600
    /// The most bytes of an address.
    public static let maximumSize = 1_024
    /// The most bytes of a socket's path, which systems limit.
    public static let maximumPathSize = 103

    /// Parses an address.
    ///
    /// - Parameter text: The address; in its password, `%` begins an encoded byte.
    /// - Throws: `requestInvalid` for a text that is no such address.
    public init(_ text: String) throws(EarshotError) {
        guard text.utf8.count <= Self.maximumSize, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw Self.invalid("It is too long, or has a character that no address has")
        }
        if text.hasPrefix("/") {
            (place, password) = (try Self.socket(text), nil)
            return
        }
        let scheme = "mpd://"
        guard text.lowercased().hasPrefix(scheme) else { throw Self.invalid("It does not begin with mpd://") }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        var host = rest[..<end]
        let path = String(rest[end...])
        if let at = host.lastIndex(of: "@") {
            guard let decoded = String(host[..<at]).removingPercentEncoding, !decoded.isEmpty,
                !decoded.utf8.contains(where: { $0 < 0x20 })
            else { throw Self.invalid("Its password cannot be read") }
            password = decoded
            host = host[host.index(after: at)...]
        } else {
            password = nil
        }
        if host.isEmpty {
            place = try Self.socket(path)
        } else {
            guard path.isEmpty || path == "/" else { throw Self.invalid("A path stands behind its host") }
            place = try Self.host(host)
        }
    }

    private static func host(_ text: Substring) throws(EarshotError) -> Place {
        var (name, rest) = (text, Substring())
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw invalid("Its host cannot be read") }
            name = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else if let colon = text.lastIndex(of: ":") {
            (name, rest) = (text[..<colon], text[colon...])
        }
        guard !name.isEmpty, rest.isEmpty || rest.hasPrefix(":") else { throw invalid("Its host cannot be read") }
        guard !rest.isEmpty else { return .host(String(name), port: usualPort) }
        guard let port = UInt16(rest.dropFirst()), port > 0 else { throw invalid("Its port is not 1 to 65535") }
        return .host(String(name), port: port)
    }

    private static func socket(_ path: String) throws(EarshotError) -> Place {
        guard path.utf8.count > 1 else { throw invalid("It names neither a host nor a socket") }
        guard path.utf8.count <= maximumPathSize else {
            throw invalid("The path of its socket has more than the \(maximumPathSize) bytes that systems allow")
        }
        return .socket(path: path)
    }

    // The address itself is not repeated: it may hold a password.
    private static func invalid(_ reason: String) -> EarshotError {
        EarshotError(
            .requestInvalid,
            "The address of the player cannot be used. \(reason): give one such as mpd://localhost:6600 or mpd:///run/mpd/socket."
        )
    }

    /// The address without its password.
    public var description: String {
        switch place {
        case .host(let host, let port): "mpd://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .socket(let path): "mpd://\(path)"
        }
    }
}
