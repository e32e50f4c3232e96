package import EarshotCore
package import Foundation

/// Conversions of records of fingerprints that all stores share.
package enum FingerprintRecord {
    /// Parses the identifier of a track or a recording.
    ///
    /// - Throws: `storeDamaged` if the text is not a UUID.
    package static func id(_ text: String) throws(EarshotError) -> UUID {
        guard let id = UUID(uuidString: text) else {
            throw EarshotError(
                .storeDamaged,
                "The store of fingerprints has a malformed identifier: restore it from a backup."
            )
        }
        return id
    }

    /// Returns the state of a submission from its record.
    ///
    /// - Parameters:
    ///   - state: 0 if it is pending, 1 if it is imported, 2 if it is rejected.
    ///   - track: The track that it belongs to; `nil` if there is none.
    ///   - fingerprint: The number of the fingerprint that it became or was counted with; `nil` in records of older
    ///     versions.
    ///   - position: The number of the last fingerprint in the index.
    package static func state(
        _ state: Int,
        track: UUID?,
        fingerprint: Int?,
        indexedThrough position: UInt64
    ) -> FingerprintSubmission.State {
        guard state != 2 else { return .refused }
        // Whoever is told that it is imported looks it up, and should find it.
        guard let track, UInt64(clamping: fingerprint ?? 0) <= position else { return .pending }
        return .imported(track)
    }

    /// Returns the error of a change that names a track which does not exist.
    package static func missing(_ track: UUID) -> EarshotError {
        EarshotError(.entityNotFound, "There is no fingerprint track \(track.text): check the identifier.")
    }
}

extension FingerprintSubmission {
    /// The submitted identifiers in other catalogs, each as `vendor:id`.
    package var foreignIDs: [String] { [foreignID, puid.map { "puid:\($0.text)" }].compactMap(\.self) }
}
