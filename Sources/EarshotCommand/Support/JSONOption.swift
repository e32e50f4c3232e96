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
}
