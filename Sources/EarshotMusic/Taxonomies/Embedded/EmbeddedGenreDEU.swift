// Written by scripts/data/embed-taxonomies; change the file in Data instead.
// swift-format-ignore-file

extension EmbeddedTaxonomies {
    static let genreDEU = #"""
earshot-taxonomy	1
kind	genre
version	1
countries	DEU
id	eng	jpn	deu	spa	fra	is
deu.pop	Pop	ポップス	=	=	=	pop
  deu.deutschpop	German Pop	ドイツ・ポップ	Deutschpop	Pop alemán	Pop allemande
    deu.liedermacher	Singer-Songwriters	シンガーソングライター	Liedermacher	Cantautores	Auteurs-compositeurs-interprètes	singer-songwriter
    deu.ndw	Neue Deutsche Welle	ノイエ・ドイチェ・ヴェレ	=	=	=	neue-deutsche-welle
deu.schlager	Schlager	シュラーガー	=	=	=	schlager
  deu.partyschlager	Party & Carnival	パーティー・カーニバル	Party und Karneval	Fiesta y carnaval	Fête et carnaval	carnival
deu.volksmusik	Volksmusik	ドイツ民謡	=	Música popular alemana	Musique populaire allemande	traditional-folk
  deu.alpin	Alpine	アルプス民謡	Alpenländische Volksmusik	Música alpina	Musique alpine	alpine-folk
  deu.polka	Polka	ポルカ	=	Polca	=	polka
  deu.blasmusik	Brass Music	吹奏楽	Blasmusik	Música de viento	Fanfares	brass-band
deu.rock	Rock	ロック	=	=	=	rock
  deu.deutschrock	German Rock	ジャーマン・ロック	Deutschrock	Rock alemán	Rock allemand	german-rock
  deu.krautrock	Krautrock	クラウトロック	=	=	=	krautrock
deu.alternative	Alternative & Indie	オルタナティブ・インディー	Alternative und Indie	Alternativa e indie	Alternative et indé	alternative
  deu.punk	Punk	パンク	=	=	=	punk
deu.metal	Metal	メタル	=	=	=	metal
  deu.ndh	Neue Deutsche Härte	ノイエ・ドイチェ・ヘァテ	=	=	=	industrial-metal
deu.hip-hop	Hip-Hop	ヒップホップ	=	=	=	hip-hop
  deu.deutschrap	German Rap	ドイツ語ラップ	Deutschrap	Rap alemán	Rap allemand	german-hip-hop
deu.r-and-b	R&B & Soul	R&B・ソウル	R&B und Soul	R&B y soul	R&B et soul	r-and-b
deu.electronic	Electronic & Dance	エレクトロニック・ダンス	Elektronik und Dance	Electrónica y dance	Électronique et dance	electronic; dance; disco
  deu.techno	Techno	テクノ	=	=	=	techno
  deu.house	House	ハウス	=	=	=	house
  deu.trance	Trance	トランス	=	=	=	trance
deu.klassik	Classical	クラシック	Klassik	Música clásica	Musique classique	classical
deu.jazz-blues	Jazz & Blues	ジャズ・ブルース	Jazz und Blues	Jazz y blues	Jazz et blues
  deu.jazz	Jazz	ジャズ	=	=	=	jazz
  deu.blues	Blues	ブルース	=	=	=	blues
deu.country-folk	Country & Folk	カントリー・フォーク	Country und Folk	Country y folk	Country et folk
  deu.country	Country	カントリー	=	Música country	=	country
  deu.folk	Folk	フォーク	=	=	=	folk
deu.world	World & Latin	ワールド・ラテン	Weltmusik und Latin	Músicas del mundo y latina	Musiques du monde et latines
  deu.weltmusik	World	ワールド	Weltmusik	Músicas del mundo	Musiques du monde	world
  deu.latin	Latin	ラテン	=	Música latina	Musique latine	latin
  deu.reggae	Reggae	レゲエ	=	=	=	reggae
deu.soundtrack	Soundtracks & Musicals	サウンドトラック・ミュージカル	Soundtracks und Musicals	Bandas sonoras y musicales	Bandes originales et comédies musicales	soundtrack
deu.kinder	Children's	キッズ	Kindermusik	Música infantil	Musique pour enfants	childrens
deu.hoerspiel	Audio Drama & Audiobooks	オーディオドラマ・オーディオブック	Hörspiele und Hörbücher	Radioteatro y audiolibros	Fictions audio et livres audio	spoken-word
  deu.hoerspiel-drama	Audio Drama	オーディオドラマ	Hörspiel	Radioteatro	Fiction audio	audio-drama
  deu.hoerbuch	Audiobook	オーディオブック	Hörbuch	Audiolibro	Livre audio	audiobook
deu.comedy	Comedy & Cabaret	コメディ・カバレット	Comedy und Kabarett	Humor y cabaré	Humour et cabaret	comedy; cabaret
deu.entspannung	Relaxation	ヒーリング	Entspannung	Relajación	=	new-age; easy-listening
deu.weihnachten	Christmas & Holidays	クリスマス・行事	Weihnachten und Feste	Navidad y fiestas	Noël et fêtes	holiday
deu.religioes	Religious	宗教音楽	Religiöse Musik	Música religiosa	Musique religieuse	gospel-and-religious
deu.sonstiges	Other	その他	Sonstiges	Otros	Autres	other; experimental

"""#
}
