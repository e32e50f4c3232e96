public import EarshotRecognition

extension ClientConfiguration {
    /// What the identification of albums may use: names of files and folders always, the rest by three settings.
    public var albumEvidence: AlbumEvidence {
        var evidence: AlbumEvidence = .names
        if usesTagData { evidence.insert(.tags) }
        if usesMusicIdentifiers { evidence.insert(.identifiers) }
        if usesFingerprints { evidence.formUnion([.sound, .fingerprints]) }
        return evidence
    }
}
