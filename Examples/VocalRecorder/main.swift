import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

// Opens a piece to sing over: fetches its sound, finds its key, and lists the pitches that the tuner of a vocal recorder may use.
//
//   VocalRecorder ADDRESS [KEY]
//
// ADDRESS is what the system opens the app with: piece-vocals://open?id=…. With another KEY, such as "D major", the sound would be shifted to it.
// EARSHOT_SERVER is the address of a service and EARSHOT_CLIENT what its operator gave for the app `vocals`.
let arguments = Array(CommandLine.arguments.dropFirst())
let environment = ProcessInfo.processInfo.environment
guard let address = arguments.first.flatMap({ URL(string: $0) }) else { fail("usage: VocalRecorder ADDRESS [KEY]") }
guard let service = environment["EARSHOT_SERVER"].flatMap({ URL(string: $0) }) else {
    fail("name a service with EARSHOT_SERVER")
}
let wanted = arguments.dropFirst().first.map { name in
    guard let key = Tonality(name: name) else { fail("\(name) is no name of a key") }
    return key
}

do {
    let studio = Studio()
    let client = try PieceClient.setUp(
        PieceClient.Configuration(
            applicationIdentifier: "vocals",
            apiKey: environment["EARSHOT_CLIENT"],
            service: service,
            receiver: studio
        )
    )
    // Handlers of several libraries can be asked one after the other.
    guard client.handle(address) else { fail("\(address.absoluteString) is not for this app") }
    let opened = try await studio.piece()
    let session = try await VocalSession(opened, wanted: wanted)
    for line in session.lines { print(line) }
    // What is published next is based on it, unless its user says otherwise.
    print("The next piece is based on \(client.nextDraftParents.map(\.description).joined(separator: ", ")).")
} catch let error as EarshotError {
    fail(error.message)
} catch {
    fail("\(error)")
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("VocalRecorder: \(message)\n".utf8))
    exit(1)
}
