public import EarshotCatalogs
public import Foundation

extension StationTracker {
    /// The settings for tracking a station and writing records.
    public struct Options: Hashable, Sendable {
        /// The method of dating audio.
        public enum Dates: Hashable, Sendable {
            /// By the time of arrival.
            case arrival
            /// By the position in the stream: a recording whose first sample was heard at this date, however fast it is
            /// read.
            case since(Date)
        }

        /// The settings of the play tracker.
        public var following: PlayTracker.Options
        /// `true` if references of more than 20 s and up to 70 s are advertisements unless their item states a kind;
        /// otherwise they are songs.
        public var isForSpots: Bool
        /// The shortest play of a reference of up to 70 s that is logged, in seconds.
        public var shortestSpot: Double
        /// The shortest play of a longer reference that is logged, in seconds.
        public var shortestSong: Double
        /// The interval at which the record of a running play is written again, in seconds.
        public var rewriteInterval: Double
        /// The shortest break that is logged as a gap, in seconds. A shorter one counts as silence.
        public var shortestGap: Double
        /// The method of dating audio.
        public var dates: Dates
        /// Your own text for the records of references that have none; `nil` for none.
        public var callerRef: String?

        /// Creates the options for a music station: songs are recorded from 8 s, items of up to 70 s from 2.5 s.
        public init() {
            following = PlayTracker.Options()
            isForSpots = false
            (shortestSpot, shortestSong) = (2.5, 8)
            (rewriteInterval, shortestGap) = (15, 2)
            dates = .arrival
        }

        /// Options for consecutive advertisements and jingles. They take about twice the time.
        public static let spots: Options = {
            var options = Options()
            options.following = .spots
            options.isForSpots = true
            return options
        }()
    }
}
