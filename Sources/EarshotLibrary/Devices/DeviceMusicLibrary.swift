#if canImport(MediaPlayer) && os(iOS)
    public import EarshotCore
    import Foundation
    import MediaPlayer

    /// The media library of this Apple device, read-only.
    ///
    /// An item that is in a cloud, or protected, has no address. The app says in its `Info.plist`, under
    /// `NSAppleMusicUsageDescription`, what it reads the library for.
    public struct DeviceMusicLibrary: MusicLibrary {
        /// Creates the library. Access is not checked before the first call.
        public init() {}

        /// Returns all items except videos, in the system's order. The first call asks the user for permission.
        ///
        /// - Throws: `libraryAccessDenied` if the user denies access, or the device restricts it.
        public func items() async throws(EarshotError) -> [MusicItem] {
            guard await MPMediaLibrary.requestAuthorization() == .authorized else {
                throw EarshotError(
                    .libraryAccessDenied,
                    "The music library of this device may not be read: allow it in the system's settings, under privacy."
                )
            }
            return try await BlockingWork.run { () throws(EarshotError) in
                (MPMediaQuery().items ?? []).filter { $0.mediaType.isDisjoint(with: .anyVideo) }.map(MusicItem.init)
            }
        }
    }

    extension MusicItem {
        fileprivate init(_ item: MPMediaItem) {
            let time = MediaTime(seconds: item.playbackDuration, preferredTimescale: 1_000)
            let released = item.releaseDate.map { Calendar(identifier: .gregorian).component(.year, from: $0) }
            self.init(
                id: ItemID(library: "device", key: "\(item.persistentID)"),
                assetURL: item.hasProtectedAsset ? nil : item.assetURL,
                kind: item.mediaType.contains(.podcast)
                    ? .podcast : item.mediaType.contains(.audioBook) ? .audiobook : .song,
                title: item.title,
                artist: item.artist,
                album: item.albumTitle,
                albumArtist: item.albumArtist,
                composer: item.composer,
                genre: item.genre,
                discNumber: item.discNumber,
                trackNumber: item.albumTrackNumber,
                year: released,
                duration: time
            )
        }
    }
#endif
