// Written by scripts/data/embed-taxonomies; change the file in Data instead.
// swift-format-ignore-file

extension EmbeddedTaxonomies {
    static let tempo = #"""
earshot-taxonomy	1
# range: beats per minute, the upper bound excluded.
kind	tempo
version	1
id	eng	jpn	deu	spa	fra	range	aliases
slow	Slow Tempo	スロー	Langsames Tempo	Tempo lento	Tempo lent	-90	Slow
  very-slow	Very Slow	非常に遅い	Sehr langsam	Muy lento	Très lent	-60
    static	Nearly Still	ほぼ静止	Fast stillstehend	Casi inmóvil	Presque immobile	-40	Larghissimo
    grave	40s and 50s BPM	毎分40～59拍	40 bis 59 Schläge	40 a 59 pulsos	40 à 59 battements	40-60	Grave; Largo; Lento
  moderately-slow	Slow	遅い	Langsam	Lento	Lent	60-76	Adagio; Larghetto
    slow-60s	60s BPM	毎分60～69拍	60 bis 69 Schläge	60 a 69 pulsos	60 à 69 battements	60-70
    slow-70s	Low 70s BPM	毎分70～75拍	70 bis 75 Schläge	70 a 75 pulsos	70 à 75 battements	70-76
  medium-slow	Medium Slow	やや遅い	Mäßig langsam	Moderadamente lento	Modérément lent	76-90	Andante
    medium-slow-70s	High 70s BPM	毎分76～79拍	76 bis 79 Schläge	76 a 79 pulsos	76 à 79 battements	76-80
    medium-slow-80s	80s BPM	毎分80～89拍	80 bis 89 Schläge	80 a 89 pulsos	80 à 89 battements	80-90
medium	Medium Tempo	ミディアム	Mittleres Tempo	Tempo medio	Tempo moyen	90-120	Medium; Mid-Tempo; Moderate
  medium-relaxed	Relaxed Medium	ゆったり中程度	Ruhiges Mittelmaß	Medio relajado	Moyen détendu	90-105	Moderato; Andantino
    medium-90s	90s BPM	毎分90～99拍	90 bis 99 Schläge	90 a 99 pulsos	90 à 99 battements	90-100
    medium-100s	Low 100s BPM	毎分100～104拍	100 bis 104 Schläge	100 a 104 pulsos	100 à 104 battements	100-105
  medium-lively	Lively Medium	軽快な中程度	Belebtes Mittelmaß	Medio animado	Moyen animé	105-120	Allegretto; Medium Fast
    medium-high-100s	High 100s BPM	毎分105～109拍	105 bis 109 Schläge	105 a 109 pulsos	105 à 109 battements	105-110
    medium-110s	110s BPM	毎分110～119拍	110 bis 119 Schläge	110 a 119 pulsos	110 à 119 battements	110-120
fast	Fast Tempo	アップテンポ	Schnelles Tempo	Tempo rápido	Tempo rapide	120-	Fast; Up-Tempo
  moderately-fast	Fast	速い	Schnell	Rápido	Rapide	120-140	Allegro
    fast-120s	120s BPM	毎分120～129拍	120 bis 129 Schläge	120 a 129 pulsos	120 à 129 battements	120-130
    fast-130s	130s BPM	毎分130～139拍	130 bis 139 Schläge	130 a 139 pulsos	130 à 139 battements	130-140
  very-fast	Very Fast	非常に速い	Sehr schnell	Muy rápido	Très rapide	140-168	Vivace
    fast-140s	140s BPM	毎分140～149拍	140 bis 149 Schläge	140 a 149 pulsos	140 à 149 battements	140-150
    fast-150s	150s BPM	毎分150～159拍	150 bis 159 Schläge	150 a 159 pulsos	150 à 159 battements	150-160
    fast-160s	160s BPM	毎分160～167拍	160 bis 167 Schläge	160 a 167 pulsos	160 à 167 battements	160-168
  extremely-fast	Extremely Fast	極めて速い	Äußerst schnell	Rapidísimo	Extrêmement rapide	168-	Presto
    fast-170s	168 to 199 BPM	毎分168～199拍	168 bis 199 Schläge	168 a 199 pulsos	168 à 199 battements	168-200
    fast-200s	200 BPM and More	毎分200拍以上	200 Schläge und mehr	200 pulsos o más	200 battements et plus	200-	Prestissimo
free	Free Tempo	自由なテンポ	Freies Tempo	Tempo libre	Tempo libre		Rubato; No Beat
varying	Varying Tempo	変化するテンポ	Wechselndes Tempo	Tempo variable	Tempo variable		Variable

"""#
}
