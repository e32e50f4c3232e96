import ArgumentParser
package import EarshotCore
import EarshotIngest
import Foundation

/// The flag of a command that prints one result.
package struct JSONOption: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON object.")
    package var json = false

    package init() {}

    /// Prints a result: the text for a person, or the members of one JSON object.
    package func print(_ text: @autoclosure () -> String, _ members: [String: JSONValue]) throws {
        Terminal.print(json ? try JSON.document(JSONValue.object(members)) : text())
    }

    /// Prints a result whose text is only a note: on standard error for a person, as one JSON object for a program.
    package func note(_ text: @autoclosure () -> String, _ members: [String: JSONValue]) throws {
        if json { try print("", members) } else { Terminal.note(text()) }
    }
}
