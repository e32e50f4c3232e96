// Written by scripts/data/embed-taxonomies; change the file in Data instead.
// swift-format-ignore-file

extension EmbeddedTaxonomies {
    static let genreUSA = #"""
earshot-taxonomy	1
kind	genre
version	1
countries	USA
id	eng	jpn	deu	spa	fra	is
usa.country	Country	カントリー	=	Música country	=	country
  usa.bluegrass	Bluegrass	ブルーグラス	=	=	=	bluegrass
  usa.americana	Americana	アメリカーナ	=	=	=	americana
usa.r-and-b	R&B	=	=	=	=	r-and-b
  usa.soul	Soul	ソウル	=	=	=	soul
  usa.funk	Funk	ファンク	=	=	=	funk
usa.hip-hop	Hip-Hop/Rap	ヒップホップ・ラップ	Hip-Hop und Rap	Hip-hop y rap	Hip-hop et rap	hip-hop
  usa.east-coast	East Coast	イースト・コースト	Ostküste	Costa Este	Côte Est	east-coast-hip-hop
  usa.west-coast	West Coast	ウエスト・コースト	Westküste	Costa Oeste	Côte Ouest	g-funk
  usa.southern	Southern	サザン	Südstaaten	Sur	Sud	southern-hip-hop
usa.pop	Pop	ポップス	=	=	=	pop
  usa.adult-contemporary	Adult Contemporary	アダルト・コンテンポラリー	=	Pop adulto contemporáneo	Pop adulte	adult-contemporary
  usa.oldies	Oldies	オールディーズ	=	Clásicos	Vieux succès	oldies
usa.rock	Rock	ロック	=	=	=	rock
  usa.classic-rock	Classic Rock	クラシック・ロック	=	Rock clásico	Rock classique	classic-rock
  usa.southern-rock	Southern Rock	サザン・ロック	Südstaatenrock	Rock sureño	Rock sudiste	southern-rock
usa.alternative	Alternative & Punk	オルタナティブ・パンク	Alternative und Punk	Alternativa y punk	Alternative et punk	alternative
  usa.punk	Punk	パンク	=	=	=	punk
  usa.grunge	Grunge	グランジ	=	=	=	grunge
usa.metal	Metal	メタル	=	=	=	metal
usa.latin	Latin	ラテン	=	Música latina	Musique latine	latin
  usa.regional-mexican	Regional Mexican	メキシコ地域音楽	Regionale mexikanische Musik	Regional mexicano	Musique régionale mexicaine	regional-mexican
  usa.reggaeton	Reggaeton	レゲトン	=	Reguetón	=	reggaeton
usa.dance	Dance & Electronic	ダンス・エレクトロニック	Dance und Elektronik	Dance y electrónica	Dance et électronique	dance; electronic; disco
usa.christian	Christian & Gospel	クリスチャン・ゴスペル	Christliche Musik und Gospel	Música cristiana y góspel	Musique chrétienne et gospel	gospel-and-religious
  usa.gospel	Gospel	ゴスペル	=	Góspel	=	gospel
  usa.ccm	Contemporary Christian	コンテンポラリー・クリスチャン	Zeitgenössische christliche Musik	Música cristiana contemporánea	Musique chrétienne contemporaine	contemporary-christian
  usa.christian-rock	Christian Rock	クリスチャン・ロック	Christlicher Rock	Rock cristiano	Rock chrétien	christian-rock
  usa.christian-hip-hop	Christian Hip-Hop	クリスチャン・ヒップホップ	Christlicher Hip-Hop	Hip-hop cristiano	Hip-hop chrétien	christian-hip-hop
usa.jazz	Jazz	ジャズ	=	=	=	jazz
usa.blues	Blues	ブルース	=	=	=	blues
usa.folk	Folk	フォーク	=	=	=	folk
  usa.native-american	Native American	ネイティブ・アメリカン音楽	Indigene Musik Nordamerikas	Música indígena norteamericana	Musique amérindienne	native-american
usa.classical	Classical	クラシック	Klassik	Música clásica	Musique classique	classical
usa.soundtrack	Soundtrack & Broadway	サウンドトラック・ブロードウェイ	Soundtrack und Broadway	Bandas sonoras y Broadway	Bandes originales et Broadway	soundtrack
  usa.broadway	Broadway	ブロードウェイ	=	=	=	musical
usa.world	World & Reggae	ワールド・レゲエ	Weltmusik und Reggae	Músicas del mundo y reggae	Musiques du monde et reggae	world
  usa.reggae	Reggae	レゲエ	=	=	=	reggae
  usa.k-pop	K-Pop	K-POP	=	K-pop	K-pop	k-pop
  usa.j-pop	J-Pop	J-POP	=	J-pop	J-pop	j-pop
usa.new-age	New Age & Easy Listening	ニューエイジ・イージーリスニング	New Age und Easy Listening	New age y música ligera	New age et musique légère	new-age; easy-listening
usa.children	Children's	キッズ	Kindermusik	Música infantil	Musique pour enfants	childrens
usa.holiday	Holiday	ホリデー	Feiertagsmusik	Música festiva	Musique de fêtes	holiday
usa.comedy	Comedy & Spoken	コメディ・スポークン	Comedy und Gesprochenes	Humor y palabra hablada	Humour et textes parlés
  usa.comedy-only	Comedy	コメディ	=	Humor	Humour	comedy
  usa.spoken	Spoken Word	スポークン・ワード	Gesprochenes	Palabra hablada	Textes parlés	spoken-word
usa.other	Other	その他	Sonstiges	Otros	Autres	other; experimental

"""#
}
