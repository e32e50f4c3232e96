package import EarshotRecognition

extension Entitlement {
    /// What decides over the content of answers about music.
    package static let ofMusic: [Entitlement] = [
        .coverArt, .artistImages, .biographies, .reviews, .mood, .tempo, .links,
    ]
}
