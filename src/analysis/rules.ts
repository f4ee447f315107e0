// The rules for numbers and the things that they belong to. Every spelling of a thing with its number (`Fase II`,
// `2ª fase`, `segunda fase`) is one entity, the stem `fase 2`. A text is indexed with its entities, and a term searches
// for them in place of the words that they stand for. So two spellings find each other if rules read them as the same
// entity. A rule is a row: its pattern, its entity, and examples that test/analysis/rules.test.ts runs in both
// directions. entities.ts applies the rules.

export interface Rule {
  /**
   * A regular expression over the words of a text, whose names are those of word-classes.ts. `ORDINAL` is `2ª` or
   * `segunda`, `FEMININES` are several (`2ª y 3ª`), and `LIST` is what may follow a number (`, 3 y 4`). A `~` before
   * a name: no punctuation stands before the word. `^` and `$` are the start and the end of the text.
   */
  readonly pattern: string
  /**
   * What the entity of each number is:
   * - `thing`: the thing and the number, `fase 2`;
   * - `count`: the number and the things, `22 vivienda`;
   * - `letter`: the thing and the letter, `linea e`;
   * - `number`: the word "number" and the number, `numero 5`. A term searches for the thing as well;
   * - `year`: the year in four digits, `1997`. A term searches for the plan as well;
   * - `arabic`: the number alone, `3` for `III`;
   * - `plot`: the word `parcela`, without the code after it;
   * - `none`: nothing. The words are read, so that no other rule reads them.
   */
  readonly entity: 'thing' | 'count' | 'letter' | 'number' | 'year' | 'arabic' | 'plot' | 'none'
  /** Only texts have the entity: a term may mean something else by these words. */
  readonly isInTextsOnly?: true
  /** Spellings that find each other. */
  readonly same?: readonly (readonly string[])[]
  /** A term, and texts that it finds. They say more than the term, so they do not find it. */
  readonly found?: readonly (readonly [term: string, ...texts: string[]])[]
  /** A term, and texts that it does not find. */
  readonly different?: readonly (readonly [term: string, ...texts: string[]])[]
}

