package import EarshotCore
import EarshotFingerprints
import EarshotMedia
import EarshotMusic
package import EarshotRecognition
import EarshotSignatures

/// Reads what a file says of itself: tags, length, names, and what its beginning sounds like.
package struct AttributeReader: Sendable {
    /// The beginning of a file that is listened to, in seconds.
    package static let listened = MediaTime(value: 20, timescale: 1)

    /// The kinds of evidence that are read. Without ``AlbumEvidence/sound`` and ``AlbumEvidence/fingerprints`` no file
    /// is decoded.
    package var evidence: AlbumEvidence

    /// A reader.
    public init(_ evidence: AlbumEvidence = .all) { self.evidence = evidence }

    /// Reads the attributes of a file: its tags, and the sound of its beginning.
    ///
    /// Of a file that cannot be decoded but has tags, only the tags are returned.
    ///
    /// - Throws: `noAudioStream` for a file with neither sound nor tags; `cancelled`; an error of reading.
    package func attributes(of file: MusicFolder.File) async throws(EarshotError) -> FileAttributes {
        var attributes = FileAttributes(id: file.id)
        attributes.path = file.path
        let asset = try await Asset.load(file.url)
        describe(asset, in: &attributes)
        guard !asset.streams.isEmpty || !asset.tags.isEmpty else {
            throw EarshotError(.noAudioStream, "\(file.id) has neither sound nor tags: leave it out.")
        }
        // The sound of a film is not the recording that albums hold.
        if !asset.streams.isEmpty, !asset.hasVideo {
            do {
                if evidence.contains(.sound) { attributes.signature = try await signature(of: file) }
                if evidence.contains(.fingerprints) { attributes.fingerprint = try await fingerprint(of: file) }
            } catch  where error.code != .cancelled && !asset.tags.isEmpty {
                // Tags are better than nothing.
            }
        }
        return attributes.limited(to: evidence)
    }

    private func fingerprint(of file: MusicFolder.File) async throws(EarshotError) -> String? {
        do throws(EarshotError) {
            return try await FileFingerprint(contentsOf: file.url).text
        } catch  where error.code == .signatureInvalid {
            // A jingle of two seconds has none.
            return nil
        }
    }

    private func describe(_ asset: Asset, in attributes: inout FileAttributes) {
        if asset.duration.isNumeric, asset.duration > .zero { attributes.duration = asset.duration }
        var values: [String: String] = [:]
        for name in asset.tags.names { values[name] = asset.tags[name] }
        let tags = TrackTags(values)
        attributes.title = tags.title
        attributes.artist = tags.ownArtist
        attributes.albumArtist = tags.albumArtist
        attributes.album = tags.album
        attributes.genre = tags.genre
        (attributes.trackNumber, attributes.trackCount) = tags.place
        (attributes.discNumber, attributes.discCount) = tags.disc
        attributes.date = tags.date
        attributes.isCompilation = tags.isCompilation
        attributes.identifiers = tags.identifiers
    }

    /// Reads the attributes of an item, and the sound of its beginning if it can be listened to.
    ///
    /// - Throws: `cancelled`.
    package func attributes(of item: some LibraryItem) async throws(EarshotError) -> FileAttributes {
        var attributes = item.attributes
        if evidence.contains(.sound), attributes.signature == nil {
            do throws(EarshotError) {
                if let source = try await item.audio() {
                    attributes.signature = try await signature(of: source, named: attributes.id)
                }
            } catch  where error.code != .cancelled {
                // What the library says of it is better than nothing.
            }
        }
        return attributes.limited(to: evidence)
    }

    private func signature(of file: MusicFolder.File) async throws(EarshotError) -> Signature? {
        try await signature(of: try await AssetReader(file.url), named: file.id)
    }

    private func signature(of source: some AudioSource, named name: String) async throws(EarshotError) -> Signature? {
        do {
            var generator = SignatureGenerator()
            for try await block in source {
                try generator.append(block.buffer)
                if generator.duration >= Self.listened { break }
            }
            let signature = generator.signature()
            return signature.isEmpty ? nil : signature
        } catch let error as EarshotError {
            throw error
        } catch is CancellationError {
            throw EarshotError(.cancelled, "Reading \(name) was canceled.")
        } catch {
            throw EarshotError(.readFailed, "\(name) cannot be read (\(error)): check the file.", cause: error)
        }
    }
}
