// Vocabulary of the fictional sample registry: sentences of planning documents with slots in braces, the choices for
// the slots (prose.ts), and the syllables of invented names (places.ts). The words of titles and areas are in plan.ts.

export const sentences: readonly [string, ...string[]] = [
  'El presente documento tiene por objeto la ordenación pormenorizada del suelo {class} incluido en el ámbito ' +
    'delimitado en los planos {plans}.',
  'La edificabilidad máxima se fija en {index} m²t/m²s, con destino a uso {use} y tipología de {building}.',
  'Se clasifica como suelo {class} la superficie de {surface} m² situada en el paraje de {place}.',
  'La memoria justificativa expone la conveniencia y oportunidad de la propuesta en relación con {matter}.',
  'El sistema de actuación previsto es el de {system}, conforme a la legislación urbanística aplicable.',
  'Se reserva suelo para {facility} con una superficie no inferior a {surface} m².',
  'Las cesiones obligatorias comprenden viales, zonas verdes y {facility}, libres de cargas y gravámenes.',
  'La altura máxima reguladora será de {floors} plantas, medida desde la rasante de la acera.',
  'El retranqueo mínimo a linderos se establece en {metres} metros, salvo en parcelas con frente a {road}.',
  'El uso dominante es el {use}; se admiten como compatibles el {use} y el {use}.',
  'La red de {network} se conectará a la existente en {road}, según el informe de la compañía suministradora.',
  'Se incorpora el informe favorable de {organ} en materia de {matter}.',
  'El Pleno del Ayuntamiento acordó la aprobación {approval} en sesión {session} celebrada en la casa consistorial.',
  'El expediente se sometió a información pública durante {days} días sin que se presentaran alegaciones.',
  'Durante la información pública se presentaron {count} alegaciones, de las cuales se estimaron las relativas a ' +
    '{matter}.',
  'El ámbito limita al norte con {boundary}, al sur con {boundary} y al oeste con terrenos de {place}.',
  'La parcela mínima edificable se fija en {surface} m² con un frente a vía pública de {metres} metros.',
  'Se protege la arquitectura tradicional, en particular {heritage}, mediante la inclusión en el catálogo municipal.',
  'El estudio económico financiero cifra las obras de urbanización en {money} euros, a cargo de los propietarios.',
  'Los terrenos afectados por {risk} quedan sujetos a las limitaciones del informe de {organ}.',
  'El aprovechamiento tipo del área de reparto resulta de {index} unidades homogeneizadas.',
  'Se mantiene el arbolado existente, compuesto por ejemplares de {tree} y de {tree}.',
  'Las cubiertas serán inclinadas, de {material}, y los paramentos exteriores se acabarán en {material}.',
  'La modificación no supone incremento de la edificabilidad ni de la densidad de viviendas del planeamiento vigente.',
  'Se delimita una unidad de ejecución de {surface} m² para su desarrollo por el sistema de {system}.',
  'La ordenanza de {building} regula las condiciones de volumen, uso y composición estética de las edificaciones.',
  'El viario proyectado enlaza con {road} mediante una glorieta de {metres} metros de radio.',
  'El suelo no urbanizable de especial protección comprende {boundary} y los terrenos colindantes.',
  'Queda fuera de ordenación la construcción destinada a {use} emplazada en {place}.',
  'El plan de etapas prevé la ejecución en {years} años, contados desde la aprobación {approval}.',
  'Se corrige el error material advertido en los planos {plans} respecto a la alineación de {road}.',
  'El número máximo de viviendas será de {count}, de las que el treinta por ciento tendrá protección pública.',
  'La evaluación ambiental concluye que no existen efectos significativos sobre {nature}.',
  'El documento refundido recoge las prescripciones impuestas por {organ}.',
  'Las plazas de aparcamiento se dispondrán en el interior de la parcela, a razón de una por vivienda.',
  'Se suspende el otorgamiento de licencias en el ámbito de {place} por plazo de un año.',
  'La finca matriz procede de la segregación practicada ante el notario de {place}.',
  'El proyecto de reparcelación distribuye los beneficios y cargas entre los {count} titulares de fincas aportadas.',
  'El vertido de aguas residuales se conducirá a {water} previa depuración.',
  'Se prevé una conexión peatonal con {boundary} que salva {water}.',
]

/**
 * The choices for each slot, the most common first. `{place}` and the slots for figures, such as `{surface}`, are not
 * here, because prose.ts makes them up.
 */
