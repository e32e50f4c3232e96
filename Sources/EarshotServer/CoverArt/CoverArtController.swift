import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Serves covers under the paths of the Cover Art Archive.
struct CoverArtController: Controller {
    let music: any MusicStore
    let addresses: SignedContentAddresses

    /// The paths have no version, as at the archive, so that its clients need only change the host.
    var endpoints: [Endpoint] {
        [
            listing(of: .musicBrainzRelease, "release", id: "coverArtOfRelease"),
            picture(of: .musicBrainzRelease, "release", id: "pictureOfRelease"),
            listing(of: .musicBrainzReleaseGroup, "release-group", id: "coverArtOfReleaseGroup"),
            picture(of: .musicBrainzReleaseGroup, "release-group", id: "pictureOfReleaseGroup"),
        ]
    }

    private func listing(of scheme: MusicIdentifier.Scheme, _ path: String, id: String) -> Endpoint {
        Endpoint(
            method: .get,
            path: "/\(path)/{id}",
            id: id,
            summary: """
                The pictures that there are of a \(words(path)), in the form of the Cover Art Archive. The operator decides \
                whether a token is needed.
                """,
            tag: "Cover art",
            access: .covers,
            module: .music,
            entitlement: .coverArt,
            parameters: [identifier(path)],
            responses: [
                Endpoint.Response(
                    status: 200,
                    summary: "The pictures.",
                    type: "application/json",
                    schema: Schemas.reference("CoverArtListing")
                ), .notFound,
            ],
            handler: { context in
                let release = try await CoverArtRelease.find(try mbid(scheme, context), in: music)
                return try .json(CoverArtListing(release, base: context.base))
            }
        )
    }

    private func picture(of scheme: MusicIdentifier.Scheme, _ path: String, id: String) -> Endpoint {
        Endpoint(
            method: .get,
            path: "/\(path)/{id}/{picture}",
            id: id,
            summary: """
                Leads to a picture of a \(words(path)), as it is kept or with a longest side of 250, 500 or 1200 pixels. \
                Smaller pictures are not blown up.
                """,
            tag: "Cover art",
            access: .covers,
            module: .music,
            entitlement: .coverArt,
            parameters: [
                identifier(path),
                Endpoint.Parameter(
                    name: "picture",
                    place: .path,
                    schema: [
                        "type": "string",
                        "pattern": "^(front|back|[0-9]{1,19})(-(250|500|1200))?([.](jpg|jpeg|png|gif|webp|bmp))?$",
                    ],
                    summary:
                        "front, back, or the number of a picture in the list; behind it perhaps a size: front-500.",
                    isRequired: true
                ),
            ],
            responses: [
                Endpoint.Response(status: 307, summary: "Where the picture is: an address that holds for a while."),
                .notFound,
            ],
            handler: { context in
                let identifier = try mbid(scheme, context)
                let text = try context.path("picture")
                guard let name = CoverArtName(text) else {
                    throw EarshotError(
                        .requestInvalid,
                        "\"\(text.prefix(80))\" names no picture: say front, back or a number of the list, perhaps with -250, -500 or -1200."
                    )
                }
                let release = try await CoverArtRelease.find(identifier, in: music)
                guard let picture = release.entry(name.choice)?.picture else {
                    throw EarshotError(
                        .entityNotFound,
                        "\(identifier.value) has no picture \(text.prefix(80)): ask for the list of its pictures."
                    )
                }
                let reference: ContentReference =
                    if let side = name.side { .scaled(picture.id, side: side) } else { .original(picture.id) }
                let address = addresses.reached(at: context.base).address(of: reference)
                return Response(
                    status: .temporaryRedirect,
                    headers: [.location: address, .contentLength: "0"]
                )
            }
        )
    }

    private func words(_ path: String) -> String { path.replacing("-", with: " ") }

    private func identifier(_ path: String) -> Endpoint.Parameter {
        Endpoint.Parameter(
            name: "id",
            place: .path,
            schema: ["type": "string", "format": "uuid"],
            summary: "The identifier of the \(words(path)) at MusicBrainz.",
            isRequired: true
        )
    }

    private func mbid(_ scheme: MusicIdentifier.Scheme, _ context: RequestContext) throws(EarshotError)
        -> MusicIdentifier
    {
        let text = try context.path("id")
        guard let identifier = MusicIdentifier(scheme, text) else {
            throw EarshotError(
                .requestInvalid,
                "\"\(text.prefix(80))\" is no identifier of MusicBrainz: it has 32 hexadecimal digits in five groups."
            )
        }
        return identifier
    }
}
