// Written by scripts/data/embed-taxonomies; change the file in Data instead.
// swift-format-ignore-file

extension EmbeddedTaxonomies {
    static let mood = #"""
earshot-taxonomy	1
kind	mood
version	1
id	eng	jpn	deu	spa	fra	aliases
happy	Happy	ハッピー	Fröhlich	Alegre	Joyeux	Happiness
  cheerful	Cheerful	陽気	Heiter	Risueño	Gai	Feel Good; Good Mood
  joyous	Joyous	歓喜	Freudig	Jubiloso	Radieux	Joyful; Joy
  playful	Playful	遊び心	Verspielt	Juguetón	Espiègle	Fun; Quirky
  carefree	Carefree	気楽	Unbeschwert	Despreocupado	Insouciant	Breezy; Lighthearted
  celebratory	Celebratory	お祝い	Feierlich-froh	Festivo	Festif	Party; Festive
    triumphant	Triumphant	勝利	Triumphierend	Triunfal	Triomphant	Victorious
  humorous	Humorous	ユーモラス	Humorvoll	Gracioso	Drôle	Funny; Silly
energetic	Energetic	エネルギッシュ	Energiegeladen	Enérgico	Énergique	Energy; High Energy
  lively	Lively	活気	Lebhaft	Animado	Vif	Upbeat
  excited	Excited	興奮	Aufgeregt	Emocionado	Enthousiaste	Exciting; Pumped
  driving	Driving	疾走感	Treibend	Impulsivo	Entraînant	Workout; Motivational
  wild	Wild	ワイルド	=	Salvaje	Sauvage	Rowdy; Frenetic
  groovy	Groovy	グルーヴィー	=	Con ritmo	=	Funky; Danceable
    hypnotic	Hypnotic Groove	反復グルーヴ	Hypnotischer Groove	Ritmo hipnótico	Groove hypnotique	Hypnotic
calm	Calm	穏やか	Ruhig	Tranquilo	Calme	Quiet; Mellow
  peaceful	Peaceful	平和	Friedlich	Apacible	Paisible	Serene; Tranquil
  relaxed	Relaxed	リラックス	Entspannt	Relajado	Détendu	Chill; Relaxing; Laid-Back; Easygoing
  gentle	Gentle	優しい	Sanft	Suave	Doux	Soft; Soothing
  meditative	Meditative	瞑想的	Meditativ	Meditativo	Méditatif	Contemplative; Reflective
  dreamy	Dreamy	夢見心地	Verträumt	Soñador	Rêveur	Ethereal; Atmospheric
    floating	Floating	浮遊感	Schwebend	Flotante	Flottant	Spacey
  sleepy	Sleepy	眠い	Schläfrig	Somnoliento	Somnolent	Bedtime
romantic	Romantic	ロマンチック	Romantisch	Romántico	Romantique	Romance; Love
  tender	Tender	やさしい愛	Zärtlich	Tierno	Tendre	Affectionate; Loving
  sentimental	Sentimental	センチメンタル	=	=	=	Heartfelt
  passionate	Passionate	情熱的	Leidenschaftlich	Apasionado	Passionné	Intense Love
  sensual	Sensual	官能的	Sinnlich	=	Sensuel	Sexy; Seductive
    smoldering	Smoldering	くすぶる情熱	Glutvoll	Ardiente	Brûlant	Steamy
  yearning	Yearning	切望	Sehnsüchtig	Anhelante	Languissant	Longing; Wistful
sad	Sad	悲しい	Traurig	Triste	Triste	Sadness
  melancholic	Melancholic	メランコリック	Melancholisch	Melancólico	Mélancolique	Melancholy; Bittersweet
    nostalgic	Nostalgic	ノスタルジック	Nostalgisch	Nostálgico	Nostalgique	Nostalgia
  lonely	Lonely	孤独	Einsam	Solitario	Solitaire	Loneliness; Alienated
  heartbroken	Heartbroken	失恋	Mit gebrochenem Herzen	Con el corazón roto	Le cœur brisé	Breakup
  mournful	Mournful	哀悼	Trauernd	Afligido	Endeuillé	Grief; Elegiac
  gloomy	Gloomy	陰鬱	Düster-trüb	Sombrío	Morose	Depressed; Bleak
aggressive	Aggressive	攻撃的	Aggressiv	Agresivo	Agressif	Aggression
  angry	Angry	怒り	Wütend	Enojado	En colère	Anger; Rage
  fierce	Fierce	激しい	Heftig	Feroz	Féroce	Brutal; Heavy
  defiant	Defiant	反抗的	Trotzig	Desafiante	Provocateur	Rebellious
    swaggering	Swaggering	強気	Großspurig	Fanfarrón	Frimeur	Cocky; Attitude
  chaotic	Chaotic	混沌	Chaotisch	Caótico	Chaotique	Manic
dark	Dark	ダーク	Düster	Oscuro	Sombre	Darkness
  tense	Tense	緊迫	Angespannt	Tenso	Tendu	Suspense; Anxious; Suspenseful
  eerie	Eerie	不気味	Unheimlich	Inquietante	Inquiétant	Spooky; Haunting; Scary
  mysterious	Mysterious	神秘的	Geheimnisvoll	Misterioso	Mystérieux	Mystery; Enigmatic
  brooding	Brooding	沈思	Grüblerisch	Taciturno	Ténébreux	Moody
  ominous	Ominous	不吉	Bedrohlich	Amenazante	Menaçant	Menacing; Sinister
hopeful	Hopeful	希望	Hoffnungsvoll	Esperanzado	Plein d'espoir	Hope; Optimistic
  uplifting	Uplifting	高揚	Erhebend	Edificante	Exaltant	Inspiring; Inspirational
  empowering	Empowering	勇気づける	Bestärkend	Empoderador	Stimulant	Confident; Powerful
  soothing-hope	Comforting	慰め	Tröstend	Reconfortante	Réconfortant	Reassuring; Warm
serious	Serious	真剣	Ernst	Serio	Sérieux	Earnest
  solemn	Solemn	厳粛	Feierlich	Solemne	Solennel	Dignified; Stately
  spiritual	Spiritual	スピリチュアル	Spirituell	Espiritual	Spirituel	Sacred; Reverent
  thoughtful	Thoughtful	思索的	Nachdenklich	Reflexivo	Pensif	Introspective; Pensive
  epic	Epic	壮大	Episch	Épico	Épique	Cinematic; Majestic
    dramatic	Dramatic	ドラマチック	Dramatisch	Dramático	Dramatique	Theatrical
sophisticated	Sophisticated	洗練	Anspruchsvoll	Sofisticado	Raffiné	Refined
  elegant	Elegant	優雅	=	Elegante	Élégant	Graceful
  cool	Cool	クール	Lässig	Con estilo	Décontracté	Smooth; Suave
  urbane	Urban Night	都会の夜	Großstadtnacht	Noche urbana	Nuit urbaine	Late Night; Nocturnal
  complex	Complex	複雑	Vielschichtig	Complejo	Complexe	Cerebral

"""#
}