export const slots: Readonly<Record<string, readonly [string, ...string[]]>> = {
  class: toList(
    'urbano, urbanizable, no urbanizable, urbano consolidado, urbano no consolidado, rústico, ' +
      'apto para urbanizar, urbanizable no delimitado, rústico de protección agropecuaria',
  ),
  plans: toList(
    'de ordenación, de información, de alineaciones, de clasificación, de calificación, ' +
      'de infraestructuras, topográficos, catastrales',
  ),
  use: toList(
    'residencial, industrial, terciario, dotacional, comercial, hotelero, agrícola, ganadero, logístico, ' +
      'deportivo, asistencial, recreativo, sanitario, docente, funerario, extractivo, forestal, portuario, ' +
      'ferroviario, cinegético, apícola, balneario',
  ),
  building: toList(
    'vivienda unifamiliar aislada, edificación abierta, manzana cerrada, vivienda adosada, ' +
      'bloque exento, nave nido, vivienda pareada, casco antiguo, ciudad jardín, edificación agrícola, ' +
      'torre, cortijo, masía, caserío, pazo, barraca',
  ),
  system: toList(
    'compensación, cooperación, expropiación, gestión indirecta, gestión directa, concierto, ' +
      'concurrencia, agente urbanizador, agente rehabilitador',
  ),
  facility: toList(
    'equipamiento público, espacios libres, centro docente, zona deportiva, centro de salud, biblioteca, ' +
      'parque infantil, aparcamiento disuasorio, cementerio, mercado, guardería, residencia de mayores, ' +
      'estación de autobuses, parque de bomberos, tanatorio, punto limpio, conservatorio, velódromo, ' +
      'lonja, planetario',
  ),
  road: toList(
    'la calle Mayor, la carretera nacional, la avenida de la Constitución, la travesía, la ronda norte, ' +
      'el camino viejo, la calle del Sol, la plaza de España, la cañada real, la autovía, ' +
      'el camino de servicio, la vía pecuaria, la calle de las Ánimas, el paseo marítimo, ' +
      'la cuesta del Hospital, la colada, el cordel, la calzada romana, la pasarela',
  ),
  network: toList(
    'saneamiento, abastecimiento de agua, energía eléctrica, alumbrado público, pluviales, ' +
      'telecomunicaciones, riego, gas, recogida neumática, fibra óptica, hidrantes',
  ),
  organ: toList(
    'la Comisión Territorial de Urbanismo, la Consejería competente, la Confederación Hidrográfica, ' +
      'la Diputación Provincial, la Dirección General de Carreteras, la Demarcación de Costas, ' +
      'los servicios técnicos municipales, la Comisión de Patrimonio Cultural, la Agencia del Agua, ' +
      'Aviación Civil, el Ministerio de Defensa, la Delegación del Gobierno, el administrador ferroviario, ' +
      'la Autoridad Portuaria, la mancomunidad, el consejo comarcal, la comunidad de regantes',
  ),
  matter: toList(
    'carreteras, medio ambiente, patrimonio cultural, dominio público hidráulico, movilidad, ' +
      'perspectiva de género, recursos hídricos, infraestructura verde, inundabilidad, paisaje, ' +
      'accesibilidad, contaminación acústica, vías pecuarias, arqueología, servidumbres aeronáuticas, ' +
      'montes, costas, eficiencia energética, incendios forestales, demografía, geotecnia, sismicidad, ' +
      'paleontología, espeleología',
  ),
  approval: toList('inicial, definitiva, provisional, parcial, inicial y provisional'),
  session: toList('ordinaria, extraordinaria, extraordinaria y urgente, plenaria'),
  boundary: toList(
    'suelo rústico, la vía del ferrocarril, el casco urbano, el monte público, el arroyo, ' +
      'la acequia mayor, el polígono industrial, la dehesa boyal, la huerta, el pinar, el cementerio, ' +
      'la marjal, el soto, la rambla, el acantilado, las salinas, el alcornocal, la albufera, el hayedo, ' +
      'la escombrera, el olivar centenario, la turbera, el sabinar, las dunas',
  ),
  heritage: toList(
    'la iglesia parroquial, los molinos harineros, las bodegas subterráneas, los hórreos, la muralla, ' +
      'los lavaderos, la ermita, los palomares, el puente medieval, los pozos de nieve, las casas cueva, ' +
      'el castillo, el acueducto, las eras empedradas, los abrevaderos, la almazara, el humilladero, ' +
      'las pallozas, la noria, los chozos, el batán, la atalaya, el crucero, las tenerías',
  ),
  risk: toList(
    'inundación, desprendimientos, incendio forestal, avenidas, subsidencia, erosión, deslizamiento, ' +
      'karstificación, expansividad de arcillas, licuefacción',
  ),
  tree: toList(
    'pino carrasco, olivo, encina, chopo, plátano de sombra, algarrobo, roble, almendro, ciprés, ' +
      'castaño, palmera, olmo, fresno, nogal, sabina, tejo, tamarindo, laurisilva, drago, acebo, quejigo, ' +
      'madroño, carpe, almez',
  ),
  material: toList(
    'teja cerámica curva, mortero monocapa, piedra caliza, ladrillo visto, pizarra, madera, ' +
      'enfoscado y pintado, chapa lacada, granito, revoco a la cal, vidrio, acero corten, tapial, adobe, ' +
      'hormigón visto, azulejo, zinc, lajas de arenisca, esgrafiado, cañizo',
  ),
  nature: toList(
    'la fauna, la vegetación, los acuíferos, el paisaje, la Red Natura 2000, las aves esteparias, ' +
      'los humedales, el lince ibérico, la avutarda, los quirópteros, el fartet, la malvasía, el urogallo, ' +
      'la tortuga mora, el visón europeo, el samaruc',
  ),
  water: toList(
    'la depuradora comarcal, el río, el barranco, el colector general, el canal, la acequia, ' +
      'el emisario submarino, la balsa, el azarbe, el embalse, la laguna, el estuario',
  ),
  floors: toList('dos, tres, cuatro, una, cinco, seis, ocho, doce, catorce, veintidós'),
  days: toList('treinta, veinte, cuarenta y cinco, quince, sesenta, diez'),
  years: toList('cuatro, ocho, dos, cinco, diez, doce, dieciséis'),
}

