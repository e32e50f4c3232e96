/// Conversion of country and language codes between their forms.
package enum ISOCodes {
    /// Every current code of ISO 3166-1 alpha-3, sorted.
    package static let countries = Array(alpha3ByAlpha2.values).sorted()

    /// The ISO 3166-1 alpha-3 code of a country: of that code itself (`JPN`), of the alpha-2 code (`JP`) and of the region
    /// in a BCP 47 tag (`ja-JP`), in any case.
    ///
    /// - Returns: `nil` if the text is no current code.
    package static func country(_ text: String) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        let parts = text.uppercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        // A tag begins with a language, which may look like a country: `de-AT` is Austria.
        for part in parts.count > 1 ? parts.dropFirst() : parts[...] {
            if let code = alpha3ByAlpha2[part] { return code }
            if part.utf8.count == 3, countrySet.contains(part) { return part }
        }
        return nil
    }

    /// The ISO 639-3 code of a language: of that code (`deu`), of the bibliographic one (`ger`), of the two-letter one
    /// (`de`) and of a BCP 47 tag (`de-AT`), in any case. Three letters that are none of these are taken as a code.
    ///
    /// - Returns: `nil` if the text cannot be the code of a language.
    package static func language(_ text: String) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        let first = text.lowercased().prefix { $0 != "-" && $0 != "_" }
        guard first.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else { return nil }
        switch first.utf8.count {
        case 2: return languageByTwoLetters[String(first)]
        case 3: return languageByBibliographic[String(first)] ?? String(first)
        default: return nil
        }
    }

    /// The shortest code of a language, as web pages and guides write it: of `deu` it is `de`; a code that has no shorter
    /// one stays.
    package static func shortLanguage(_ code: String) -> String { twoLettersByLanguage[code] ?? code }

    private static let twoLettersByLanguage: [String: String] = Dictionary(
        languageByTwoLetters.map { ($0.value, $0.key) },
        uniquingKeysWith: min
    )

    private static let countrySet = Set(alpha3ByAlpha2.values)

    /// `AFGAF` to AF: AFG.
    private static let alpha3ByAlpha2: [String: String] = Dictionary(
        uniqueKeysWithValues: countryTable.split(separator: " ").map { (String($0.suffix(2)), String($0.prefix(3))) }
    )

    /// `dedeu` to de: deu.
    private static let languageByTwoLetters: [String: String] = Dictionary(
        uniqueKeysWithValues: twoLetterTable.split(separator: " ").map { (String($0.prefix(2)), String($0.suffix(3))) }
    )

    /// `gerdeu` to ger: deu.
    private static let languageByBibliographic: [String: String] = Dictionary(
        uniqueKeysWithValues: bibliographicTable.split(separator: " ").map {
            (String($0.prefix(3)), String($0.suffix(3)))
        }
    )

    /// Alpha-3 and alpha-2 code of each country.
    private static let countryTable = """
        ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ \
        BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB \
        BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM \
        CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER \
        ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN \
        GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU \
        IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG \
        KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO \
        MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR \
        MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR \
        NZLNZ OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA \
        REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM \
        SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK \
        TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC \
        VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW
        """

    /// ISO 639-1 and ISO 639-3 code of each language that has both.
    private static let twoLetterTable = """
        aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bhbih bibis \
        bmbam bnben bobod brbre bsbos cacat ceche chcha cocos crcre csces cuchu cvchv cycym dadan dedeu dvdiv \
        dzdzo eeewe elell eneng eoepo esspa etest eueus fafas ffful fifin fjfij fofao frfra fyfry gagle gdgla \
        glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat huhun hyhye hzher iaina idind ieile igibo \
        iiiii ikipk ioido isisl itita iuiku jajpn jvjav kakat kgkon kikik kjkua kkkaz klkal kmkhm knkan kokor \
        krkau kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao ltlit lulub lvlav mgmlg mhmah \
        mimri mkmkd mlmal mnmon mrmar msmsa mtmlt mymya nanau nbnob ndnde nenep ngndo nlnld nnnno nonor nrnbl \
        nvnav nynya ococi ojoji omorm orori ososs papan pipli plpol pspus ptpor quque rmroh rnrun roron rurus \
        rwkin sasan scsrd sdsnd sesme sgsag sisin skslk slslv smsmo snsna sosom sqsqi srsrp ssssw stsot susun \
        svswe swswa tatam tetel tgtgk ththa titir tktuk tltgl tntsn toton trtur tstso tttat twtwi tytah uguig \
        ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid yoyor zazha zhzho zuzul
        """

    /// Bibliographic and terminological code of ISO 639-2 where they differ.
    private static let bibliographicTable = """
        albsqi armhye baqeus burmya chizho czeces dutnld frefra geokat gerdeu greell iceisl macmkd maomri maymsa \
        perfas rumron sloslk tibbod welcym
        """
}
