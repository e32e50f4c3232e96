import EarshotAPI
import EarshotCore
import EarshotLibrary
import EarshotRecognition
import Foundation
import Hummingbird

extension LibraryController {
    // MARK: - Lists

    /// The largest number of albums or tracks of a page.
    private static let pageLimit = 500

    var lists: [Endpoint] {
        func list(_ path: String, _ id: String, _ summary: String, _ schema: String) -> Endpoint {
            Endpoint(
                method: .get,
                path: "/v1/library/\(path)",
                id: id,
                summary: summary,
                tag: "Media",
                access: .right(.media),
                parameters: Schemas.page(limit: Self.pageLimit, default: 100),
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "A part of them.",
                        type: "application/json",
                        schema: Schemas.reference(schema)
                    ), .notFound,
                ],
                handler: { context in
                    let (offset, limit) = (
                        try context.number("offset", 0...10_000_000, default: 0),
                        try context.number("limit", 1...Self.pageLimit, default: 100)
                    )
                    return path == "albums"
                        ? try .json(try await albums(offset, limit)) : try .json(try await tracks(offset, limit))
                }
            )
        }
        return [
            list(
                "albums",
                "libraryAlbums",
                "The albums of the media folders in the order of their titles, with their tracks, as far as they are known.",
                "LibraryAlbumPage"
            ),
            list(
                "tracks",
                "libraryTracks",
                "The tracks of the media folders in the order of their titles, as far as they are known.",
                "LibraryTrackPage"
            ),
        ]
    }

    private func albums(_ offset: Int, _ limit: Int) async throws(EarshotError) -> LibraryAlbumPage {
        let media = try access.service()
        let (state, roots) = (await media.index.state(), media.roots)
        return try await media.queue.run { () throws(EarshotError) in
            let all = state.index.albums
            return LibraryAlbumPage(
                albums: all.dropFirst(offset).prefix(limit).map { album in
                    LibraryAlbumPage.Album(
                        name: album.title,
                        artist: album.artist ?? Self.common(album.tracks.map(\.artist)),
                        year: Self.common(album.tracks.map(\.year)),
                        tracks: LibraryTrack.tracks(album.tracks.prefix(Self.assetLimit), roots)
                    )
                },
                offset: offset,
                total: all.count,
                indexed: state.index.count,
                isComplete: state.isComplete
            )
        }
    }

    /// Returns the common value; `nil` if the values differ.
    private static func common<Value: Hashable>(_ values: [Value?]) -> Value? {
        let known = Set(values)
        return known.count == 1 ? known.first.flatMap(\.self) : nil
    }

    private func tracks(_ offset: Int, _ limit: Int) async throws(EarshotError) -> LibraryTrackPage {
        let media = try access.service()
        let (state, roots) = (await media.index.state(), media.roots)
        return try await media.queue.run { () throws(EarshotError) in
            let all = state.index.songs
            return LibraryTrackPage(
                tracks: LibraryTrack.tracks(all.dropFirst(offset).prefix(limit), roots),
                offset: offset,
                total: all.count,
                indexed: state.index.count,
                isComplete: state.isComplete
            )
        }
    }
}

extension LibraryTrack {
    /// Returns items as they are sent. Those without a file in a media folder are left out.
    static func tracks(_ items: some Sequence<MusicItem>, _ roots: MediaRoots) -> [LibraryTrack] {
        items.compactMap { item in
            item.assetURL.flatMap(roots.id).map { asset in
                LibraryTrack(
                    asset: asset,
                    title: item.title ?? item.fileTitle ?? item.id.rawValue,
                    artist: item.artist ?? item.albumArtist,
                    album: item.album,
                    disc: item.discNumber,
                    number: item.trackNumber,
                    duration: item.duration?.seconds
                )
            }
        }
    }
}
