import ArgumentParser
import CommandKit
import EarshotCore
import RecognitionCommands

#if Library
    import LibraryCommands
#endif
#if Service
    import ServiceCommands
#endif

/// Looks at all that this build of the command can use.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check this machine: libraries, formats, microphone, disk, database, service.",
        discussion: """
            Each line is ok, advice (something that not everybody needs), MISSING, or - for what is not set up; below it stands \
            what to do. Ends with 1 if something that is needed is missing. Changes nothing.

            EXAMPLES
              earshot doctor
              earshot doctor --json
              earshot doctor --config /etc/earshot/service.json --server https://music.example
            """
    )

    #if Service
        @OptionGroup var service: ServiceCheckup
    #endif

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    func run() async throws {
        var findings = await MachineCheckup.findings()
        #if Library
            findings += LibraryCheckup.findings()
        #endif
        #if Service
            findings += await service.findings()
        #endif
        let diagnosis = Diagnosis(findings)
        Terminal.print(json ? try JSON.document(diagnosis) : diagnosis.text)
        guard diagnosis.isComplete else { throw ExitCode.failure }
    }
}
