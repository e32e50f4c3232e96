import ArgumentParser
import Foundation

/// The flag of a command that prints one result.
struct JSONOption: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    /// Prints a result: the text for a person, or the members of one JSON object.
    func say(_ text: @autoclosure () -> String, _ members: [String: JSONTree]) throws {
        Console.say(json ? try JSON.document(JSONTree.object(members)) : text())
    }

    /// Prints a result whose text is only a note: on standard error for a person, as one JSON object for a program.
    func note(_ text: @autoclosure () -> String, _ members: [String: JSONTree]) throws {
        if json { try say("", members) } else { Console.note(text()) }
    }
}