/** Splits a text at its commas. */
function toList(text: string): [string, ...string[]] {
  const [first = '', ...rest] = text.split(', ')
  return [first, ...rest]
}

/**
 * Sentences of documents. Some of their words are in no title and no column `content`, so a search for them finds only
 * records with a document.
 */
export const documentSentences: readonly [string, ...string[]] = [
  'El replanteo se apoyará en los hitos amojonados que figuran en el levantamiento taquimétrico.',
  'Los muros de mampostería careada se rejuntarán con argamasa bastarda y llagueado enrasado.',
  'El firme se compone de zahorra artificial compactada, riego de imprimación y mezcla bituminosa en caliente.',
  'Los bordillos serán prefabricados, achaflanados, con rígola de hormigón blanco.',
  'Las arquetas de registro llevarán tapa de fundición dúctil con inscripción indeleble.',
  'El desbroce respetará los ribazos, los majanos y los bancales de piedra seca.',
  'La escorrentía se laminará en un tanque de tormentas provisto de aliviadero y desarenador.',
  'Los soportales conservarán las zapatas labradas, los canecillos y las rejas de forja.',
  'Se repondrán los adoquines levantados durante la zanja y se nivelará el empedrado.',
  'La jardinería empleará plantas xerófilas, acolchado de gravilla y goteo enterrado.',
  'Las luminarias evitarán el deslumbramiento y el resplandor nocturno por encima de la horizontal.',
  'Las barandillas y los pasamanos cumplirán la anchura libre de paso exigida en itinerarios sin peldaños.',
]

/** Syllables of invented names: one of `first`, one or more of `middle`, one of `last`. */
export const syllables = {
  first: ['Val', 'Mon', 'Car', 'Ber', 'Tor', 'San', 'Gua', 'Rib', 'Pen', 'Al', 'Cas', 'Mor', 'Lla', 'Fon', 'Bar', 'Ur'],
  middle: ['de', 'ta', 'ri', 'lo', 'ma', 'ne', 'cu', 'bra', 'go', 'li', 'sa', 'rre', 'fi', 'ño', 've', 'zu'],
  last: [
    'do',
    'lla',
    'res',
    'gón',
    'ñana',
    'rrias',
    'les',
    'sco',
    'tana',
    'vel',
    'món',
    'cín',
    'bla',
    'drós',
    'guera',
    'jo',
  ],
} as const
