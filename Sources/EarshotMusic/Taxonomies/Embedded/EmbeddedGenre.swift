// Written by scripts/data/embed-taxonomies; change the file in Data instead.
// swift-format-ignore-file

extension EmbeddedTaxonomies {
    static let genre = #"""
earshot-taxonomy	1
# Numbers among the aliases are those of ID3v1, with the extensions of Winamp (0 to 191).
kind	genre
version	1
id	eng	jpn	deu	spa	fra	aliases
pop	Pop	ポップス	=	=	=	Pop Music; Top 40; 13; 60
  dance-pop	Dance-Pop	ダンス・ポップ	=	Dance pop	=
  teen-pop	Teen Pop	ティーン・ポップ	=	Pop adolescente	Pop adolescente	Boy Band; Girl Group
  indie-pop	Indie Pop	インディー・ポップ	=	Pop indie	Pop indépendante	Dream Pop; Twee
  synth-pop	Synth-Pop	シンセポップ	=	=	=	Electropop; 147
    new-romantic	New Romantic	ニュー・ロマンティック	=	Nuevos románticos	Nouveaux romantiques	173
  power-pop	Power Pop	パワー・ポップ	Powerpop	=	=
  art-pop	Art Pop	アート・ポップ	=	Pop artístico	Pop expérimentale	Baroque Pop; Chamber Pop
  hyperpop	Hyperpop	ハイパーポップ	=	=	=
  adult-contemporary	Adult Contemporary	アダルト・コンテンポラリー	=	Pop adulto contemporáneo	Pop adulte	AC; Soft Pop
    ballad	Ballads	バラード	Balladen	Baladas	Ballades	Power Ballad; Love Song; 116; 117
  singer-songwriter	Singer-Songwriter	シンガーソングライター	Liedermacher	Cantautores	Auteurs-compositeurs-interprètes	Cantautor
  europop	Europop	ユーロポップ	=	=	=
  british-pop	British Pop	ブリティッシュ・ポップ	Britischer Pop	Pop británico	Pop britannique
  chanson	Chanson	シャンソン	=	Canción francesa	Chanson française	French Pop; Chanson Francaise; Variété française; Nouvelle Chanson; 102
    cabaret	Cabaret	キャバレー	Kabarett	Cabaré	=	65
  schlager	Schlager	シュラーガー	=	=	=	Deutscher Schlager; German Pop
  italo-pop	Italian Pop	イタリアン・ポップ	Italo-Pop	Pop italiano	Pop italienne	Musica Italiana; Canzone
  j-pop	J-Pop	J-POP	=	J-pop	J-pop	Japanese Pop; 146
    city-pop	City Pop	シティ・ポップ	=	City pop	City pop
    idol	Japanese Idol	アイドル	Japanische Idols	Idols japoneses	Idoles japonaises	Idol Pop; Jpop Idol
  k-pop	K-Pop	K-POP	=	K-pop	K-pop	Korean Pop
  c-pop	C-Pop	C-POP	=	C-pop	C-pop	Cantopop; Mandopop; Chinese Pop
  instrumental-pop	Instrumental Pop	インストゥルメンタル・ポップ	Instrumentaler Pop	Pop instrumental	Pop instrumentale	46
  oldies	Oldies	オールディーズ	=	Clásicos	Vieux succès	Retro; 11; 76
rock	Rock	ロック	=	=	=	Rock Music; 17
  classic-rock	Classic Rock	クラシック・ロック	=	Rock clásico	Rock classique	Album Rock; AOR; 1
  rock-and-roll	Rock 'n' Roll	ロックンロール	=	Rock and roll	=	78
    rockabilly	Rockabilly	ロカビリー	=	=	=	Psychobilly
    surf-rock	Surf Rock	サーフ・ロック	=	Rock surf	=	Surf
    beat	Beat	ビート	=	=	=	Merseybeat; Beat Music; 135
  hard-rock	Hard Rock	ハード・ロック	=	Rock duro	=	79
    glam-rock	Glam Rock	グラム・ロック	=	=	=	Glam; Hair Metal
  soft-rock	Soft Rock	ソフト・ロック	=	Rock suave	=	Slow Rock; 95
  folk-rock	Folk Rock	フォーク・ロック	Folkrock	Rock folk	=	81
  blues-rock	Blues Rock	ブルース・ロック	Bluesrock	Rock blues	=
  southern-rock	Southern Rock	サザン・ロック	Südstaatenrock	Rock sureño	Rock sudiste	Swamp Rock; 56
  roots-rock	Roots Rock	ルーツ・ロック	=	Rock de raíces	=	Heartland Rock; Jam Band; Trop Rock; 168; 180
  progressive-rock	Progressive Rock	プログレッシブ・ロック	Progressive-Rock	Rock progresivo	Rock progressif	Prog Rock; Prog; Symphonic Rock; 92; 94
    art-rock	Art Rock	アート・ロック	=	Rock artístico	=	149
    krautrock	Krautrock	クラウトロック	=	=	=	Kosmische Musik; 169
    math-rock	Math Rock	マス・ロック	=	=	=	172
  psychedelic-rock	Psychedelic Rock	サイケデリック・ロック	Psychedelic-Rock	Rock psicodélico	Rock psychédélique	Psychedelic; Psychadelic; Acid Rock; 93; 67
    space-rock	Space Rock	スペース・ロック	=	Rock espacial	=	179
  garage-rock	Garage Rock	ガレージ・ロック	=	Rock de garaje	Rock garage	190
  instrumental-rock	Instrumental Rock	インストゥルメンタル・ロック	Instrumentaler Rock	Rock instrumental	Rock instrumental	47
  gothic-rock	Gothic Rock	ゴシック・ロック	=	Rock gótico	Rock gothique	Gothic; Goth; Goth Rock; 91; 49
  christian-rock	Christian Rock	クリスチャン・ロック	Christlicher Rock	Rock cristiano	Rock chrétien	141
  j-rock	J-Rock	Jロック	=	J-rock	J-rock	Japanese Rock; 邦楽ロック
    visual-kei	Visual Kei	ヴィジュアル系	=	=	=	V-Kei
  german-rock	German Rock	ジャーマン・ロック	Deutschrock	Rock alemán	Rock allemand
  latin-rock	Latin Rock	ラテン・ロック	=	Rock latino	Rock latino	Rock en Español; Latin Alternative
alternative	Alternative	オルタナティブ	=	Alternativa	Musique alternative	AlternRock; Alternative Rock; Alt Rock; Alternative & Punk; Alternative/Indie; College Rock; 20; 40
  indie-rock	Indie Rock	インディー・ロック	=	Rock indie	Rock indépendant	Indie; Indie & Alternative; 187; 131
    lo-fi	Lo-Fi	ローファイ	=	=	=	71
    shoegaze	Shoegaze	シューゲイザー	=	=	=	178
    britpop	Britpop	ブリットポップ	=	=	=	132
  grunge	Grunge	グランジ	=	=	=	Post-Grunge; 6
  new-wave	New Wave	ニュー・ウェイヴ	=	Nueva ola	=	66
    neue-deutsche-welle	Neue Deutsche Welle	ノイエ・ドイチェ・ヴェレ	=	=	=	NDW; 185
  post-punk	Post-Punk	ポストパンク	=	=	=	175
  post-rock	Post-Rock	ポストロック	=	=	=	176
  emo	Emo	エモ	=	=	=	Screamo; 161
  crossover	Crossover	クロスオーバー	=	=	=	Rap Rock; Funk Rock; 139
punk	Punk	パンク	=	=	=	Punk Rock; Polsk Punk; Acid Punk; Afro-Punk; 43; 121; 133; 134; 73
  pop-punk	Pop Punk	ポップ・パンク	=	Pop punk	Pop punk	Skate Punk
  hardcore-punk	Hardcore Punk	ハードコア・パンク	=	=	=	Hardcore; Post-Hardcore; 129
  oi	Oi!	オイ!	=	=	=	Street Punk
  ska-punk	Ska Punk	スカ・パンク	=	=	=
metal	Metal	メタル	=	=	=	Hard Rock & Metal; 9
  heavy-metal	Heavy Metal	ヘヴィメタル	=	=	=	NWOBHM; 137
  thrash-metal	Thrash Metal	スラッシュ・メタル	=	=	=	Speed Metal; 144
  death-metal	Death Metal	デス・メタル	=	=	=	Melodic Death Metal; Grindcore; 22
  black-metal	Black Metal	ブラック・メタル	=	=	=	138
  doom-metal	Doom Metal	ドゥーム・メタル	=	=	=	Stoner Metal; Sludge
  power-metal	Power Metal	パワー・メタル	=	=	=
  symphonic-metal	Symphonic Metal	シンフォニック・メタル	=	Metal sinfónico	Metal symphonique	Gothic Metal
  progressive-metal	Progressive Metal	プログレッシブ・メタル	=	Metal progresivo	Metal progressif	Prog Metal; Djent
  nu-metal	Nu Metal	ニュー・メタル	=	=	=	Alternative Metal; Rap Metal
  metalcore	Metalcore	メタルコア	=	=	=	Deathcore
  industrial-metal	Industrial Metal	インダストリアル・メタル	=	Metal industrial	Metal industriel	Neue Deutsche Härte
  folk-metal	Folk Metal	フォーク・メタル	=	=	=	Viking Metal; Pagan Metal
hip-hop	Hip-Hop	ヒップホップ	=	=	=	Rap; Rap/Hip Hop; Hip-Hop/Rap; Rap & Hip-Hop; Hip Hop & Rap; 7; 15
  old-school-hip-hop	Old-School Hip-Hop	オールドスクール・ヒップホップ	=	Hip-hop de la vieja escuela	Hip-hop old school	Old School Rap; Boom Bap; Golden Age Hip Hop
  gangsta-rap	Gangsta Rap	ギャングスタ・ラップ	=	=	=	Gangsta; Hardcore Rap; 59
    g-funk	G-Funk	Gファンク	=	=	=	West Coast Rap; 188
  east-coast-hip-hop	East Coast Hip-Hop	イースト・コースト・ヒップホップ	Ostküsten-Hip-Hop	Hip-hop de la Costa Este	Hip-hop de la côte Est	East Coast Rap
  southern-hip-hop	Southern Hip-Hop	サザン・ヒップホップ	Südstaaten-Hip-Hop	Hip-hop sureño	Hip-hop du Sud	Dirty South; Crunk
    trap	Trap	トラップ	=	=	=	Trap Music
  alternative-hip-hop	Alternative Hip-Hop	オルタナティブ・ヒップホップ	=	Hip-hop alternativo	Hip-hop alternatif	Underground Rap; Conscious Hip Hop; Abstract Hip Hop
  drill	Drill	ドリル	=	=	=	UK Drill
  grime	Grime	グライム	=	=	=
  pop-rap	Pop Rap	ポップ・ラップ	=	Pop rap	=
  instrumental-hip-hop	Instrumental Hip-Hop	インストゥルメンタル・ヒップホップ	Instrumentaler Hip-Hop	Hip-hop instrumental	Hip-hop instrumental	Lo-Fi Hip Hop; Beats; Turntablism
  christian-hip-hop	Christian Hip-Hop	クリスチャン・ヒップホップ	Christlicher Hip-Hop	Hip-hop cristiano	Hip-hop chrétien	Christian Rap; Christian Gangsta; Christian Gangsta Rap; 61; 136
  japanese-hip-hop	Japanese Hip-Hop	日本語ラップ	Japanischer Hip-Hop	Hip-hop japonés	Hip-hop japonais	J-Rap; Japanese Rap
  german-hip-hop	German Hip-Hop	ドイツ語ラップ	Deutschrap	Hip-hop alemán	Hip-hop allemand	German Rap; Deutscher Hip-Hop
  french-hip-hop	French Hip-Hop	フランス語ラップ	Französischer Hip-Hop	Hip-hop francés	Rap français	French Rap
r-and-b	R&B	=	=	=	=	RnB; R 'n' B; Rhythm and Blues; R&B/Soul; Soul and R&B; 14
  contemporary-r-and-b	Contemporary R&B	コンテンポラリーR&B	Zeitgenössischer R&B	R&B contemporáneo	R&B contemporain	Urban; Urban Contemporary; Alternative R&B
    new-jack-swing	New Jack Swing	ニュー・ジャック・スウィング	=	=	=
    slow-jam	Slow Jams	スロウ・ジャム	=	=	=	Quiet Storm; 111
  soul	Soul	ソウル	=	=	=	Rhythmic Soul; Soul Music; 42; 118
    neo-soul	Neo Soul	ネオ・ソウル	=	=	=
    motown	Motown	モータウン	=	=	=	Motor City Soul
    southern-soul	Southern Soul	サザン・ソウル	Südstaaten-Soul	Soul sureño	Soul du Sud
  funk	Funk	ファンク	=	=	=	Pop/Funk; P-Funk; 5; 62
  doo-wop	Doo-Wop	ドゥーワップ	=	=	=
disco	Disco	ディスコ	=	Música disco	=	4
  nu-disco	Nu-Disco	ニュー・ディスコ	=	=	=	Disco House
  italo-disco	Italo Disco	イタロ・ディスコ	=	=	=
  eurodisco	Eurodisco	ユーロ・ディスコ	=	=	=
  hi-nrg	Hi-NRG	ハイエナジー	=	=	=
electronic	Electronic	エレクトロニック	Elektronische Musik	Electrónica	Musique électronique	Electronica; Electronic Music; Dance & Electronic; Electro Music; 52
  ambient	Ambient	アンビエント	=	=	=	Space; 26; 44
    dark-ambient	Dark Ambient	ダーク・アンビエント	=	=	=
    psybient	Psybient	サイビエント	=	=	=	Ambient Trance; 191
    illbient	Illbient	イルビエント	=	=	=	166
  downtempo	Downtempo	ダウンテンポ	=	=	=	155
    trip-hop	Trip-Hop	トリップホップ	=	=	=	27
    chillout	Chillout	チルアウト	=	=	=	Chill; Dream; 55; 154
  idm	IDM	=	=	=	=	Leftfield; Intelligent Dance Music; 165; 170
    glitch	Glitch	グリッチ	=	=	=
  electro	Electro	エレクトロ	=	=	=	159
    electroclash	Electroclash	エレクトロクラッシュ	=	=	=	160
  industrial	Industrial	インダストリアル	=	Música industrial	Musique industrielle	Techno-Industrial; Industro-Goth; 19; 51; 167
    ebm	EBM	=	=	=	=	Electronic Body Music; Aggrotech; 157
    noise	Noise	ノイズ	=	Ruido	Bruitisme	39
  darkwave	Darkwave	ダークウェイヴ	=	=	=	Coldwave; 50
  synthwave	Synthwave	シンセウェイヴ	=	=	=	Vaporwave; Retrowave
  chiptune	Chiptune	チップチューン	=	=	=	8-Bit; Bitpop
dance	Dance	ダンス	=	Música dance	=	Club; Dance Music; EDM; Club Dance; 3; 112
  house	House	ハウス	=	=	=	Club-House; House Music; 35; 128
    deep-house	Deep House	ディープ・ハウス	=	=	=
    tech-house	Tech House	テック・ハウス	=	=	=
    acid-house	Acid House	アシッド・ハウス	=	=	=	Acid; 34
    progressive-house	Progressive House	プログレッシブ・ハウス	=	House progresivo	House progressive
    euro-house	Euro House	ユーロ・ハウス	=	=	=	124
    future-house	Future House	フューチャー・ハウス	=	=	=	Electro House; Big Room
  techno	Techno	テクノ	=	=	=	Euro-Techno; 18; 25
    minimal-techno	Minimal Techno	ミニマル・テクノ	=	Techno minimalista	Techno minimale	Minimal
    detroit-techno	Detroit Techno	デトロイト・テクノ	Detroit-Techno	Techno de Detroit	Techno de Détroit
    rave	Rave	レイヴ	=	=	=	Hard Techno; 68
    gabber	Gabber	ガバ	=	=	=	Terror; Hardcore Techno; Happy Hardcore; Hardstyle; 130
  trance	Trance	トランス	=	=	=	Vocal Trance; 31
    goa-trance	Goa Trance	ゴア・トランス	Goa	=	=	Goa; 126
    psytrance	Psytrance	サイケデリック・トランス	=	=	=	Psychedelic Trance; 177
  drum-and-bass	Drum & Bass	ドラムンベース	=	Drum and bass	Drum and bass	DnB; D&B; 127
    jungle	Jungle	ジャングル	=	=	=	63
  breakbeat	Breakbeat	ブレイクビーツ	=	=	=	Nu-Breakz; Breaks; 153; 174
    big-beat	Big Beat	ビッグ・ビート	=	=	=	152
  bass-music	Bass Music	ベース・ミュージック	=	Música bass	Bass music	Bass; Booty Bass; Miami Bass; 41; 107
    dubstep	Dubstep	ダブステップ	=	=	=	Brostep; 189
    uk-garage	UK Garage	UKガラージ	=	=	=	Garage; 2-Step; 163
  eurodance	Eurodance	ユーロダンス	=	=	=	Eurobeat; 54
  freestyle	Freestyle	フリースタイル	=	=	=	Latin Freestyle; 119
jazz	Jazz	ジャズ	=	=	=	Jazz Music; 8
  traditional-jazz	Traditional Jazz	トラディショナル・ジャズ	Traditioneller Jazz	Jazz tradicional	Jazz traditionnel	Dixieland; New Orleans Jazz; Ragtime
  swing	Swing	スウィング	=	=	=	Gypsy Jazz; Jazz Manouche; 83
    big-band	Big Band	ビッグ・バンド	Bigband	=	=	96
  bebop	Bebop	ビバップ	=	=	=	Bebob; Bop; 85
    hard-bop	Hard Bop	ハード・バップ	=	=	=	Post-Bop
  cool-jazz	Cool Jazz	クール・ジャズ	=	=	=	West Coast Jazz; Modal Jazz
  free-jazz	Free Jazz	フリー・ジャズ	=	Jazz libre	=	Avant-Garde Jazz
  jazz-fusion	Jazz Fusion	フュージョン	Fusion	Jazz fusión	Jazz fusion	Fusion; Fast Fusion; Jazz+Funk; Jazz-Funk; Jazz Rock; 30; 84; 29
  acid-jazz	Acid Jazz	アシッド・ジャズ	=	=	=	Nu Jazz; 74
  smooth-jazz	Smooth Jazz	スムース・ジャズ	=	=	=	Contemporary Jazz
  latin-jazz	Latin Jazz	ラテン・ジャズ	=	Jazz latino	Jazz latin	Afro-Cuban Jazz
  vocal-jazz	Vocal Jazz	ジャズ・ボーカル	Vokaljazz	Jazz vocal	Jazz vocal
blues	Blues	ブルース	=	=	=	Blues Music; 0
  delta-blues	Delta Blues	デルタ・ブルース	=	Blues del Delta	=	Country Blues; Acoustic Blues
  chicago-blues	Chicago Blues	シカゴ・ブルース	=	Blues de Chicago	Blues de Chicago	Electric Blues
  jump-blues	Jump Blues	ジャンプ・ブルース	=	=	=	Boogie-Woogie
  modern-blues	Modern Blues	モダン・ブルース	Moderner Blues	Blues moderno	Blues moderne	Contemporary Blues
country	Country	カントリー	=	Música country	=	Country Music; Country & Western; 2
  traditional-country	Traditional Country	トラディショナル・カントリー	Traditioneller Country	Country tradicional	Country traditionnelle	Honky Tonk; Western Swing; Classic Country
  outlaw-country	Outlaw Country	アウトロー・カントリー	=	=	=
  contemporary-country	Contemporary Country	コンテンポラリー・カントリー	Zeitgenössischer Country	Country contemporáneo	Country contemporaine	Country Pop; New Country
  alt-country	Alternative Country	オルタナティブ・カントリー	=	Country alternativo	Country alternative	Country Rock
  americana	Americana	アメリカーナ	=	=	=
  bluegrass	Bluegrass	ブルーグラス	=	=	=	89
folk	Folk	フォーク	=	=	=	Folk Music; Folk/Acoustic; Acoustic Folk; 80
  contemporary-folk	Contemporary Folk	コンテンポラリー・フォーク	Zeitgenössischer Folk	Folk contemporáneo	Folk contemporain	Indie Folk; Modern Folk
  traditional-folk	Traditional Folk	伝統的フォーク	Traditionelle Volksmusik	Folclore tradicional	Musique traditionnelle	Folklore; National Folk; Volksmusik; 115; 82
    alpine-folk	Alpine Folk	アルプス民謡	Alpenländische Volksmusik	Folclore alpino	Musique alpine	Volkstümliche Musik; Yodel; Jodel
    polka	Polka	ポルカ	=	Polca	=	75
  celtic	Celtic	ケルト	Keltische Musik	Música celta	Musique celtique	Irish Folk; Celtic Folk; 88
  pop-folk	Pop-Folk	ポップ・フォーク	=	=	=	Turbo-Folk; 53
  acoustic	Acoustic	アコースティック	Akustische Musik	Música acústica	Musique acoustique	99
  enka	Enka	演歌	=	=	=
    kayokyoku	Kayokyoku	歌謡曲	=	=	=	Kayōkyoku; Showa Kayo
reggae	Reggae	レゲエ	=	=	=	Reggae/Dub; 16
  roots-reggae	Roots Reggae	ルーツ・レゲエ	=	=	=	Rocksteady; Lovers Rock
  dub	Dub	ダブ	=	=	=	156
  dancehall	Dancehall	ダンスホール	=	=	=	Ragga; 125
  ska	Ska	スカ	=	=	=	Two-Tone; 21
latin	Latin	ラテン	Lateinamerikanische Musik	Música latina	Musique latine	Latin Music; Latino; Latina; 86
  latin-pop	Latin Pop	ラテン・ポップ	=	Pop latino	Pop latino
  reggaeton	Reggaeton	レゲトン	=	Reguetón	=	Urbano; Latin Urban; Latin Trap; Dembow
  salsa	Salsa	サルサ	=	=	=	Son Cubano; Timba; 143
  merengue	Merengue	メレンゲ	=	=	=	142
  bachata	Bachata	バチャータ	=	=	=
  cumbia	Cumbia	クンビア	=	=	=	Vallenato
  tango	Tango	タンゴ	=	=	=	Tango Nuevo; 113
  brazilian	Brazilian	ブラジル音楽	Brasilianische Musik	Música brasileña	Musique brésilienne	MPB; Música Popular Brasileira; Sertanejo; Forró
    samba	Samba	サンバ	=	=	=	Pagode; 114
    bossa-nova	Bossa Nova	ボサノヴァ	=	=	=	Bossa
  regional-mexican	Regional Mexican	メキシコ地域音楽	Regionale mexikanische Musik	Regional mexicano	Musique régionale mexicaine	Musica Mexicana; Corridos; Banda; Norteño; Ranchera; Tejano
    mariachi	Mariachi	マリアッチ	=	=	=
  bolero	Bolero	ボレロ	=	=	Boléro
  flamenco	Flamenco	フラメンコ	=	=	=	Rumba Flamenca
world	World	ワールド	Weltmusik	Músicas del mundo	Musiques du monde	World Music; Worldbeat; Global; Ethnic; International; Tribal; 181; 164; 48; 72
  african	African	アフリカ音楽	Afrikanische Musik	Música africana	Musique africaine	African Music; Highlife; Soukous
    afrobeat	Afrobeat	アフロビート	=	=	=
    afrobeats	Afrobeats	アフロビーツ	=	=	=	Afropop; Amapiano
  caribbean	Caribbean	カリブ音楽	Karibische Musik	Música caribeña	Musique caribéenne	Calypso; Zouk
    soca	Soca	ソカ	=	=	=
  arabic	Arabic	アラブ音楽	Arabische Musik	Música árabe	Musique arabe	Arabic Pop; Raï; Rai
  turkish	Turkish	トルコ音楽	Türkische Musik	Música turca	Musique turque	Arabesk
  jewish	Jewish	ユダヤ音楽	Jüdische Musik	Música judía	Musique juive
    klezmer	Klezmer	クレズマー	=	=	=
  indian	Indian	インド音楽	Indische Musik	Música india	Musique indienne	Hindustani; Carnatic; Indian Classical
    bollywood	Bollywood	ボリウッド	=	=	=	Filmi; Hindi Film
    bhangra	Bhangra	バングラ	=	=	=	151
  east-asian	East Asian	東アジア音楽	Ostasiatische Musik	Música de Asia Oriental	Musique d'Asie de l'Est
    japanese-traditional	Japanese Traditional	邦楽	Traditionelle japanische Musik	Música tradicional japonesa	Musique traditionnelle japonaise	Min'yo; Gagaku; Hogaku; 純邦楽; 民謡
  balkan	Balkan	バルカン音楽	Balkanmusik	Música balcánica	Musique des Balkans	Balkan Brass; Gypsy
  fado	Fado	ファド	=	=	=
  native-american	Native American	ネイティブ・アメリカン音楽	Indigene Musik Nordamerikas	Música indígena norteamericana	Musique amérindienne	64
  polynesian	Polynesian	ポリネシア音楽	Polynesische Musik	Música polinesia	Musique polynésienne	Hawaiian
classical	Classical	クラシック	Klassik	Música clásica	Musique classique	Classical Music; Klassische Musik; 32
  early-music	Early Music	古楽	Alte Musik	Música antigua	Musique ancienne	Medieval; Renaissance; Gregorian Chant
  baroque	Baroque	バロック	Barock	Barroco	Musique baroque	150
  classical-period	Classical Period	古典派	Wiener Klassik	Clasicismo	Période classique
  romantic	Romantic Period	ロマン派	Romantik	Romanticismo	Musique romantique
  modern-classical	Modern Classical	近代・現代音楽	Neue Musik	Música clásica moderna	Musique classique moderne	Contemporary Classical; 20th Century Classical; Impressionism
    minimalism	Minimalism	ミニマル・ミュージック	Minimal Music	Minimalismo	Musique minimaliste
    neoclassical	Neoclassical	ネオクラシカル	Neoklassik	Neoclasicismo	Néoclassique	182
  orchestral	Orchestral	管弦楽	Orchestermusik	Música orquestal	Musique orchestrale
    symphony	Symphony	交響曲	Sinfonie	Sinfonía	Symphonie	106
    concerto	Concerto	協奏曲	Konzert	Concierto	=
  chamber-music	Chamber Music	室内楽	Kammermusik	Música de cámara	Musique de chambre	String Quartet; 104
    sonata	Sonata	ソナタ	Sonate	=	Sonate	105
  opera	Opera	オペラ	Oper	Ópera	Opéra	103
    operetta	Operetta	オペレッタ	Operette	Opereta	Opérette	Zarzuela
  choral	Choral	合唱	Chormusik	Música coral	Musique chorale	Chorus; Choir; 97
  piano	Solo Piano	ピアノ独奏	Klavier solo	Piano solo	Piano solo
  classical-crossover	Classical Crossover	クラシカル・クロスオーバー	Klassik-Crossover	Crossover clásico	Crossover classique
gospel-and-religious	Gospel & Religious	ゴスペル・宗教音楽	Gospel und religiöse Musik	Góspel y música religiosa	Gospel et musique religieuse	Religious; Inspirational; Christian & Gospel; Spiritual
  gospel	Gospel	ゴスペル	=	Góspel	=	38
  contemporary-christian	Contemporary Christian	コンテンポラリー・クリスチャン	Zeitgenössische christliche Musik	Música cristiana contemporánea	Musique chrétienne contemporaine	CCM; Christian; Contemporary C; 140
  worship	Worship	ワーシップ	Lobpreis	Alabanza y adoración	Louange	Praise & Worship; Revival; 87
  devotional	Devotional	宗教歌	Andachtsmusik	Música devocional	Musique dévotionnelle	Bhajan; Qawwali; Kirtan
new-age	New Age	ニューエイジ	=	New age	New age	New Age Music; 10
  meditation	Meditation	メディテーション	Meditationsmusik	Música para meditar	Musique de méditation	Meditative; Yoga; 45
  relaxation	Relaxation	ヒーリング	Entspannungsmusik	Música relajante	Musique de relaxation	Healing; Sleep; Spa
  nature-sounds	Nature Sounds	自然音	Naturgeräusche	Sonidos de la naturaleza	Sons de la nature
easy-listening	Easy Listening	イージーリスニング	=	Música ligera	Musique légère	Mood Music; 98
  lounge	Lounge	ラウンジ	=	=	=	Exotica; Bachelor Pad; 171
  vocal	Traditional Vocal	ボーカル	Traditioneller Gesang	Vocal tradicional	Chant traditionnel	Crooner; Standards; Traditional Pop; Duet; 28; 120
    a-cappella	A Cappella	ア・カペラ	=	A capela	A cappella	A capella; Acapella; 123
  instrumental	Instrumental	インストゥルメンタル	=	=	Musique instrumentale	Drum Solo; 33; 122
  brass-band	Brass & Marching Band	吹奏楽・マーチ	Blasmusik	Bandas de música	Fanfares	Marching Band; Military; Marches
soundtrack	Soundtrack	サウンドトラック	=	Bandas sonoras	Bandes originales	OST; Score; Soundtracks; Stage & Screen; 24
  film-score	Film Score	映画音楽	Filmmusik	Música de cine	Musique de film	Film; Movie; Original Score
  television	Television	テレビ音楽	Fernsehmusik	Música de televisión	Musique de télévision	TV; TV Soundtrack; Drama
  anime	Anime	アニメ	=	=	=	Anison; アニメソング; アニソン; 145
  video-game	Video Game	ゲーム音楽	Videospielmusik	Música de videojuegos	Musique de jeux vidéo	Game; Games; VGM; Game Soundtrack; 36
  musical	Musicals	ミュージカル	Musical	Musicales	Comédies musicales	Showtunes; Show Tunes; Broadway; Musical Theatre; Original Cast; 77; 69
  trailer	Trailer Music	予告編音楽	Trailermusik	Música de tráileres	Musique de bande-annonce	70
childrens	Children's	キッズ	Kindermusik	Música infantil	Musique pour enfants	Children; Kids; Children's Music; Kindermusik
  lullabies	Lullabies	子守唄	Wiegenlieder	Canciones de cuna	Berceuses	Lullaby
  nursery-rhymes	Nursery Rhymes	童謡	Kinderlieder	Rondas infantiles	Comptines	Children's Songs
  educational	Educational	教育	Lernmusik	Música educativa	Musique éducative
  stories	Children's Stories	児童向け物語	Kinderhörspiele	Cuentos infantiles	Contes pour enfants
holiday	Holiday	季節・行事	Feiertagsmusik	Música festiva	Musique de fêtes	Holidays; Seasonal
  christmas	Christmas	クリスマス	Weihnachtsmusik	Navidad	Noël	Christmas Music; Xmas; Carols; Villancicos
  halloween	Halloween	ハロウィン	=	=	=
  carnival	Carnival	カーニバル	Karneval	Carnaval	Carnaval	Fasching; Après-Ski
comedy	Comedy	コメディ	=	Humor	Humour	Humour; Satire; Novelty; Parody; Pranks; Prank; 57; 100; 110; 23
  stand-up	Stand-Up	スタンダップ	Stand-up-Comedy	Monólogos	Stand-up
spoken-word	Spoken Word	スポークン・ワード	Gesprochenes	Palabra hablada	Textes parlés	Speech; Spoken; Spoken & Audio; Nonmusic; 101
  audiobook	Audiobook	オーディオブック	Hörbuch	Audiolibro	Livre audio	183
  audio-drama	Audio Drama	オーディオドラマ	Hörspiel	Radioteatro	Fiction audio	Audio Theatre; Radio Play; 184
  podcast	Podcast	ポッドキャスト	=	Pódcast	=	186
  poetry	Poetry	詩	Lyrik	Poesía	Poésie
experimental	Experimental	実験音楽	Experimentelle Musik	Música experimental	Musique expérimentale	Avantgarde; Avant-Garde; Abstract; Eclectic; 162; 90; 148; 158
  musique-concrete	Musique Concrète	ミュジーク・コンクレート	=	Música concreta	=	Tape Music; Electroacoustic
  improvisation	Free Improvisation	即興音楽	Freie Improvisation	Improvisación libre	Improvisation libre
  sound-effects	Sound Effects	効果音	Geräusche	Efectos de sonido	Effets sonores	Sound Clip; Field Recording; Sound Art; 37
other	Other	その他	Sonstiges	Otros	Autres	Miscellaneous; Unclassifiable; Various; Cult; Primus; Porn Groove; 12; 58; 108; 109

"""#
}
