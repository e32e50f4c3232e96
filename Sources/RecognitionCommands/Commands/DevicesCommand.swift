import ArgumentParser
import CommandKit
import Earshot

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the devices that sound can be captured from.",
        discussion: """
            The default device stands first and is marked. A monitor gives what an output plays.

            EXAMPLES
              earshot devices
              earshot devices --json
            """
    )

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    private struct Description: Encodable {
        let id: String
        let name: String
        let system: String
        let isDefault: Bool
        let isMonitor: Bool?

        init(_ device: CaptureDevice) {
            id = device.id
            name = device.name
            system = device.system.rawValue
            isDefault = device.isDefault
            isMonitor = device.isMonitor
        }
    }

    func run() async throws {
        let devices = await CaptureDevice.all()
        if json { return Terminal.print(try JSON.document(["devices": devices.map(Description.init)])) }
        guard !devices.isEmpty else {
            return Terminal.note(
                "There are no capture devices: connect a microphone and check that a sound server runs (`pactl info`)."
            )
        }
        let width = devices.map(\.name.count).max() ?? 0
        for device in devices {
            let name = device.name + String(repeating: " ", count: width - device.name.count)
            let monitor = device.isMonitor == true ? Terminal.dim("  (monitor)") : ""
            Terminal.print("\(device.isDefault ? "*" : " ") \(name)  \(device.id)\(monitor)")
        }
    }
}
