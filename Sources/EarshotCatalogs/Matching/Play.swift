public import EarshotCore

/// A stretch of a recording in which a reference is heard.
///
/// Reference time = ``offset`` + (1 + ``speedSkew``) · recording time. Plays may overlap: music under speech, one song
/// faded into the next, two songs at once.
public struct Play: Hashable, Sendable {
    /// The reference's name in its catalog.
    public let id: ReferenceID
    /// The media items that apply to the part that is heard: first those whose time ranges overlap ``referenceRange``, the
    /// one whose range began last first, then those without time ranges. Items limited to other times or to other frequency
    /// skews are left out. An item without properties if all items are limited to other times.
    public let items: [MediaItem]
    /// All items of the reference, whatever part is heard.
    package let referenceItems: [MediaItem]
    /// How long the reference is.
    public let referenceDuration: MediaTime
    /// Where in the reference the recording's first instant would fall; below zero when the recording begins earlier.
    public let offset: MediaTime
    /// The stretch of the recording.
    public let recordingRange: Range<MediaTime>
    /// The part of the reference that is heard.
    public let referenceRange: Range<MediaTime>
    /// How much faster than the reference the recording plays: 0.05 is 5 % fast.
    public let speedSkew: Double
    /// How much higher than the reference the recording sounds: 0.05 is 105 Hz for 100 Hz.
    public let pitchSkew: Double
    /// Evidence against chance over the whole play; the longer and the clearer, the higher. Compares plays.
    public let score: Double
    /// How sure the play is, from 0 to 1.
    public let confidence: Double
    /// Further offsets at which the same stretch fits, because the reference repeats itself; best first.
    public let alternatives: [MediaTime]
    /// The reference of a surer play that the same audio explains as well: the recording is in the catalog twice, or on
    /// an album and in a mix. Nothing for a play that stands for audio of its own.
    public internal(set) var duplicateOf: ReferenceID?

    /// Creates a play.
    ///
    /// - Parameter items: All items of the reference; ``items`` has those that apply.
    package init(
        id: ReferenceID,
        items: [MediaItem],
        referenceDuration: MediaTime,
        offset: MediaTime,
        recordingRange: Range<MediaTime>,
        referenceRange: Range<MediaTime>,
        speedSkew: Double = 0,
        pitchSkew: Double = 0,
        score: Double = 0,
        confidence: Double,
        alternatives: [MediaTime] = [],
        duplicateOf: ReferenceID? = nil
    ) {
        self.id = id
        referenceItems = items
        self.items = items.applying(to: referenceRange, pitchSkew: pitchSkew)
        self.referenceDuration = referenceDuration
        self.offset = offset
        self.recordingRange = recordingRange
        self.referenceRange = referenceRange
        self.speedSkew = speedSkew
        self.pitchSkew = pitchSkew
        self.score = score
        self.confidence = confidence
        self.alternatives = alternatives
        self.duplicateOf = duplicateOf
    }
}
