package import EarshotCore

extension Backoff {
    /// The pauses after failed downloads: 1, 2, 4 … 300 s, each up to a fifth longer or shorter.
    package static let downloads = Backoff(cap: MediaTime(value: 300, timescale: 1), jitter: 0.8...1.2)
}
