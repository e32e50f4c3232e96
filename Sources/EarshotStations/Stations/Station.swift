public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore

/// A station for a monitor to follow.
public struct Station: Sendable {
    /// The station as its records name it.
    public var channel: PlayChannel
    /// The catalog to search.
    public var catalog: Catalog
    /// The settings for tracking it.
    public var options: StationTracker.Options
    /// `true` if the station ends with its source, as for a file that is processed like a live stream.
    public var isFinite: Bool
    /// `true` to save state for a restart. `false` for a source that starts anew with each run, at the same dates.
    public var keepsState = true
    /// The observers that also receive its audio.
    public var taps: [any StationObserver]
    /// Opens the source. It is called again, after a pause, when a source that is not finite ends or fails.
    public var open: @Sendable () async throws -> any AudioSource

    /// Creates a station.
    ///
    /// - Parameters:
    ///   - channel: The station as its records name it.
    ///   - catalog: The catalog to search.
    ///   - options: The settings for tracking it.
    ///   - isFinite: `true` if the station ends when its source ends or fails.
    ///   - taps: The observers that also receive its audio.
    ///   - open: Opens the source.
    public init(
        channel: PlayChannel,
        catalog: Catalog,
        options: StationTracker.Options = .init(),
        isFinite: Bool = false,
        taps: [any StationObserver] = [],
        open: @escaping @Sendable () async throws -> any AudioSource
    ) {
        self.channel = channel
        self.catalog = catalog
        self.options = options
        self.isFinite = isFinite
        self.taps = taps
        self.open = open
    }
}
