import EarshotMusic

/// Every identifier that a release had. Catalogs and apps have stored them: new ones are added, none is taken out.
enum ReleasedIdentifiers {
    static func ids(_ kind: DescriptorKind) -> [String] {
        let text =
            switch kind {
            case .genre: genre
            case .mood: mood
            case .tempo: tempo
            case .origin: origin
            case .era: era
            case .artistType: artistType
            }
        return text.split(separator: " ").map(String.init)
    }

    static func ids(ofGenresIn country: String) -> [String] {
        let texts = ["DEU": genreOfDEU, "JPN": genreOfJPN, "USA": genreOfUSA]
        return (texts[country] ?? "").split(separator: " ").map(String.init)
    }

    private static let genre = """
        a-cappella acid-house acid-jazz acoustic adult-contemporary african afrobeat afrobeats alpine-folk \
        alt-country alternative alternative-hip-hop ambient americana anime arabic art-pop art-rock audio-drama \
        audiobook bachata balkan ballad baroque bass-music beat bebop bhangra big-band big-beat black-metal \
        bluegrass blues blues-rock bolero bollywood bossa-nova brass-band brazilian breakbeat british-pop britpop \
        c-pop cabaret caribbean carnival celtic chamber-music chanson chicago-blues childrens chillout chiptune \
        choral christian-hip-hop christian-rock christmas city-pop classic-rock classical classical-crossover \
        classical-period comedy concerto contemporary-christian contemporary-country contemporary-folk \
        contemporary-r-and-b cool-jazz country crossover cumbia dance dance-pop dancehall dark-ambient darkwave \
        death-metal deep-house delta-blues detroit-techno devotional disco doo-wop doom-metal downtempo drill \
        drum-and-bass dub dubstep early-music east-asian east-coast-hip-hop easy-listening ebm educational electro \
        electroclash electronic emo enka euro-house eurodance eurodisco europop experimental fado film-score \
        flamenco folk folk-metal folk-rock free-jazz freestyle french-hip-hop funk future-house g-funk gabber \
        gangsta-rap garage-rock german-hip-hop german-rock glam-rock glitch goa-trance gospel gospel-and-religious \
        gothic-rock grime grunge halloween hard-bop hard-rock hardcore-punk heavy-metal hi-nrg hip-hop holiday \
        house hyperpop idm idol illbient improvisation indian indie-pop indie-rock industrial industrial-metal \
        instrumental instrumental-hip-hop instrumental-pop instrumental-rock italo-disco italo-pop j-pop j-rock \
        japanese-hip-hop japanese-traditional jazz jazz-fusion jewish jump-blues jungle k-pop kayokyoku klezmer \
        krautrock latin latin-jazz latin-pop latin-rock lo-fi lounge lullabies mariachi math-rock meditation \
        merengue metal metalcore minimal-techno minimalism modern-blues modern-classical motown musical \
        musique-concrete native-american nature-sounds neo-soul neoclassical neue-deutsche-welle new-age \
        new-jack-swing new-romantic new-wave noise nu-disco nu-metal nursery-rhymes oi old-school-hip-hop oldies \
        opera operetta orchestral other outlaw-country piano podcast poetry polka polynesian pop pop-folk pop-punk \
        pop-rap post-punk post-rock power-metal power-pop progressive-house progressive-metal progressive-rock \
        psybient psychedelic-rock psytrance punk r-and-b rave reggae reggaeton regional-mexican relaxation rock \
        rock-and-roll rockabilly romantic roots-reggae roots-rock salsa samba schlager shoegaze singer-songwriter \
        ska ska-punk slow-jam smooth-jazz soca soft-rock sonata soul sound-effects soundtrack southern-hip-hop \
        southern-rock southern-soul space-rock spoken-word stand-up stories surf-rock swing symphonic-metal \
        symphony synth-pop synthwave tango tech-house techno teen-pop television thrash-metal traditional-country \
        traditional-folk traditional-jazz trailer trance trap trip-hop turkish uk-garage video-game visual-kei \
        vocal vocal-jazz world worship
        """

    private static let mood = """
        aggressive angry brooding calm carefree celebratory chaotic cheerful complex cool dark defiant dramatic \
        dreamy driving eerie elegant empowering energetic epic excited fierce floating gentle gloomy groovy happy \
        heartbroken hopeful humorous hypnotic joyous lively lonely meditative melancholic mournful mysterious \
        nostalgic ominous passionate peaceful playful relaxed romantic sad sensual sentimental serious sleepy \
        smoldering solemn soothing-hope sophisticated spiritual swaggering tender tense thoughtful triumphant \
        uplifting urbane wild yearning
        """

    private static let tempo = """
        extremely-fast fast fast-120s fast-130s fast-140s fast-150s fast-160s fast-170s fast-200s free grave medium \
        medium-100s medium-110s medium-90s medium-high-100s medium-lively medium-relaxed medium-slow \
        medium-slow-70s medium-slow-80s moderately-fast moderately-slow slow slow-60s slow-70s static varying \
        very-fast very-slow
        """

