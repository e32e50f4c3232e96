package import EarshotCore
package import Foundation

/// The form of records of fingerprints that all stores share.
package enum FingerprintRecord {
    /// The id of a track or a recording.
    ///
    /// - Throws: `storeDamaged` for a text that is none.
    package static func id(_ text: String) throws(EarshotError) -> UUID {
        guard let id = UUID(uuidString: text) else {
            throw EarshotError(
                .storeDamaged,
                "The store of fingerprints has a malformed identifier: restore it from a backup."
            )
        }
        return id
    }

    /// The state of a submission.
    ///
    /// - Parameters:
    ///   - state: 0 if it waits, 1 if it is imported, 2 if it is refused.
    ///   - track: The track that it belongs to.
    ///   - fingerprint: The fingerprint that it became or was counted with; `nil` if that was not noted, as by older versions.
    ///   - position: The number of the last fingerprint that the index has.
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

    /// The failure of a change that names a track which is not there.
    package static func missing(_ track: UUID) -> EarshotError {
        EarshotError(.entityNotFound, "There is no fingerprint track \(track.text): check the identifier.")
    }
}

extension FingerprintSubmission {
    /// The identifiers that it was said to have elsewhere, each as `vendor:id`.
    package var foreignIDs: [String] { [foreignID, puid.map { "puid:\($0.text)" }].compactMap(\.self) }
}
