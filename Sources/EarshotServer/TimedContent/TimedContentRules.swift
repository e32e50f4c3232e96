import EarshotCatalogs
import EarshotCore
import EarshotTimedContent

/// The rules for timed content that pages can show: pictures and questions in the payload of an entry.
///
/// | member | meaning |
/// |---|---|
/// | `picture` | an address of the service that begins with `/`, or `data:image/…;base64,…` |
/// | `alternative` | a description of the picture, for those who do not see it |
/// | `choices` | the answers to choose from, as texts; without them an answer is text |
/// | `several` | `true` if several of them may be chosen |
/// | `answer` | the right answer, or an array of them; without it every answer counts |
enum TimedContentRules {
    /// The most bytes of a picture that is embedded in the content.
    private static let pictureLimit = 300_000
    private static let mostChoices = 20
    private static let pictureTypes = ["png", "jpeg", "webp", "gif"]

    /// Refuses content that pages could not show.
    ///
    /// - Throws: `timelineInvalid`, naming the entry and the remedy.
    static func check(_ timeline: Timeline) throws(EarshotError) {
        for entry in timeline.entries {
            do throws(EarshotError) {
                try checkPicture(entry.payload["picture"])
                try checkQuestion(entry.payload)
                for part in entry.parts { try checkPicture(part.payload["picture"]) }
            } catch {
                throw EarshotError(error.code, "The entry \"\(entry.id.prefix(80))\" \(error.message)")
            }
        }
    }

    private static func checkPicture(_ value: PropertyValue?) throws(EarshotError) {
        guard let value else { return }
        guard let address = value.string else { throw fault("has a picture that is no text: give its address.") }
        if isOwn(address) { return }
        guard pictureTypes.contains(where: { address.hasPrefix("data:image/\($0);base64,") }) else {
            throw fault(
                "shows a picture of another host: pages load pictures of their own service alone. Give an address that begins with "
                    + "/, or put the picture in as data:image/png;base64,…"
            )
        }
        guard address.utf8.count <= pictureLimit else {
            throw fault("has a picture of more than \(pictureLimit / 1_000) kB: make it smaller.")
        }
        let data = address.utf8.drop { $0 != UInt8(ascii: ",") }.dropFirst()
        guard data.allSatisfy(isBase64) else { throw fault("has a picture that is not Base64: encode it anew.") }
    }

    /// Returns `true` if a browser would resolve an address to the service itself.
    private static func isOwn(_ address: String) -> Bool {
        address.hasPrefix("/") && !address.hasPrefix("//") && address.utf8.count <= 2_000
            && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    private static func checkQuestion(_ payload: [String: PropertyValue]) throws(EarshotError) {
        guard let value = payload["choices"] else { return }
        let choices = value.array?.compactMap(\.string) ?? []
        guard (2...mostChoices).contains(choices.count), choices.count == value.array?.count,
            Set(choices).count == choices.count, !choices.contains("")
        else {
            throw fault("has choices that cannot be told apart: give 2 to \(mostChoices) texts, each once.")
        }
        guard let answer = payload["answer"] else { return }
        let right = answer.array?.compactMap(\.string) ?? [answer.string].compactMap(\.self)
        guard !right.isEmpty, right.allSatisfy(choices.contains) else {
            throw fault("has an answer that is none of its choices: write it as it stands there.")
        }
        guard payload["several"]?.boolean == true || right.count == 1 else {
            throw fault("has \(right.count) right answers, of which one can be chosen: set several, or name one.")
        }
    }

    private static func fault(_ message: String) -> EarshotError { EarshotError(.timelineInvalid, message) }
}
