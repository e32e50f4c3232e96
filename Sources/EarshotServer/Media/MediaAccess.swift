import EarshotCore
import Foundation

/// Access to the media folders, which a service may not have.
struct MediaAccess: Sendable {
    let media: MediaService?

    /// Returns the service of the media folders.
    ///
    /// - Throws: `entityNotFound` if there are none.
    func service() throws(EarshotError) -> MediaService {
        guard let media else {
            throw EarshotError(
                .entityNotFound,
                "This service has no media folders: its operator can name them with --media-root NAME=DIR."
            )
        }
        return media
    }

    /// Returns the queue of exports.
    ///
    /// - Throws: `entityNotFound` if the service exports nothing.
    func exports() throws(EarshotError) -> ExportQueue {
        guard let exports = try service().exports else {
            throw EarshotError(
                .entityNotFound,
                "This service has no folder for exports: its operator can name one with --export-folder DIR."
            )
        }
        return exports
    }
}

extension Endpoint.Parameter {
    /// A file of a media folder.
    static var asset: Endpoint.Parameter {
        Endpoint.Parameter(
            name: "id",
            place: .path,
            schema: ["type": "string", "minLength": 1, "maxLength": .integer(MediaPath.maximumSize)],
            summary:
                "The file: the name of a media folder and the path below it, with each slash as %2F: music%2FAlbum%2F01.flac.",
            isRequired: true
        )
    }
}

extension RequestContext {
    /// Returns the identifier of an asset in the path, unescaped. ``MediaPath`` must check it.
    func assetID() throws(EarshotError) -> String {
        guard let text = pathParameter("id"), text.utf8.count <= 3 * MediaPath.maximumSize,
            let decoded = text.removingPercentEncoding
        else { throw EarshotError(.requestInvalid, "The path has no valid identifier of an asset: write it in UTF-8.") }
        return decoded
    }
}
