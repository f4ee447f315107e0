// Tests of the stemmer: which words share a stem and which must not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foldWord } from '../../src/analysis/fold.ts'
import { stemWord } from '../../src/analysis/stemmer.ts'

/** The stem of a word that is not folded yet. */
const stem = (word: string): string => stemWord(foldWord(word))

/** Each line has forms of one word, which share a stem. Each of the last two lines has Spanish and Catalan forms. */
const wordForms = `
urbanizable urbanizables urbanización urbanizaciones urbanizar urbanizado urbanizada urbaniza
suelo suelos
aprobación aprobaciones aprobado aprobada aprobar aprueba
edificación edificaciones edificar edificado edificable edificables
parcial parciales
rústico rústica rústicos rústicas
urbano urbana urbanos urbanas
unidad unidades
ciudad ciudades
uso usos
vía vías
río ríos
eje ejes
plan planes
plano planos
red redes
calle calles
bloque bloques
fase fases
base bases
mes meses
ley leyes
sector sectores
promotor promotora promotores promotoras
definitivo definitiva definitivos definitivamente
modificación modificaciones modificado modificar modifica modifican
ejecución ejecuciones ejecutar ejecutado
revisión revisiones revisado revisar
directriz directrices
cauce cauces
cruz cruces
luz luces
avance avances
enlace enlaces
superficie superficies
puente puentes
torre torres
lugar lugares
solar solares
general generales
nuevo nueva nuevos nuevas
primer primero primera primeros
tercer tercera
protegido protegida protegidas proteger
público pública públicos públicas
país países
interés intereses
normativa normativas normativo
homologación homologaciones homologado
delimitación delimitaciones delimitado delimitar
sede sedes
índice índices
jardín jardines
árbol árboles
margen márgenes
chalet chalets
parking parkings
unitat unitats
juez jueces
taxi taxis
pino pinos
fijación fijar fijado
acordar acordado acuerda
construcción construcciones construir construido
corrección correcciones corregir
división dividir
inscripción inscribir inscrito inscrita inscritas
supresión suprimir suprimido
suspensión suspender suspendido
concesión concesiones conceder
homologación homologació homologacions
urbanización urbanització urbanitzable urbanitzar
`

/** Each line has words that must have different stems. */
const wordsWithDifferentStems = `
plan plano planta planeamiento planificación
plaza plazo placa
casa caso
puerta puerto
costa coste
cota coto
acera acero
carga cargo
punto punta
orden ordenación ordenanza
urbano urbanismo urbanización urbanístico urbanidad
edificio edificación edificabilidad
parcela parcelación parcial
estación estado estatuto
población poblado
partido partida parte
equipo equipamiento
norma normal normativa
municipal municipio
industria industrial
vivienda vivero
calle callejón
valle valla
nave nava
viga vigo
sector sectorial
actual actuación
unidad unión
monte monto
zona zonificación
cruz cruce
burgo burgos
general género
este estar
acta acto
castilla castillo
cuenca cuenco
viña vino
navarra navarro
olmeda olmedo
no nos
palacio paliar
espacio espacial
edificio edificación
servicio servido
carrasca carrasco
molina molino
cabeza cabezo
piña pino
`

/** The words of each line. */
const toLines = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))

describe('stemming', () => {
  for (const [first = '', ...forms] of toLines(wordForms)) {
    test(`${first} and its forms have one stem`, () => {
      for (const form of forms) assert.equal(stem(form), stem(first), form)
    })
  }

  for (const words of toLines(wordsWithDifferentStems)) {
    test(`${words.join(', ')} have different stems`, () => {
      assert.equal(new Set(words.map(stem)).size, words.length, words.map(stem).join(' '))
    })
  }

  test('a word without accents has the same stem', () => {
    assert.equal(stem('urbanizacion'), stem('URBANIZACIÓN'))
    assert.equal(stem('diseno'), stem('diseño'))
  })

  test('the stem of a number has no leading zeros', () => {
    assert.deepEqual(['01', '1', '0', '000', '2007'].map(stemWord), ['1', '1', '0', '0', '2007'])
  })
})
