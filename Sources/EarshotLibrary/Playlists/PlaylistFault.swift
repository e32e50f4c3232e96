import EarshotCore

/// The errors for playlists that cannot be read.
enum PlaylistFault {
    static func tooMany(_ limit: Int, _ name: String, line: Int) -> EarshotError {
        EarshotError(
            .metadataInvalid,
            "\(name), line \(line): there are more than \(limit) entries: divide the playlist."
        )
    }

    static func address(_ text: some StringProtocol, _ name: String, line: Int) -> EarshotError {
        EarshotError(
            .metadataInvalid,
            "\(name), line \(line): \"\(text.prefix(80))\" is no path and no address: correct it there."
        )
    }

    static func cancelled(_ name: String) -> EarshotError {
        EarshotError(.cancelled, "Reading \(name) was canceled; begin it anew.")
    }
}