/** From left to right: of two rules at the same word the first decides, and no other rule reads the words again. */
export const rules: readonly Rule[] = [
  {
    pattern: 'KING ROMAN',
    entity: 'none',
    different: [
      ['segunda fase', 'Juan Pablo II, fase de obras'],
      ['carlos 3', 'Carlos III'],
    ],
  },
  {
    // A plan from before the first land act of 1956 is hardly ever named by two digits.
    pattern: 'GENERAL_PLAN YEAR | (GENERAL_PLAN | PLAN GENERAL) PLAN_WORD{0,4} SHORT_YEAR (?= $ | STOP)',
    entity: 'year',
    same: [['PGOU 97', 'PGOU de 1997', 'pgou-97', 'PGOUM-97', "PGOU'97", 'Plan General del 97', 'plan general 1997']],
    found: [['PG 97', 'Plan General de Ordenación Urbana del 97']],
    different: [
      ['pgou 1997', 'Plan Parcial 97', 'PGOU 98', 'PGOU nº 97'],
      ['plan general 1975', 'Modificación del Plan General. 75 viviendas'],
      ['1912', 'PGOU 12'],
    ],
  },
  {
    pattern:
      'PHASE NUMBER? SHORT_NUMERAL LIST | PART NUMBER? NUMERAL LIST | THING QUALIFIER? NUMBER? NUMERAL NOT_COUNTED LIST',
    entity: 'thing',
    same: [
      ['Fase II', 'fase 2', 'fase nº 2', 'fase ii'],
      ['Sector III', 'Sect. 3', 'SECTOR nº 3'],
      ['parcela 37', 'Parc. nº 37', 'PARC.37'],
      ['edificio nº 15', 'Edif. 15'],
      ['escuela infantil 2', 'Escola infantil núm. 2'],
      ['gual 12', 'vado nº 12'],
    ],
    found: [
      ['fase 2', 'Fases I y II'],
      ['sector 3', 'Sectores II y III', 'Sectores nºs II y III'],
      ['parcela 36', 'Parcelas 35, 36 y 37'],
      ['artículo 40', 'Artículo 40, alturas.', 'Artículo 40.- Alturas', 'ARTÍCULO 40\nALTURAS'],
      ['edificio 5', 'Edificio 5, plantas 1 y 2', 'Edificios 4 y 5, plantas bajas', 'Edificio 5 plantas 1 y 2'],
      ['vado 3', 'Vado permanente nº 3'],
      ['puesto 3', 'Mercado: reforma del puesto nº 3'],
    ],
    different: [
      ['sector III', 'Sector 5, Carlos III', 'Sect. II, parcela 3', 'Sector Norte 3', 'Sector UE 3'],
      ['sector 25', 'Sector 3, 25 viviendas'],
      ['edificio 5', 'Edificio 5 plantas', 'Edificio de 4 y 5 plantas'],
      ['pabellón 8', 'Pabellón 18, 8 accesos'],
      ['tramo 2', 'Tramo 1: 2 km'],
      ['sector 5', 'Sector V'],
      ['escuela infantil 18', 'Escuela infantil Los Naranjos: 8 aulas, Naranjo 18'],
      ['etapa 2', 'Etapa 1, parcela 2', '2 etapas'],
      ['fase i', 'Polígono Industrial, segunda fase'],
    ],
  },
  {
    pattern: 'THING NUMBER? (LETTER (?! DIGITS) (AND? LETTER (?! DIGITS))* | ANY_LETTER $)',
    entity: 'letter',
    found: [
      ['bloque E', 'Bloques C, D y E'],
      ['línea E', 'Línea E del metro'],
      ['bloque b', 'Bloque B, 3º izda.'],
    ],
    different: [
      ['línea E', 'Línea 3 e instalaciones', 'Línea F'],
      ['edificio d', "Edifici d'habitatges"],
    ],
  },
  {
    // The modification after the last ordinal of a list may have that ordinal: `Planta 2º y 3ª modificación`.
    pattern:
      '(FEMININE_THING NUMBER? ORDINAL_F | MASCULINE_THING NUMBER? ORDINAL_M) (LINK* ORDINAL (?! ~MODIFICATION))*',
    entity: 'thing',
    same: [['Fase 2ª', 'fase segunda', '2ª fase']],
    different: [['modificación nº 2', 'Planta 2ª modificación de uso', 'Fase 2ª, modificación del PGOU']],
  },
  {
    pattern: 'LAST PHASE',
    entity: 'none',
    different: [['fase 3', 'Última fase: 3 laboratorios']],
  },
  {
    // Some type the degree sign for `ª` too: `2° etapa`.
    pattern: '(FEMININES LINK* FEMININE_THING | MASCULINES LINK* (MASCULINE_THING | PHASE)) (?! NUMBER NUMERAL)',
    entity: 'thing',
    same: [
      ['2ª fase', 'segunda fase', '2a fase', 'Fase II'],
      ['2ª etapa', '2° etapa', '2da. etapa', 'etapa 2'],
      ['2n tram', 'segon tram', 'tramo 2', '2º tramo'],
    ],
    found: [
      ['segunda fase', '1ª a 2ª fase', '2ª y última fase', '1ª/2ª fase'],
      ['1ra etapa', 'Barrio 20 - 1ra etapa: 552 viviendas'],
      ['segunda etapa', 'Segunda etapa: 120 nichos'],
    ],
    different: [
      ['tercera fase', 'Segunda fase, tercera modificación'],
      ['fase 2', 'Sector 5, 2ª planta, fase 3'],
    ],
  },
  {
    // Basque numbers stand before what they number.
    pattern: 'DIGITS BASQUE_THING (?! NUMBER? NUMERAL)',
    entity: 'thing',
    same: [['8. sektorea', 'sector 8', 'sektore 8']],
    found: [['sector 18', '18. sektoreko plan partziala']],
    different: [['sector 8', 'Goya, 8. Sectores Norte y Sur']],
  },
  {
    pattern: 'DIGITS BASQUE_MODIFICATION',
    entity: 'number',
    same: [['5. aldaketa', 'modificación nº 5', '5ª modificación']],
    different: [['5. aldaketa', 'Modificación del sector 5']],
  },
  {
    // Elsewhere in a term the number may be that of a house: `goya 5 viviendas`.
    pattern: '(?<= ^ | STOP) DIGITS (~WORD)? ~COUNTED (?! NUMBER? NUMERAL)',
    entity: 'count',
    same: [['22 viviendas', '22 habitatges', '22 vivendas']],
    found: [['22 viviendas', 'edificio de 22 nuevas viviendas']],
    different: [['22 viviendas', 'Viviendas en Sol, 22', 'Vivienda. Sol, 22. Viviendas en venta', '22 km, viviendas']],
  },
  {
    pattern: 'DIGITS (~WORD)? ~COUNTED (?! NUMBER? NUMERAL)',
    entity: 'count',
    isInTextsOnly: true,
    found: [
      ['goya 5 viviendas', 'Viviendas en Goya, 5'],
      ['22 viviendas', 'Sector Norte: 22 viviendas'],
    ],
  },
  {
    // Another word after the phase may have the numeral before it: `Benavente II, Fase 1`.
    pattern: 'ROMAN PHASE (?= $ | STOP)',
    entity: 'thing',
    same: [['II Fase', 'fase 2']],
    found: [['fase 2', 'II fase de obras']],
    different: [['segunda fase', 'Sector II, fase norte', 'Benavente II. Fase III', 'Norte II, Fase nº 1']],
  },
  {
    pattern: '(^ FEMININES MODIFICATION | FEMININES ~MODIFICATION | MODIFICATION ~FEMININES (?= $ | STOP))',
    entity: 'number',
    same: [['Modificación nº 5', '5ª modificación', 'quinta modificación', 'modificación quinta', 'modificación 5']],
    found: [['segunda modificación', '1ª y 2ª modificación', 'Modificaciones 2ª y 3ª de las NNSS']],
    different: [
      ['modificación nº 3', 'Modificación 3ª planta', 'Modificación 3º del PGOU', 'la modificación; 3ª. La parcela'],
      ['modificación nº 2', 'Casa 2ª, modificación de uso', 'Casa 2ª y modificación', 'Edificio 2º modificación'],
    ],
  },
  {
    pattern: '((?<= ^ | IMPLIES_NUMBER | LABEL) NUMBER DIGITS | NUMBER (?! DIGITS) (SHORT_NUMERAL | ORDINAL)) LIST',
    entity: 'number',
    same: [
      ['nº 5', 'núm. V', 'No. 5'],
      ['modificación nº IX', 'Modificación N. 9'],
    ],
    different: [
      ['nº 5', 'sector 5', 'no 5'],
      ['modificación nº 5', 'Modificación del sector 5'],
    ],
  },
  {
    pattern: '(MODIFICATION | PARTIAL) NUMERAL NOT_COUNTED LIST',
    entity: 'number',
    same: [
      ['modificación 5', 'Mod. nº 5'],
      ['modificación puntual 5', 'Modificación puntual nº V'],
      ['modificación aislada 19', 'Modificación aislada n.º 19'],
    ],
    found: [['modificación 5', 'modificación puntual 5', 'Modificación aislada n.º 5']],
    different: [['modificación 5', 'Modificación del sector 5', 'Modificación de 5 viviendas']],
  },
  {
    // `serrano nº 69` searches for the 69, with "number" or without it.
    pattern: '(NUMBER | IMPLIES_NUMBER) DIGITS NOT_COUNTED LIST',
    entity: 'number',
    isInTextsOnly: true,
    same: [['PGOU nº 5', 'PGOU 5']],
  },
  {
    // `XX` is more often a blank to be filled in than a number.
    pattern: 'CAPITAL_ROMAN',
    entity: 'arabic',
    isInTextsOnly: true,
    different: [['20', 'Calle XX']],
  },
  {
    pattern: 'PLOT (?= NUMBER? CODE)',
    entity: 'plot',
    same: [['parcela A-5', 'parc. A-5']],
    different: [['parcela', 'Parc Central']],
  },
]
