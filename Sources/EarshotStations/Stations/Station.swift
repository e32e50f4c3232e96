public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore

/// A station that a monitor follows.
public struct Station: Sendable {
    /// The station as its records name it.
    public var channel: PlayChannel
    /// The catalog to search.
    public var catalog: Catalog
    /// The settings for tracking it.
    public var options: StationTracker.Options
    /// `true` if the end of the source, or its failure, is the end of the station: a file that is heard as if it were
    /// live.
    public var isFinite: Bool
    /// `true` if what has to be known after a restart is kept; not for a source that begins anew with each run, at the
    /// same dates.
    public var keepsState = true
    /// The observers that also receive its audio.
    public var taps: [any StationObserver]
    /// Opens the source. It is asked again, after a pause, when a source that is not finite ends or fails.
    public var open: @Sendable () async throws -> any AudioSource

    /// A station.
    ///
    /// - Parameters:
    ///   - channel: The station as its records name it.
    ///   - catalog: The catalog to search.
    ///   - options: The settings for tracking it.
    ///   - isFinite: `true` if the end of the source, or its failure, is the end of the station.
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
