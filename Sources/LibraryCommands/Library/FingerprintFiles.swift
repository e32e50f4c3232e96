/// The names of the files of fingerprints beside a database of music.
package enum FingerprintFiles {
    package static let storeName = "fingerprints.sqlite"
    package static let indexName = "fingerprints"
}
