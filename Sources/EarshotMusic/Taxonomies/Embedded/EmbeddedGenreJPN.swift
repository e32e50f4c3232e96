// Written by scripts/data/embed-taxonomies; change the file in Data instead.
// swift-format-ignore-file

extension EmbeddedTaxonomies {
    static let genreJPN = #"""
earshot-taxonomy	1
kind	genre
version	1
countries	JPN
id	eng	jpn	deu	spa	fra	is
jpn.j-pop	J-Pop	J-POP	=	J-pop	J-pop	j-pop
  jpn.city-pop	City Pop	シティ・ポップ	=	City pop	City pop	city-pop
  jpn.idol	Idol	アイドル	=	Idols	Idoles	idol
  jpn.j-rock	J-Rock	邦楽ロック	=	J-rock	J-rock	j-rock
    jpn.visual-kei	Visual Kei	ヴィジュアル系	=	=	=	visual-kei
  jpn.j-hip-hop	Japanese Hip-Hop	日本語ラップ	Japanischer Hip-Hop	Hip-hop japonés	Hip-hop japonais	japanese-hip-hop
jpn.enka-kayo	Enka & Kayokyoku	演歌・歌謡曲	Enka und Kayokyoku	Enka y kayokyoku	Enka et kayokyoku
  jpn.enka	Enka	演歌	=	=	=	enka
  jpn.kayokyoku	Kayokyoku	歌謡曲	=	=	=	kayokyoku
jpn.anime-game	Anime & Games	アニメ・ゲーム	Anime und Spiele	Anime y juegos	Anime et jeux
  jpn.anime	Anime	アニメ	=	=	=	anime
  jpn.game	Game Music	ゲーム音楽	Spielemusik	Música de juegos	Musique de jeux	video-game
jpn.k-pop-asia	K-Pop & Asian Pop	K-POP・アジア	K-Pop und Asien	K-pop y pop asiático	K-pop et pop asiatique
  jpn.k-pop	K-Pop	K-POP	=	K-pop	K-pop	k-pop
  jpn.c-pop	C-Pop	C-POP	=	C-pop	C-pop	c-pop
jpn.western-pop	International Pop	洋楽ポップス	Internationaler Pop	Pop internacional	Pop internationale	pop
jpn.western-rock	International Rock	洋楽ロック	Internationaler Rock	Rock internacional	Rock international
  jpn.rock	Rock	ロック	=	=	=	rock
  jpn.alternative	Alternative	オルタナティブ	=	Alternativa	Musique alternative	alternative
  jpn.punk	Punk	パンク	=	=	=	punk
jpn.metal	Hard Rock & Metal	ハードロック・メタル	Hard Rock und Metal	Rock duro y metal	Hard rock et metal	metal; hard-rock
jpn.hip-hop	Hip-Hop	ヒップホップ	=	=	=	hip-hop
jpn.r-and-b	R&B & Soul	R&B・ソウル	R&B und Soul	R&B y soul	R&B et soul	r-and-b
jpn.dance	Dance & Electronic	ダンス・エレクトロニカ	Dance und Elektronik	Dance y electrónica	Dance et électronique
  jpn.club	Dance	ダンス	=	Música dance	=	dance
  jpn.electronic	Electronic	エレクトロニカ	Elektronische Musik	Electrónica	Musique électronique	electronic
  jpn.disco	Disco	ディスコ	=	Música disco	=	disco
jpn.jazz	Jazz & Fusion	ジャズ・フュージョン	Jazz und Fusion	Jazz y fusión	Jazz et fusion	jazz
jpn.blues	Blues	ブルース	=	=	=	blues
jpn.country-folk	Country & Folk	カントリー・フォーク	Country und Folk	Country y folk	Country et folk
  jpn.country	Country	カントリー	=	Música country	=	country
  jpn.folk	Folk	フォーク	=	=	=	folk
jpn.reggae	Reggae	レゲエ	=	=	=	reggae
jpn.classical	Classical	クラシック	Klassik	Música clásica	Musique classique	classical
jpn.soundtrack	Soundtracks	サウンドトラック	=	Bandas sonoras	Bandes originales	soundtrack
jpn.traditional	Traditional Japanese	純邦楽・民謡	Traditionelle japanische Musik	Música tradicional japonesa	Musique traditionnelle japonaise	japanese-traditional
jpn.world	World & Latin	ワールド・ラテン	Weltmusik und Latin	Músicas del mundo y latina	Musiques du monde et latines
  jpn.world-music	World	ワールド	Weltmusik	Músicas del mundo	Musiques du monde	world
  jpn.latin	Latin	ラテン	=	Música latina	Musique latine	latin
jpn.healing	Healing & Easy Listening	ヒーリング・イージーリスニング	Entspannung und Easy Listening	Relajación y música ligera	Relaxation et musique légère
  jpn.new-age	New Age & Healing	ニューエイジ・ヒーリング	New Age	New age	New age	new-age
  jpn.easy-listening	Easy Listening	イージーリスニング	=	Música ligera	Musique légère	easy-listening
jpn.kids	Kids & Family	キッズ・ファミリー	Kinder und Familie	Infantil y familiar	Enfants et famille	childrens
jpn.other	Other	その他	Sonstiges	Otros	Autres	other; experimental; comedy; spoken-word; holiday; gospel-and-religious

"""#
}
