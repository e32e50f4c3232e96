// Written by scripts/data/embed-taxonomies; change the file in Data instead.
// swift-format-ignore-file

extension EmbeddedTaxonomies {
    static let origin = #"""
earshot-taxonomy	1
# Regions as in UN M49, countries as in ISO 3166-1; see README.md. Numbers among the aliases are those of M49.
kind	origin
version	1
id	eng	jpn	deu	spa	fra	aliases
europe	Europe	ヨーロッパ	Europa	Europa	=	150
  northern-europe	Northern Europe	北ヨーロッパ	Nordeuropa	Europa septentrional	Europe du Nord	154
    ALA	Åland Islands	オーランド諸島	Ålandinseln	Islas Aland	Îles Åland	AX; 248
    DNK	Denmark	デンマーク	Dänemark	Dinamarca	Danemark	DK; 208
    EST	Estonia	エストニア	Estland	=	Estonie	EE; 233
    FRO	Faroe Islands	フェロー諸島	Färöer	Islas Feroe	Îles Féroé	FO; 234
    FIN	Finland	フィンランド	Finnland	Finlandia	Finlande	FI; 246
    GGY	Guernsey	ガーンジー	=	Guernesey	Guernesey	GG; 831
    ISL	Iceland	アイスランド	Island	Islandia	Islande	IS; 352
    IRL	Ireland	アイルランド	Irland	Irlanda	Irlande	IE; 372
    IMN	Isle of Man	マン島	=	Isla de Man	Île de Man	IM; 833
    JEY	Jersey	ジャージー	=	=	=	JE; 832
    LVA	Latvia	ラトビア	Lettland	Letonia	Lettonie	LV; 428
    LTU	Lithuania	リトアニア	Litauen	Lituania	Lituanie	LT; 440
    NOR	Norway	ノルウェー	Norwegen	Noruega	Norvège	NO; 578
    SJM	Svalbard & Jan Mayen	スバールバル諸島・ヤンマイエン島	Spitzbergen und Jan Mayen	Svalbard y Jan Mayen	Svalbard et Jan Mayen	SJ; 744
    SWE	Sweden	スウェーデン	Schweden	Suecia	Suède	SE; 752
    GBR	United Kingdom	イギリス	Vereinigtes Königreich	Reino Unido	Royaume-Uni	GB; 826; UK; United Kingdom of Great Britain and Northern Ireland; Great Britain; Britain; England; Scotland; Wales; Northern Ireland; British; English
  western-europe	Western Europe	西ヨーロッパ	Westeuropa	Europa occidental	Europe de l’Ouest	155
    AUT	Austria	オーストリア	Österreich	=	Autriche	AT; 040
    BEL	Belgium	ベルギー	Belgien	Bélgica	Belgique	BE; 056
    FRA	France	フランス	Frankreich	Francia	=	FR; 250; French
    DEU	Germany	ドイツ	Deutschland	Alemania	Allemagne	DE; 276; German
    LIE	Liechtenstein	リヒテンシュタイン	=	=	=	LI; 438
    LUX	Luxembourg	ルクセンブルク	Luxemburg	Luxemburgo	=	LU; 442
    MCO	Monaco	モナコ	=	Mónaco	=	MC; 492
    NLD	Netherlands	オランダ	Niederlande	Países Bajos	Pays-Bas	NL; 528; Holland; The Netherlands
    CHE	Switzerland	スイス	Schweiz	Suiza	Suisse	CH; 756
  southern-europe	Southern Europe	南ヨーロッパ	Südeuropa	Europa meridional	Europe du Sud	039
    ALB	Albania	アルバニア	Albanien	=	Albanie	AL; 008
    AND	Andorra	アンドラ	=	=	Andorre	AD; 020
    BIH	Bosnia & Herzegovina	ボスニア・ヘルツェゴビナ	Bosnien und Herzegowina	Bosnia y Herzegovina	Bosnie-Herzégovine	BA; 070
    HRV	Croatia	クロアチア	Kroatien	Croacia	Croatie	HR; 191
    GIB	Gibraltar	ジブラルタル	=	=	=	GI; 292
    GRC	Greece	ギリシャ	Griechenland	Grecia	Grèce	GR; 300
    ITA	Italy	イタリア	Italien	Italia	Italie	IT; 380; Italian
    MLT	Malta	マルタ	=	=	Malte	MT; 470
    MNE	Montenegro	モンテネグロ	=	=	Monténégro	ME; 499
    MKD	North Macedonia	北マケドニア	Nordmazedonien	Macedonia del Norte	Macédoine du Nord	MK; 807; Macedonia
    PRT	Portugal	ポルトガル	=	=	=	PT; 620
    SMR	San Marino	サンマリノ	=	=	Saint-Marin	SM; 674
    SRB	Serbia	セルビア	Serbien	=	Serbie	RS; 688
    SVN	Slovenia	スロベニア	Slowenien	Eslovenia	Slovénie	SI; 705
    ESP	Spain	スペイン	Spanien	España	Espagne	ES; 724; Spanish
    VAT	Vatican City	バチカン市国	Vatikanstadt	Ciudad del Vaticano	État de la Cité du Vatican	VA; 336; Holy See
  eastern-europe	Eastern Europe	東ヨーロッパ	Osteuropa	Europa oriental	Europe de l’Est	151
    BLR	Belarus	ベラルーシ	=	Bielorrusia	Biélorussie	BY; 112
    BGR	Bulgaria	ブルガリア	Bulgarien	=	Bulgarie	BG; 100
    CZE	Czechia	チェコ	Tschechien	Chequia	Tchéquie	CZ; 203; Czech Republic
    HUN	Hungary	ハンガリー	Ungarn	Hungría	Hongrie	HU; 348
    MDA	Moldova	モルドバ	Republik Moldau	Moldavia	Moldavie	MD; 498; Republic of Moldova
    POL	Poland	ポーランド	Polen	Polonia	Pologne	PL; 616
    ROU	Romania	ルーマニア	Rumänien	Rumanía	Roumanie	RO; 642
    RUS	Russia	ロシア	Russland	Rusia	Russie	RU; 643; Russian Federation
    SVK	Slovakia	スロバキア	Slowakei	Eslovaquia	Slovaquie	SK; 703
    UKR	Ukraine	ウクライナ	=	Ucrania	=	UA; 804
americas	Americas	アメリカ大陸	Amerika	América	Amériques	019
  northern-america	Northern America	北アメリカ	Nördliches Amerika	Norteamérica	Amérique septentrionale	021
    BMU	Bermuda	バミューダ	=	Bermudas	Bermudes	BM; 060
    CAN	Canada	カナダ	Kanada	Canadá	=	CA; 124
    GRL	Greenland	グリーンランド	Grönland	Groenlandia	Groenland	GL; 304
    SPM	St. Pierre & Miquelon	サンピエール島・ミクロン島	St. Pierre und Miquelon	San Pedro y Miquelón	Saint-Pierre-et-Miquelon	PM; 666
    USA	United States	アメリカ合衆国	Vereinigte Staaten	Estados Unidos	États-Unis	US; 840; United States of America; US of A; American; U.S.A.
  central-america	Central America	中央アメリカ	Mittelamerika	Centroamérica	Amérique centrale	013
    BLZ	Belize	ベリーズ	=	Belice	=	BZ; 084
    CRI	Costa Rica	コスタリカ	=	=	=	CR; 188
    SLV	El Salvador	エルサルバドル	=	=	Salvador	SV; 222
    GTM	Guatemala	グアテマラ	=	=	=	GT; 320
    HND	Honduras	ホンジュラス	=	=	=	HN; 340
    MEX	Mexico	メキシコ	Mexiko	México	Mexique	MX; 484
    NIC	Nicaragua	ニカラグア	=	=	=	NI; 558
    PAN	Panama	パナマ	=	Panamá	=	PA; 591
  caribbean	Caribbean	カリブ	Karibik	Caribe	Caraïbes	029
    AIA	Anguilla	アンギラ	=	Anguila	=	AI; 660
    ATG	Antigua & Barbuda	アンティグア・バーブーダ	Antigua und Barbuda	Antigua y Barbuda	Antigua-et-Barbuda	AG; 028
    ABW	Aruba	アルバ	=	=	=	AW; 533
    BHS	Bahamas	バハマ	=	=	=	BS; 044
    BRB	Barbados	バルバドス	=	=	Barbade	BB; 052
    VGB	British Virgin Islands	英領ヴァージン諸島	Britische Jungferninseln	Islas Vírgenes Británicas	Îles Vierges britanniques	VG; 092
    BES	Caribbean Netherlands	オランダ領カリブ	Karibische Niederlande	Caribe neerlandés	Pays-Bas caribéens	BQ; 535
    CYM	Cayman Islands	ケイマン諸島	Kaimaninseln	Islas Caimán	Îles Caïmans	KY; 136
    CUB	Cuba	キューバ	Kuba	=	=	CU; 192
    CUW	Curaçao	キュラソー	=	Curazao	=	CW; 531
    DMA	Dominica	ドミニカ国	=	=	Dominique	DM; 212
    DOM	Dominican Republic	ドミニカ共和国	Dominikanische Republik	República Dominicana	République dominicaine	DO; 214
    GRD	Grenada	グレナダ	=	Granada	Grenade	GD; 308
    GLP	Guadeloupe	グアドループ	=	Guadalupe	=	GP; 312
    HTI	Haiti	ハイチ	=	Haití	Haïti	HT; 332
    JAM	Jamaica	ジャマイカ	Jamaika	=	Jamaïque	JM; 388
    MTQ	Martinique	マルティニーク	=	Martinica	=	MQ; 474
    MSR	Montserrat	モントセラト	=	=	=	MS; 500
    PRI	Puerto Rico	プエルトリコ	=	=	Porto Rico	PR; 630
    SXM	Sint Maarten	シント・マールテン	=	=	Saint-Martin (partie néerlandaise)	SX; 534
    BLM	St. Barthélemy	サン・バルテルミー	=	San Bartolomé	Saint-Barthélemy	BL; 652
    KNA	St. Kitts & Nevis	セントクリストファー・ネーヴィス	St. Kitts und Nevis	San Cristóbal y Nieves	Saint-Christophe-et-Niévès	KN; 659
    LCA	St. Lucia	セントルシア	=	Santa Lucía	Sainte-Lucie	LC; 662
    MAF	St. Martin	サン・マルタン	=	San Martín	Saint-Martin	MF; 663
    VCT	St. Vincent & Grenadines	セントビンセント及びグレナディーン諸島	St. Vincent und die Grenadinen	San Vicente y las Granadinas	Saint-Vincent-et-les Grenadines	VC; 670
    TTO	Trinidad & Tobago	トリニダード・トバゴ	Trinidad und Tobago	Trinidad y Tobago	Trinité-et-Tobago	TT; 780
    TCA	Turks & Caicos Islands	タークス・カイコス諸島	Turks- und Caicosinseln	Islas Turcas y Caicos	Îles Turques-et-Caïques	TC; 796
    VIR	U.S. Virgin Islands	米領ヴァージン諸島	Amerikanische Jungferninseln	Islas Vírgenes de EE. UU.	Îles Vierges des États-Unis	VI; 850
  south-america	South America	南アメリカ	Südamerika	Sudamérica	Amérique du Sud	005
    ARG	Argentina	アルゼンチン	Argentinien	=	Argentine	AR; 032
    BOL	Bolivia	ボリビア	Bolivien	=	Bolivie	BO; 068; Plurinational State of Bolivia
    BVT	Bouvet Island	ブーベ島	Bouvetinsel	Isla Bouvet	Île Bouvet	BV; 074
    BRA	Brazil	ブラジル	Brasilien	Brasil	Brésil	BR; 076
    CHL	Chile	チリ	=	=	Chili	CL; 152
    COL	Colombia	コロンビア	Kolumbien	=	Colombie	CO; 170
    ECU	Ecuador	エクアドル	=	=	Équateur	EC; 218
    FLK	Falkland Islands	フォークランド諸島	Falklandinseln	Islas Malvinas	Îles Malouines	FK; 238
    GUF	French Guiana	仏領ギアナ	Französisch-Guayana	Guayana Francesa	Guyane française	GF; 254
    GUY	Guyana	ガイアナ	=	=	=	GY; 328
    PRY	Paraguay	パラグアイ	=	=	=	PY; 600
    PER	Peru	ペルー	=	Perú	Pérou	PE; 604
    SGS	So. Georgia & So. Sandwich Isl.	サウスジョージア・サウスサンドウィッチ諸島	Südgeorgien und die Südlichen Sandwichinseln	Islas Georgia del Sur y Sandwich del Sur	Géorgie du Sud-et-les Îles Sandwich du Sud	GS; 239
    SUR	Suriname	スリナム	=	Surinam	=	SR; 740
    URY	Uruguay	ウルグアイ	=	=	=	UY; 858
    VEN	Venezuela	ベネズエラ	=	=	=	VE; 862; Bolivarian Republic of Venezuela
asia	Asia	アジア	Asien	=	Asie	142
  eastern-asia	Eastern Asia	東アジア	Ostasien	Asia oriental	Asie de l’Est	030
    CHN	China mainland	中国本土	China, Festland	China continental	Chine continentale	CN; 156; People's Republic of China; PRC
    HKG	Hong Kong	香港	Hongkong	=	=	HK; 344
    JPN	Japan	日本	=	Japón	Japon	JP; 392; Nippon; Japanese
    MAC	Macao	マカオ	Macau	=	=	MO; 446
    MNG	Mongolia	モンゴル	Mongolei	=	Mongolie	MN; 496
    PRK	North Korea	北朝鮮	Nordkorea	Corea del Norte	Corée du Nord	KP; 408; Democratic People's Republic of Korea
    KOR	South Korea	韓国	Südkorea	Corea del Sur	Corée du Sud	KR; 410; Republic of Korea; Korea
    TWN	Taiwan	台湾	=	Taiwán	Taïwan	TW; 158
  south-eastern-asia	Southeast Asia	東南アジア	Südostasien	Sudeste asiático	Asie du Sud-Est	035
    BRN	Brunei	ブルネイ	Brunei Darussalam	Brunéi	=	BN; 096; Brunei Darussalam
    KHM	Cambodia	カンボジア	Kambodscha	Camboya	Cambodge	KH; 116
    IDN	Indonesia	インドネシア	Indonesien	=	Indonésie	ID; 360
    LAO	Laos	ラオス	=	=	=	LA; 418; Lao PDR
    MYS	Malaysia	マレーシア	=	Malasia	Malaisie	MY; 458
    MMR	Myanmar (Burma)	ミャンマー (ビルマ)	Myanmar	Myanmar (Birmania)	Myanmar (Birmanie)	MM; 104; Burma
    PHL	Philippines	フィリピン	Philippinen	Filipinas	=	PH; 608
    SGP	Singapore	シンガポール	Singapur	Singapur	Singapour	SG; 702
    THA	Thailand	タイ	=	Tailandia	Thaïlande	TH; 764
    TLS	Timor-Leste	東ティモール	=	Timor Oriental	Timor oriental	TL; 626; East Timor
    VNM	Vietnam	ベトナム	=	=	Viêt Nam	VN; 704; Viet Nam
  southern-asia	Southern Asia	南アジア	Südasien	Asia meridional	Asie du Sud	034
    AFG	Afghanistan	アフガニスタン	=	Afganistán	=	AF; 004
    BGD	Bangladesh	バングラデシュ	Bangladesch	Bangladés	=	BD; 050
    BTN	Bhutan	ブータン	=	Bután	Bhoutan	BT; 064
    IND	India	インド	Indien	=	Inde	IN; 356
    IRN	Iran	イラン	=	Irán	=	IR; 364; Islamic Republic of Iran
    MDV	Maldives	モルディブ	Malediven	Maldivas	=	MV; 462
    NPL	Nepal	ネパール	=	=	Népal	NP; 524
    PAK	Pakistan	パキスタン	=	Pakistán	=	PK; 586
    LKA	Sri Lanka	スリランカ	=	=	=	LK; 144
  central-asia	Central Asia	中央アジア	Zentralasien	Asia central	Asie centrale	143
    KAZ	Kazakhstan	カザフスタン	Kasachstan	Kazajistán	=	KZ; 398
    KGZ	Kyrgyzstan	キルギス	Kirgisistan	Kirguistán	Kirghizstan	KG; 417
    TJK	Tajikistan	タジキスタン	Tadschikistan	Tayikistán	Tadjikistan	TJ; 762
    TKM	Turkmenistan	トルクメニスタン	=	Turkmenistán	Turkménistan	TM; 795
    UZB	Uzbekistan	ウズベキスタン	Usbekistan	Uzbekistán	Ouzbékistan	UZ; 860
  western-asia	Western Asia	西アジア	Westasien	Asia occidental	Asie de l’Ouest	145
    ARM	Armenia	アルメニア	Armenien	=	Arménie	AM; 051
    AZE	Azerbaijan	アゼルバイジャン	Aserbaidschan	Azerbaiyán	Azerbaïdjan	AZ; 031
    BHR	Bahrain	バーレーン	=	Baréin	Bahreïn	BH; 048
    CYP	Cyprus	キプロス	Zypern	Chipre	Chypre	CY; 196
    GEO	Georgia	ジョージア	Georgien	=	Géorgie	GE; 268
    IRQ	Iraq	イラク	Irak	Irak	Irak	IQ; 368
    ISR	Israel	イスラエル	=	=	Israël	IL; 376
    JOR	Jordan	ヨルダン	Jordanien	Jordania	Jordanie	JO; 400
    KWT	Kuwait	クウェート	=	=	Koweït	KW; 414
    LBN	Lebanon	レバノン	Libanon	Líbano	Liban	LB; 422
    OMN	Oman	オマーン	=	Omán	=	OM; 512
    PSE	Palestinian Territories	パレスチナ自治区	Palästinensische Autonomiegebiete	Territorios Palestinos	Territoires palestiniens	PS; 275; Palestine
    QAT	Qatar	カタール	Katar	Catar	=	QA; 634
    SAU	Saudi Arabia	サウジアラビア	Saudi-Arabien	Arabia Saudí	Arabie saoudite	SA; 682
    SYR	Syria	シリア	Syrien	Siria	Syrie	SY; 760; Syrian Arab Republic
    TUR	Türkiye	トルコ	Türkei	Turquía	Turquie	TR; 792; Turkey
    ARE	United Arab Emirates	アラブ首長国連邦	Vereinigte Arabische Emirate	Emiratos Árabes Unidos	Émirats arabes unis	AE; 784
    YEM	Yemen	イエメン	Jemen	=	Yémen	YE; 887
africa	Africa	アフリカ	Afrika	África	Afrique	002
  northern-africa	Northern Africa	北アフリカ	Nordafrika	África septentrional	Afrique septentrionale	015
    DZA	Algeria	アルジェリア	Algerien	Argelia	Algérie	DZ; 012
    EGY	Egypt	エジプト	Ägypten	Egipto	Égypte	EG; 818
    LBY	Libya	リビア	Libyen	Libia	Libye	LY; 434
    MAR	Morocco	モロッコ	Marokko	Marruecos	Maroc	MA; 504
    SDN	Sudan	スーダン	=	Sudán	Soudan	SD; 729
    TUN	Tunisia	チュニジア	Tunesien	Túnez	Tunisie	TN; 788
    ESH	Western Sahara	西サハラ	Westsahara	Sáhara Occidental	Sahara occidental	EH; 732
  western-africa	Western Africa	西アフリカ	Westafrika	África occidental	Afrique occidentale	011
    BEN	Benin	ベナン	=	Benín	Bénin	BJ; 204
    BFA	Burkina Faso	ブルキナファソ	=	=	=	BF; 854
    CPV	Cape Verde	カーボベルデ	Cabo Verde	Cabo Verde	Cap-Vert	CV; 132; Cape Verde
    CIV	Côte d’Ivoire	コートジボワール	=	=	=	CI; 384; Ivory Coast
    GMB	Gambia	ガンビア	=	=	Gambie	GM; 270
    GHA	Ghana	ガーナ	=	=	=	GH; 288
    GIN	Guinea	ギニア	=	=	Guinée	GN; 324
    GNB	Guinea-Bissau	ギニアビサウ	=	Guinea-Bisáu	Guinée-Bissau	GW; 624
    LBR	Liberia	リベリア	=	=	=	LR; 430
    MLI	Mali	マリ	=	=	=	ML; 466
    MRT	Mauritania	モーリタニア	Mauretanien	=	Mauritanie	MR; 478
    NER	Niger	ニジェール	=	Níger	=	NE; 562
    NGA	Nigeria	ナイジェリア	=	=	=	NG; 566
    SEN	Senegal	セネガル	=	=	Sénégal	SN; 686
    SLE	Sierra Leone	シエラレオネ	=	Sierra Leona	=	SL; 694
    SHN	St. Helena	セントヘレナ	=	Santa Elena	Sainte-Hélène	SH; 654
    TGO	Togo	トーゴ	=	=	=	TG; 768
  middle-africa	Middle Africa	中部アフリカ	Zentralafrika	África central	Afrique centrale	017
    AGO	Angola	アンゴラ	=	=	=	AO; 024
    CMR	Cameroon	カメルーン	Kamerun	Camerún	Cameroun	CM; 120
    CAF	Central African Republic	中央アフリカ共和国	Zentralafrikanische Republik	República Centroafricana	République centrafricaine	CF; 140
    TCD	Chad	チャド	Tschad	=	Tchad	TD; 148
    COG	Congo - Brazzaville	コンゴ共和国（ブラザビル）	Kongo-Brazzaville	Congo	Congo-Brazzaville	CG; 178; Republic of the Congo
    COD	Congo - Kinshasa	コンゴ民主共和国（キンシャサ）	Kongo-Kinshasa	República Democrática del Congo	Congo-Kinshasa	CD; 180; DR Congo; Democratic Republic of the Congo
    GNQ	Equatorial Guinea	赤道ギニア	Äquatorialguinea	Guinea Ecuatorial	Guinée équatoriale	GQ; 226
    GAB	Gabon	ガボン	Gabun	Gabón	=	GA; 266
    STP	São Tomé & Príncipe	サントメ・プリンシペ	São Tomé und Príncipe	Santo Tomé y Príncipe	Sao Tomé-et-Principe	ST; 678
  eastern-africa	Eastern Africa	東アフリカ	Ostafrika	África oriental	Afrique orientale	014
    BDI	Burundi	ブルンジ	=	=	=	BI; 108
    IOT	Chagos Archipelago	チャゴス諸島	Chagos-Archipel	Archipiélago de Chagos	Archipel des Chagos	IO; 086
    COM	Comoros	コモロ	Komoren	Comoras	Comores	KM; 174
    DJI	Djibouti	ジブチ	Dschibuti	Yibuti	=	DJ; 262
    ERI	Eritrea	エリトリア	=	=	Érythrée	ER; 232
    ETH	Ethiopia	エチオピア	Äthiopien	Etiopía	Éthiopie	ET; 231
    ATF	French Southern Territories	仏領極南諸島	Französische Süd- und Antarktisgebiete	Territorios Australes Franceses	Terres australes françaises	TF; 260
    KEN	Kenya	ケニア	Kenia	Kenia	=	KE; 404
    MDG	Madagascar	マダガスカル	Madagaskar	=	=	MG; 450
    MWI	Malawi	マラウイ	=	Malaui	=	MW; 454
    MUS	Mauritius	モーリシャス	=	Mauricio	Maurice	MU; 480
    MYT	Mayotte	マヨット	=	=	=	YT; 175
    MOZ	Mozambique	モザンビーク	Mosambik	=	=	MZ; 508
    REU	Réunion	レユニオン	=	Reunión	La Réunion	RE; 638
    RWA	Rwanda	ルワンダ	Ruanda	Ruanda	=	RW; 646
    SYC	Seychelles	セーシェル	Seychellen	=	=	SC; 690
    SOM	Somalia	ソマリア	=	=	Somalie	SO; 706
    SSD	South Sudan	南スーダン	Südsudan	Sudán del Sur	Soudan du Sud	SS; 728
    TZA	Tanzania	タンザニア	Tansania	=	Tanzanie	TZ; 834; United Republic of Tanzania
    UGA	Uganda	ウガンダ	=	=	Ouganda	UG; 800
    ZMB	Zambia	ザンビア	Sambia	=	Zambie	ZM; 894
    ZWE	Zimbabwe	ジンバブエ	Simbabwe	Zimbabue	=	ZW; 716
  southern-africa	Southern Africa	南部アフリカ	Südliches Afrika	África meridional	Afrique australe	018
    BWA	Botswana	ボツワナ	Botsuana	Botsuana	=	BW; 072
    SWZ	Eswatini	エスワティニ	=	Esuatini	=	SZ; 748; Swaziland
    LSO	Lesotho	レソト	=	Lesoto	=	LS; 426
    NAM	Namibia	ナミビア	=	=	Namibie	NA; 516
    ZAF	South Africa	南アフリカ	Südafrika	Sudáfrica	Afrique du Sud	ZA; 710
oceania	Oceania	オセアニア	Ozeanien	Oceanía	Océanie	009
  australia-and-new-zealand	Australasia	オーストララシア	Australasien	=	Australasie	053
    AUS	Australia	オーストラリア	Australien	=	Australie	AU; 036
    CXR	Christmas Island	クリスマス島	Weihnachtsinsel	Isla de Navidad	Île Christmas	CX; 162
    CCK	Cocos (Keeling) Islands	ココス（キーリング）諸島	Kokosinseln	Islas Cocos	Îles Cocos	CC; 166
    HMD	Heard & McDonald Islands	ハード島・マクドナルド諸島	Heard und McDonaldinseln	Islas Heard y McDonald	Îles Heard-et-MacDonald	HM; 334
    NZL	New Zealand	ニュージーランド	Neuseeland	Nueva Zelanda	Nouvelle-Zélande	NZ; 554
    NFK	Norfolk Island	ノーフォーク島	Norfolkinsel	Isla Norfolk	Île Norfolk	NF; 574
  melanesia	Melanesia	メラネシア	Melanesien	=	Mélanésie	054
    FJI	Fiji	フィジー	Fidschi	Fiyi	Fidji	FJ; 242
    NCL	New Caledonia	ニューカレドニア	Neukaledonien	Nueva Caledonia	Nouvelle-Calédonie	NC; 540
    PNG	Papua New Guinea	パプアニューギニア	Papua-Neuguinea	Papúa Nueva Guinea	Papouasie-Nouvelle-Guinée	PG; 598
    SLB	Solomon Islands	ソロモン諸島	Salomonen	Islas Salomón	Îles Salomon	SB; 090
    VUT	Vanuatu	バヌアツ	=	=	=	VU; 548
  micronesia	Micronesian Region	ミクロネシア	Mikronesisches Inselgebiet	Región de Micronesia	région micronésienne	057
    GUM	Guam	グアム	=	=	=	GU; 316
    KIR	Kiribati	キリバス	=	=	=	KI; 296
    MHL	Marshall Islands	マーシャル諸島	Marshallinseln	Islas Marshall	Îles Marshall	MH; 584
    FSM	Micronesia	ミクロネシア連邦	Mikronesien	=	Micronésie	FM; 583; Federated States of Micronesia
    NRU	Nauru	ナウル	=	=	=	NR; 520
    MNP	Northern Mariana Islands	北マリアナ諸島	Nördliche Marianen	Islas Marianas del Norte	Îles Mariannes du Nord	MP; 580
    PLW	Palau	パラオ	=	Palaos	Palaos	PW; 585
    UMI	U.S. Outlying Islands	合衆国領有小離島	Amerikanische Überseeinseln	Islas menores alejadas de EE. UU.	Îles mineures éloignées des É.-U.	UM; 581
  polynesia	Polynesia	ポリネシア	Polynesien	Polinesia	Polynésie	061
    ASM	American Samoa	米領サモア	Amerikanisch-Samoa	Samoa Americana	Samoa américaines	AS; 016
    COK	Cook Islands	クック諸島	Cookinseln	Islas Cook	Îles Cook	CK; 184
    PYF	French Polynesia	仏領ポリネシア	Französisch-Polynesien	Polinesia Francesa	Polynésie française	PF; 258
    NIU	Niue	ニウエ	=	=	=	NU; 570
    PCN	Pitcairn Islands	ピトケアン諸島	Pitcairninseln	Islas Pitcairn	Îles Pitcairn	PN; 612
    WSM	Samoa	サモア	=	=	=	WS; 882
    TKL	Tokelau	トケラウ	=	=	=	TK; 772
    TON	Tonga	トンガ	=	=	=	TO; 776
    TUV	Tuvalu	ツバル	=	=	=	TV; 798
    WLF	Wallis & Futuna	ウォリス・フツナ	Wallis und Futuna	Wallis y Futuna	Wallis-et-Futuna	WF; 876
antarctica	Antarctica	南極	Antarktis	Antártida	Antarctique
  ATA	Antarctica (Territory)	南極地域	Antarktis (Gebiet)	Antártida (territorio)	Antarctique (territoire)	AQ; 010
worldwide	Worldwide	世界	Weltweit	Todo el mundo	Monde entier	001; International; Global

"""#
}
