import EarshotCatalogs
import EarshotCore
import EarshotTimedContent
import Testing

@Suite("Questions of timed content")
struct TimedEntryQuestionTests {
    private static func entry(_ payload: [String: PropertyValue], requiresAnswer: Bool = false) -> TimedEntry {
        TimedEntry(
            id: "q",
            title: "How many apples?",
            start: at(9),
            end: at(24),
            answerRange: at(10)..<at(24),
            requiresAnswer: requiresAnswer,
            payload: payload
        )
    }

    @Test("An entry is a question if it requires an answer, or has choices or a right answer")
    func questions() {
        #expect(!Self.entry([:]).isQuestion)
        #expect(!Self.entry(["picture": "/a.png"]).isQuestion)
        #expect(Self.entry([:], requiresAnswer: true).isQuestion)
        #expect(Self.entry(["choices": ["4", "5"]]).isQuestion)
        #expect(Self.entry(["answer": 5]).isQuestion)
    }

    @Test("One of several choices is right, and more than one is not")
    func oneChoice() {
        let entry = Self.entry(["choices": ["4", "5"], "answer": "5"])
        #expect(entry.choices == ["4", "5"] && !entry.allowsSeveralChoices)
        #expect(entry.isRight(["5"]) == true)
        #expect(entry.isRight(["4"]) == false)
        #expect(entry.isRight(["4", "5"]) == false)
        #expect(entry.isRight([]) == false)
    }

    @Test("Of several right choices all have to be chosen, in any order")
    func severalChoices() {
        let entry = Self.entry(["choices": ["red", "green", "blue"], "several": true, "answer": ["red", "green"]])
        #expect(entry.allowsSeveralChoices)
        #expect(entry.isRight(["green", "red"]) == true)
        #expect(entry.isRight(["red"]) == false)
        #expect(entry.isRight(["red", "green", "blue"]) == false)
    }

    @Test("An answer in words is compared without case and white space around it; numbers are written as people do")
    func words() {
        let entry = Self.entry(["answer": ["Ada Lovelace", "Lovelace"]])
        #expect(entry.choices.isEmpty)
        #expect(entry.isRight([" lovelace\n"]) == true)
        #expect(entry.isRight(["Ada"]) == false)
        #expect(entry.isRight([]) == false)
        #expect(Self.entry(["answer": 5]).rightAnswers == ["5"])
        #expect(Self.entry(["answer": .real(5)]).isRight(["5"]) == true)
        #expect(Self.entry(["answer": .real(2.5)]).rightAnswers == ["2.5"])
    }

    @Test("Without a right answer nobody says whether an answer is right")
    func unknown() {
        #expect(Self.entry(["choices": ["4", "5"]]).isRight(["4"]) == nil)
        #expect(Self.entry([:], requiresAnswer: true).isRight(["4"]) == nil)
    }
}
