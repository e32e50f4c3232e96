public import EarshotRecognition

extension ClientConfiguration {
    /// The evidence that the identification of albums may use: always names of files and folders; tags, identifiers and
    /// fingerprints by three settings.
    public var albumEvidence: AlbumEvidence {
        var evidence: AlbumEvidence = .names
        if usesTagData { evidence.insert(.tags) }
        if usesMusicIdentifiers { evidence.insert(.identifiers) }
        if usesFingerprints { evidence.formUnion([.sound, .fingerprints]) }
        return evidence
    }
}