    private static let origin = """
        ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH \
        BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB \
        CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO \
        GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN \
        IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA \
        MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER \
        NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU \
        RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA \
        TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT \
        WLF WSM YEM ZAF ZMB ZWE africa americas antarctica asia australia-and-new-zealand caribbean central-america \
        central-asia eastern-africa eastern-asia eastern-europe europe melanesia micronesia middle-africa \
        northern-africa northern-america northern-europe oceania polynesia south-america south-eastern-asia \
        southern-africa southern-asia southern-europe western-africa western-asia western-europe worldwide
        """

    private static let era = """
        1900s 1900s-early 1900s-late 1900s-mid 1910s 1910s-early 1910s-late 1910s-mid 1920s 1920s-early 1920s-late \
        1920s-mid 1930s 1930s-early 1930s-late 1930s-mid 1940s 1940s-early 1940s-late 1940s-mid 1950s 1950s-early \
        1950s-late 1950s-mid 1960s 1960s-early 1960s-late 1960s-mid 1970s 1970s-early 1970s-late 1970s-mid 1980s \
        1980s-early 1980s-late 1980s-mid 1990s 1990s-early 1990s-late 1990s-mid 2000s 2000s-early 2000s-late \
        2000s-mid 2010s 2010s-early 2010s-late 2010s-mid 2020s 2020s-early 2020s-late 2020s-mid baroque \
        baroque-early baroque-late before-1500 c16 c16-early c16-late c17 c17-early c17-late c18 c18-early c18-late \
        c19 c19-early c19-late classical contemporary impressionist medieval modern periods renaissance romantic \
        romantic-early romantic-late
        """

    private static let artistType = """
        big-band boy-band cast chamber-ensemble chamber-orchestra childrens-choir choir comedian composer \
        composer-or-conductor conductor dj duo duo-female duo-male duo-mixed female-choir girl-group gospel-choir \
        group group-female group-male group-mixed jazz-combo male-choir mixed-choir musical-cast narrator orchestra \
        other producer record-producer screen-cast solo solo-female solo-female-instrumentalist solo-female-rapper \
        solo-female-singer solo-male solo-male-instrumentalist solo-male-rapper solo-male-singer solo-other \
        solo-virtual speaker string-quartet symphony-orchestra various wind-band
        """

    private static let genreOfDEU = """
        deu.alpin deu.alternative deu.blasmusik deu.blues deu.comedy deu.country deu.country-folk deu.deutschpop \
        deu.deutschrap deu.deutschrock deu.electronic deu.entspannung deu.folk deu.hip-hop deu.hoerbuch \
        deu.hoerspiel deu.hoerspiel-drama deu.house deu.jazz deu.jazz-blues deu.kinder deu.klassik deu.krautrock \
        deu.latin deu.liedermacher deu.metal deu.ndh deu.ndw deu.partyschlager deu.polka deu.pop deu.punk \
        deu.r-and-b deu.reggae deu.religioes deu.rock deu.schlager deu.sonstiges deu.soundtrack deu.techno \
        deu.trance deu.volksmusik deu.weihnachten deu.weltmusik deu.world
        """

    private static let genreOfJPN = """
        jpn.alternative jpn.anime jpn.anime-game jpn.blues jpn.c-pop jpn.city-pop jpn.classical jpn.club \
        jpn.country jpn.country-folk jpn.dance jpn.disco jpn.easy-listening jpn.electronic jpn.enka jpn.enka-kayo \
        jpn.folk jpn.game jpn.healing jpn.hip-hop jpn.idol jpn.j-hip-hop jpn.j-pop jpn.j-rock jpn.jazz jpn.k-pop \
        jpn.k-pop-asia jpn.kayokyoku jpn.kids jpn.latin jpn.metal jpn.new-age jpn.other jpn.punk jpn.r-and-b \
        jpn.reggae jpn.rock jpn.soundtrack jpn.traditional jpn.visual-kei jpn.western-pop jpn.western-rock \
        jpn.world jpn.world-music
        """

    private static let genreOfUSA = """
        usa.adult-contemporary usa.alternative usa.americana usa.bluegrass usa.blues usa.broadway usa.ccm \
        usa.children usa.christian usa.christian-hip-hop usa.christian-rock usa.classic-rock usa.classical \
        usa.comedy usa.comedy-only usa.country usa.dance usa.east-coast usa.folk usa.funk usa.gospel usa.grunge \
        usa.hip-hop usa.holiday usa.j-pop usa.jazz usa.k-pop usa.latin usa.metal usa.native-american usa.new-age \
        usa.oldies usa.other usa.pop usa.punk usa.r-and-b usa.reggae usa.reggaeton usa.regional-mexican usa.rock \
        usa.soul usa.soundtrack usa.southern usa.southern-rock usa.spoken usa.west-coast usa.world
        """
}
