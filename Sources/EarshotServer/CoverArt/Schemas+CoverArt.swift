import EarshotCore

extension Schemas {
    /// The schemas of the pictures of a release, in the form of the Cover Art Archive.
    static var coverArt: [String: JSONValue] {
        let addresses = (CoverArtName.sides.map { String($0) } + ["small", "large"]).map { ($0, text) }
        return [
            "CoverArtImage": object([
                ("id", described(text, "The number of the picture in addresses.")),
                ("types", ["type": "array", "items": choice(["Front", "Back"])]),
                ("front", described(truth, "Whether it is the cover that front leads to.")), ("back", truth),
                ("edit", described(integer, "0: there are no edits here.")),
                ("image", described(text, "The address of the picture as it is kept.")),
                ("comment", described(text, "Who made it, and under which license; shown with it.")),
                ("approved", truth),
                ("thumbnails", described(object(addresses), "Addresses by the longest side in pixels.")),
            ]),
            "CoverArtListing": object([
                ("release", described(text, "The release at MusicBrainz.")), ("images", list("CoverArtImage")),
            ]),
        ]
    }
}
