public import EarshotRecognition

extension ClientConfiguration {
    /// The evidence that the identification of albums may use: always file and folder names; tags, identifiers and
    /// fingerprints according to ``usesTagData``, ``usesMusicIdentifiers`` and ``usesFingerprints``.
    public var albumEvidence: AlbumEvidence {
        var evidence: AlbumEvidence = .names
        if usesTagData { evidence.insert(.tags) }
        if usesMusicIdentifiers { evidence.insert(.identifiers) }
        if usesFingerprints { evidence.formUnion([.sound, .fingerprints]) }
        return evidence
    }
}
