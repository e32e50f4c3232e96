// Written by scripts/data/embed-taxonomies; change the file in Data instead.
// swift-format-ignore-file

extension EmbeddedTaxonomies {
    static let era = #"""
earshot-taxonomy	1
# range: years, the upper bound excluded; periods of classical music have none, since a year does not tell them.
kind	era
version	1
id	eng	jpn	deu	spa	fra	range	aliases
2020s	2020s	2020年代	2020er	Años 2020	Années 2020	2020-2030
  2020s-early	Early 2020s	2020年代前半	Frühe 2020er	Principios de los 2020	Début des années 2020	2020-2023
  2020s-mid	Mid 2020s	2020年代中頃	Mitte der 2020er	Mediados de los 2020	Milieu des années 2020	2023-2027
  2020s-late	Late 2020s	2020年代後半	Späte 2020er	Finales de los 2020	Fin des années 2020	2027-2030
2010s	2010s	2010年代	2010er	Años 2010	Années 2010	2010-2020
  2010s-early	Early 2010s	2010年代前半	Frühe 2010er	Principios de los 2010	Début des années 2010	2010-2013
  2010s-mid	Mid 2010s	2010年代中頃	Mitte der 2010er	Mediados de los 2010	Milieu des années 2010	2013-2017
  2010s-late	Late 2010s	2010年代後半	Späte 2010er	Finales de los 2010	Fin des années 2010	2017-2020
2000s	2000s	2000年代	2000er	Años 2000	Années 2000	2000-2010	00s; Noughties
  2000s-early	Early 2000s	2000年代前半	Frühe 2000er	Principios de los 2000	Début des années 2000	2000-2003
  2000s-mid	Mid 2000s	2000年代中頃	Mitte der 2000er	Mediados de los 2000	Milieu des années 2000	2003-2007
  2000s-late	Late 2000s	2000年代後半	Späte 2000er	Finales de los 2000	Fin des années 2000	2007-2010
1990s	1990s	1990年代	1990er	Años 1990	Années 1990	1990-2000	90s; 90's
  1990s-early	Early 1990s	1990年代前半	Frühe 1990er	Principios de los 1990	Début des années 1990	1990-1993
  1990s-mid	Mid 1990s	1990年代中頃	Mitte der 1990er	Mediados de los 1990	Milieu des années 1990	1993-1997
  1990s-late	Late 1990s	1990年代後半	Späte 1990er	Finales de los 1990	Fin des années 1990	1997-2000
1980s	1980s	1980年代	1980er	Años 1980	Années 1980	1980-1990	80s; 80's
  1980s-early	Early 1980s	1980年代前半	Frühe 1980er	Principios de los 1980	Début des années 1980	1980-1983
  1980s-mid	Mid 1980s	1980年代中頃	Mitte der 1980er	Mediados de los 1980	Milieu des années 1980	1983-1987
  1980s-late	Late 1980s	1980年代後半	Späte 1980er	Finales de los 1980	Fin des années 1980	1987-1990
1970s	1970s	1970年代	1970er	Años 1970	Années 1970	1970-1980	70s; 70's
  1970s-early	Early 1970s	1970年代前半	Frühe 1970er	Principios de los 1970	Début des années 1970	1970-1973
  1970s-mid	Mid 1970s	1970年代中頃	Mitte der 1970er	Mediados de los 1970	Milieu des années 1970	1973-1977
  1970s-late	Late 1970s	1970年代後半	Späte 1970er	Finales de los 1970	Fin des années 1970	1977-1980
1960s	1960s	1960年代	1960er	Años 1960	Années 1960	1960-1970	60s; 60's
  1960s-early	Early 1960s	1960年代前半	Frühe 1960er	Principios de los 1960	Début des années 1960	1960-1963
  1960s-mid	Mid 1960s	1960年代中頃	Mitte der 1960er	Mediados de los 1960	Milieu des années 1960	1963-1967
  1960s-late	Late 1960s	1960年代後半	Späte 1960er	Finales de los 1960	Fin des années 1960	1967-1970
1950s	1950s	1950年代	1950er	Años 1950	Années 1950	1950-1960	50s; 50's
  1950s-early	Early 1950s	1950年代前半	Frühe 1950er	Principios de los 1950	Début des années 1950	1950-1953
  1950s-mid	Mid 1950s	1950年代中頃	Mitte der 1950er	Mediados de los 1950	Milieu des années 1950	1953-1957
  1950s-late	Late 1950s	1950年代後半	Späte 1950er	Finales de los 1950	Fin des années 1950	1957-1960
1940s	1940s	1940年代	1940er	Años 1940	Années 1940	1940-1950	40s; 40's
  1940s-early	Early 1940s	1940年代前半	Frühe 1940er	Principios de los 1940	Début des années 1940	1940-1943
  1940s-mid	Mid 1940s	1940年代中頃	Mitte der 1940er	Mediados de los 1940	Milieu des années 1940	1943-1947
  1940s-late	Late 1940s	1940年代後半	Späte 1940er	Finales de los 1940	Fin des années 1940	1947-1950
1930s	1930s	1930年代	1930er	Años 1930	Années 1930	1930-1940	30s; 30's
  1930s-early	Early 1930s	1930年代前半	Frühe 1930er	Principios de los 1930	Début des années 1930	1930-1933
  1930s-mid	Mid 1930s	1930年代中頃	Mitte der 1930er	Mediados de los 1930	Milieu des années 1930	1933-1937
  1930s-late	Late 1930s	1930年代後半	Späte 1930er	Finales de los 1930	Fin des années 1930	1937-1940
1920s	1920s	1920年代	1920er	Años 1920	Années 1920	1920-1930
  1920s-early	Early 1920s	1920年代前半	Frühe 1920er	Principios de los 1920	Début des années 1920	1920-1923
  1920s-mid	Mid 1920s	1920年代中頃	Mitte der 1920er	Mediados de los 1920	Milieu des années 1920	1923-1927
  1920s-late	Late 1920s	1920年代後半	Späte 1920er	Finales de los 1920	Fin des années 1920	1927-1930
1910s	1910s	1910年代	1910er	Años 1910	Années 1910	1910-1920
  1910s-early	Early 1910s	1910年代前半	Frühe 1910er	Principios de los 1910	Début des années 1910	1910-1913
  1910s-mid	Mid 1910s	1910年代中頃	Mitte der 1910er	Mediados de los 1910	Milieu des années 1910	1913-1917
  1910s-late	Late 1910s	1910年代後半	Späte 1910er	Finales de los 1910	Fin des années 1910	1917-1920
1900s	1900s	1900年代	1900er	Años 1900	Années 1900	1900-1910
  1900s-early	Early 1900s	1900年代前半	Frühe 1900er	Principios de los 1900	Début des années 1900	1900-1903
  1900s-mid	Mid 1900s	1900年代中頃	Mitte der 1900er	Mediados de los 1900	Milieu des années 1900	1903-1907
  1900s-late	Late 1900s	1900年代後半	Späte 1900er	Finales de los 1900	Fin des années 1900	1907-1910
c19	19th Century	19世紀	19. Jahrhundert	Siglo XIX	XIXe siècle	1800-1900
  c19-late	Late 19th Century	19世紀後半	Spätes 19. Jahrhundert	Finales del siglo XIX	Fin du XIXe siècle	1850-1900
  c19-early	Early 19th Century	19世紀前半	Frühes 19. Jahrhundert	Principios del siglo XIX	Début du XIXe siècle	1800-1850
c18	18th Century	18世紀	18. Jahrhundert	Siglo XVIII	XVIIIe siècle	1700-1800
  c18-late	Late 18th Century	18世紀後半	Spätes 18. Jahrhundert	Finales del siglo XVIII	Fin du XVIIIe siècle	1750-1800
  c18-early	Early 18th Century	18世紀前半	Frühes 18. Jahrhundert	Principios del siglo XVIII	Début du XVIIIe siècle	1700-1750
c17	17th Century	17世紀	17. Jahrhundert	Siglo XVII	XVIIe siècle	1600-1700
  c17-late	Late 17th Century	17世紀後半	Spätes 17. Jahrhundert	Finales del siglo XVII	Fin du XVIIe siècle	1650-1700
  c17-early	Early 17th Century	17世紀前半	Frühes 17. Jahrhundert	Principios del siglo XVII	Début du XVIIe siècle	1600-1650
c16	16th Century	16世紀	16. Jahrhundert	Siglo XVI	XVIe siècle	1500-1600
  c16-late	Late 16th Century	16世紀後半	Spätes 16. Jahrhundert	Finales del siglo XVI	Fin du XVIe siècle	1550-1600
  c16-early	Early 16th Century	16世紀前半	Frühes 16. Jahrhundert	Principios del siglo XVI	Début du XVIe siècle	1500-1550
before-1500	Before 1500	1500年以前	Vor 1500	Antes de 1500	Avant 1500	-1500
periods	Periods of Classical Music	クラシック音楽の時代	Epochen der klassischen Musik	Períodos de la música clásica	Périodes de la musique classique
  medieval	Medieval	中世	Mittelalter	Edad Media	Moyen Âge		Middle Ages
  renaissance	Renaissance	ルネサンス	=	Renacimiento	=
  baroque	Baroque	バロック	Barock	Barroco	=
    baroque-early	Early Baroque	前期バロック	Frühbarock	Barroco temprano	Premier baroque
    baroque-late	Late Baroque	後期バロック	Spätbarock	Barroco tardío	Baroque tardif		High Baroque
  classical	Classical Period	古典派	Klassik	Clasicismo	Période classique		Classicism; Viennese Classic
  romantic	Romantic Period	ロマン派	Romantik	Romanticismo	Romantisme		Romanticism
    romantic-early	Early Romantic	前期ロマン派	Frühromantik	Romanticismo temprano	Premier romantisme
    romantic-late	Late Romantic	後期ロマン派	Spätromantik	Romanticismo tardío	Romantisme tardif		Post-Romantic
  impressionist	Impressionist	印象派	Impressionismus	Impresionismo	Impressionnisme		Impressionism
  modern	Modern Period	近代	Moderne	Modernismo	Modernisme		Modernism
  contemporary	Contemporary	現代	Zeitgenössisch	Contemporáneo	Contemporain		Contemporary Classical; Postmodern

"""#
}
