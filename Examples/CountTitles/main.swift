import EarshotCore
import EarshotLibrary
import Foundation

// Counts the titles of a folder that hold a text, as a text anywhere and as words of their own. The scan goes on in the background;
// each file is read once.
let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first else {
    FileHandle.standardError.write(Data("usage: CountTitles FOLDER [TEXT]\n".utf8))
    exit(2)
}
let text = arguments.dropFirst().first ?? "the"
let library = FolderLibrary(URL(fileURLWithPath: folder, isDirectory: true))
do {
    for try await event in library.scan() {
        for entry in event.logEntries { print(entry) }
    }
    let index = await library.index.snapshot
    print("\(index.count(TitleTest(text))) titles hold \"\(text)\"")
    print("\(index.count(TitleTest(text, .wholeWords))) titles hold it as words of their own")
} catch let error as EarshotError {
    FileHandle.standardError.write(Data((error.message + "\n").utf8))
    exit(1)
}
