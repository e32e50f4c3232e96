import EarshotCore
import Hummingbird

/// Shows the settings of the service to the operator.
struct SettingsController: Controller {
    let settings: [SettingRecord]
    /// The file of settings; `nil` if none was read.
    let file: String?

    private struct Report: Encodable {
        let settings: [SettingRecord]
        let file: String?
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/admin/settings",
                id: "settings",
                summary: "The settings as they are, each with the origin of its value. Secrets are left out.",
                tag: "Operator",
                access: .admin,
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The settings.",
                        type: "application/json",
                        schema: Schemas.reference("SettingList")
                    )
                ],
                handler: { _ in try .json(Report(settings: settings, file: file)) }
            )
        ]
    }
}
