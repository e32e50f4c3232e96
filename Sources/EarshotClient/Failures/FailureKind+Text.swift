extension FailureKind {
    /// The languages of ``text(language:)``, as ISO 639-1 codes.
    public static let languages = ["en", "de", "es", "fr", "ja"]

    /// Returns a message for the user of an app. It depends only on the kind.
    ///
    /// - Parameter language: The language, such as `de` or `de-AT`; English if it is not in ``languages``.
    public func text(language: String = "en") -> String {
        let texts = Self.texts[self] ?? []
        let code = language.lowercased().prefix { $0 != "-" && $0 != "_" }
        let place = Self.languages.firstIndex { $0 == code } ?? 0
        return texts.indices.contains(place) ? texts[place] : rawValue
    }

    private static let format = [
        "This audio cannot be recognized: its format is invalid or not supported, or it is too short.",
        "Dieses Audio kann nicht erkannt werden: Das Format ist ungültig oder wird nicht unterstützt, oder es ist zu kurz.",
        "No se puede reconocer este audio: el formato no es válido o no se admite, o es demasiado corto.",
        "Cet audio ne peut pas être reconnu : son format est incorrect ou non pris en charge, ou il est trop court.",
        "この音声は認識できません。形式が正しくないか対応していないか、短すぎます。",
    ]

    private static let texts: [FailureKind: [String]] = [
        .fingerprintUnavailable: format,
        .fingerprintGenerationFailed: format,
        .microphoneUnavailable: [
            "The microphone is needed to record music. Close other apps that use it and try again.",
            "Zum Aufnehmen von Musik wird das Mikrofon gebraucht. Schließen Sie andere Apps, die es benutzen, und versuchen Sie es noch einmal.",
            "Se necesita el micrófono para grabar música. Cierre las otras aplicaciones que lo usan e inténtelo de nuevo.",
            "Le microphone est nécessaire pour enregistrer la musique. Fermez les autres applications qui l’utilisent et réessayez.",
            "音楽の録音にはマイクが必要です。マイクを使用しているほかのアプリを閉じて、もう一度お試しください。",
        ],
        .clientIdentifierRejected: [
            "The music identification service is unavailable.",
            "Der Dienst zur Musikerkennung ist nicht verfügbar.",
            "El servicio de identificación de música no está disponible.",
            "Le service d’identification musicale n’est pas disponible.",
            "音楽認識サービスを利用できません。",
        ],
        .networkUnavailable: [
            "A working Internet connection is required. Check the connection and try again when it is back.",
            "Es wird eine funktionierende Internetverbindung gebraucht. Prüfen Sie die Verbindung und versuchen Sie es noch einmal, wenn sie wieder besteht.",
            "Se necesita una conexión a Internet. Compruebe la conexión e inténtelo de nuevo cuando funcione.",
            "Une connexion Internet est nécessaire. Vérifiez la connexion et réessayez quand elle est rétablie.",
            "インターネット接続が必要です。接続を確認し、回復してからもう一度お試しください。",
        ],
        .serviceFailure: [
            "The request cannot be met at present. Check the Internet connection, or try again later.",
            "Die Anfrage kann derzeit nicht erfüllt werden. Prüfen Sie die Internetverbindung, oder versuchen Sie es später noch einmal.",
            "Ahora no se puede atender la petición. Compruebe la conexión a Internet o inténtelo más tarde.",
            "La demande ne peut pas être satisfaite pour le moment. Vérifiez la connexion Internet ou réessayez plus tard.",
            "現在、要求に応じることができません。インターネット接続を確認するか、後でもう一度お試しください。",
        ],
        .malformedResponse: [
            "The request failed. Try again.",
            "Die Anfrage ist fehlgeschlagen. Versuchen Sie es noch einmal.",
            "La petición ha fallado. Inténtelo de nuevo.",
            "La demande a échoué. Réessayez.",
            "要求に失敗しました。もう一度お試しください。",
        ],
        .fileAccessDenied: [
            "The file cannot be read at the moment. Try again later.",
            "Die Datei kann im Moment nicht gelesen werden. Versuchen Sie es später noch einmal.",
            "El archivo no se puede leer en este momento. Inténtelo más tarde.",
            "Le fichier ne peut pas être lu pour le moment. Réessayez plus tard.",
            "現在、ファイルを読み込めません。後でもう一度お試しください。",
        ],
        .cancelled: ["Canceled.", "Abgebrochen.", "Cancelado.", "Annulé.", "キャンセルしました。"],
        .unexpected: [
            "An error occurred. The current request could not be completed.",
            "Ein Fehler ist aufgetreten. Die Anfrage konnte nicht abgeschlossen werden.",
            "Se ha producido un error. No se ha podido completar la petición.",
            "Une erreur s’est produite. La demande n’a pas pu être terminée.",
            "エラーが発生しました。要求を完了できませんでした。",
        ],
    ]
}
