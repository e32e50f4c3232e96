public import EarshotRecognition

extension Entitlement {
    /// What decides over the content of answers about music.
    public static let ofMusic: [Entitlement] = [
        .coverArt, .artistImages, .biographies, .reviews, .mood, .tempo, .links,
    ]
}
