// Written by scripts/data/embed-taxonomies; change the file in Data instead.
// swift-format-ignore-file

extension EmbeddedTaxonomies {
    static let artistType = #"""
earshot-taxonomy	1
kind	artistType
version	1
id	eng	jpn	deu	spa	fra	aliases
solo	Solo Artist	ソロ・アーティスト	Solokünstler	Solista	Artiste solo	Solo; Person; Individual
  solo-male	Male Solo	男性ソロ	Solokünstler (männlich)	Solista masculino	Artiste solo masculin	Male; Male Artist; Man
    solo-male-singer	Male Singer	男性歌手	Sänger	Cantante masculino	Chanteur	Male Vocalist
    solo-male-instrumentalist	Male Instrumentalist	男性演奏家	Instrumentalist	Instrumentista masculino	Instrumentiste masculin
    solo-male-rapper	Male Rapper	男性ラッパー	Rapper	Rapero	Rappeur
  solo-female	Female Solo	女性ソロ	Solokünstlerin	Solista femenina	Artiste solo féminine	Female; Female Artist; Woman
    solo-female-singer	Female Singer	女性歌手	Sängerin	Cantante femenina	Chanteuse	Female Vocalist
    solo-female-instrumentalist	Female Instrumentalist	女性演奏家	Instrumentalistin	Instrumentista femenina	Instrumentiste féminine
    solo-female-rapper	Female Rapper	女性ラッパー	Rapperin	Rapera	Rappeuse
  solo-other	Solo, Other Gender	その他の性のソロ	Solo, anderes Geschlecht	Solista, otro género	Solo, autre genre	Non-Binary; Nonbinary
  solo-virtual	Virtual Singer	バーチャル・シンガー	Virtuelle Stimme	Cantante virtual	Chanteur virtuel	Vocaloid; Character; Virtual
duo	Duo	デュオ	=	Dúo	=	Duet
  duo-male	Male Duo	男性デュオ	Männliches Duo	Dúo masculino	Duo masculin
  duo-female	Female Duo	女性デュオ	Weibliches Duo	Dúo femenino	Duo féminin
  duo-mixed	Mixed Duo	男女デュオ	Gemischtes Duo	Dúo mixto	Duo mixte
group	Group	グループ	Gruppe	Grupo	Groupe	Band; Ensemble
  group-male	Male Group	男性グループ	Männergruppe	Grupo masculino	Groupe masculin
    boy-band	Boy Band	ボーイズ・グループ	Boygroup	Banda juvenil masculina	Boys band
  group-female	Female Group	女性グループ	Frauengruppe	Grupo femenino	Groupe féminin
    girl-group	Girl Group	ガールズ・グループ	Girlgroup	Banda juvenil femenina	Girls band
  group-mixed	Mixed Group	男女混成グループ	Gemischte Gruppe	Grupo mixto	Groupe mixte
  chamber-ensemble	Chamber Ensemble	室内楽団	Kammerensemble	Conjunto de cámara	Ensemble de chambre
    string-quartet	String Quartet	弦楽四重奏団	Streichquartett	Cuarteto de cuerda	Quatuor à cordes
  jazz-combo	Jazz Combo	ジャズ・コンボ	Jazzcombo	Combo de jazz	Combo de jazz	Jazz Trio; Jazz Quartet
orchestra	Orchestra	オーケストラ	Orchester	Orquesta	Orchestre
  symphony-orchestra	Symphony Orchestra	交響楽団	Sinfonieorchester	Orquesta sinfónica	Orchestre symphonique	Philharmonic
  chamber-orchestra	Chamber Orchestra	室内管弦楽団	Kammerorchester	Orquesta de cámara	Orchestre de chambre
  big-band	Big Band	ビッグ・バンド	Bigband	Big band	Big band
  wind-band	Wind Band	吹奏楽団	Blasorchester	Banda de viento	Orchestre d'harmonie	Brass Band; Marching Band
choir	Choir	合唱団	Chor	Coro	Chœur	Chorus; Vocal Ensemble
  mixed-choir	Mixed Choir	混声合唱団	Gemischter Chor	Coro mixto	Chœur mixte
  male-choir	Male Choir	男声合唱団	Männerchor	Coro masculino	Chœur d'hommes
  female-choir	Female Choir	女声合唱団	Frauenchor	Coro femenino	Chœur de femmes
  childrens-choir	Children's Choir	児童合唱団	Kinderchor	Coro infantil	Chœur d'enfants
  gospel-choir	Gospel Choir	ゴスペル・クワイア	Gospelchor	Coro góspel	Chorale gospel
producer	DJ or Producer	DJ・プロデューサー	DJ oder Produzent	DJ o productor	DJ ou producteur
  dj	DJ	=	=	=	=	Disc Jockey
  record-producer	Producer	プロデューサー	Produzent	Productor	Producteur	Beatmaker
composer-or-conductor	Composer or Conductor	作曲家・指揮者	Komponist oder Dirigent	Compositor o director	Compositeur ou chef d'orchestre
  composer	Composer	作曲家	Komponist	Compositor	Compositeur
  conductor	Conductor	指揮者	Dirigent	Director de orquesta	Chef d'orchestre
cast	Cast	出演者	Ensemble einer Aufführung	Elenco	Distribution	Original Cast
  musical-cast	Musical Cast	ミュージカル出演者	Musicalensemble	Elenco de musical	Distribution de comédie musicale
  screen-cast	Film or Series Cast	映画・番組出演者	Film- oder Serienbesetzung	Elenco de cine o serie	Distribution de film ou série
speaker	Speaker	話者	Sprecher	Locutor	Narrateur	Spoken Word Artist
  comedian	Comedian	コメディアン	Komiker	Cómico	Humoriste
  narrator	Narrator	ナレーター	Erzähler	Narrador	Lecteur
various	Various Artists	ヴァリアス・アーティスト	Verschiedene Interpreten	Varios artistas	Artistes divers	VA; Various; Compilation
other	Other	その他	Sonstige	Otros	Autres

"""#
}
