// How fast text is analysed, in MB/s on one core, and how long a term takes. `node bench/analyse.ts`
import { analyseTerm, analyseText } from '../src/text/analyse.ts'

const megabytes = 40

/** Of this thread alone, so that a busy machine does not tell. */
const seconds = (run: () => void): number => {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1e6
}

const texts = writeTexts(megabytes * 1e6)
const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
for (const label of ['first', 'again']) {
  const took = seconds(() => {
    for (const text of texts) analyseText(text)
  })
  console.log(`text, ${label}: ${(bytes / 1e6 / took).toFixed(1)} MB/s`)
}

const terms = ['suelo no urbanizable', 'UE-1', '"plan general" modificación nº 5', 'P.G.O.U. SUNC-R-3', 'edificab*']
const rounds = 20_000
const took = seconds(() => {
  for (let round = 0; round < rounds; round++) analyseTerm(`${terms[round % terms.length]} ${round}`)
})
console.log(`term: ${((took / rounds) * 1000).toFixed(4)} ms`)

/** Planning prose with the vocabulary, the numbers and the codes of real documents, always the same. */
function writeTexts(size: number): string[] {
  let seed = 1
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const common = `de la el en y los que del las por se con para una al no su como planeamiento urbanístico suelo urbano
    urbanizable ordenación Plan General Parcial sector parcela edificación uso residencial aprobación definitiva artículo
    normas superficie aprovechamiento edificabilidad viviendas ayuntamiento modificación puntual unidad ejecución
    condiciones altura máxima plantas retranqueos linderos ocupación sistema general espacios libres dotaciones`
  const frequent = common.split(/\s+/)
  const roots = 'constru deline equipa proyec transform coordin delimit parcel asign compens reglament ampli consolid'
  const endings = 'ción ciones do da dos das miento mientos dor dora ble bles r ndo ría rías ron remos'
  const rare = roots.split(' ').flatMap((root) => endings.split(' ').map((ending) => `${root}a${ending}`))
  const texts: string[] = []
  for (let written = 0; written < size; ) {
    const words: string[] = []
    for (let at = 0; at < 250; at++) {
      const dice = random(100)
      const word =
        dice < 70
          ? frequent[random(frequent.length)]
          : dice < 92
            ? rare[random(rare.length)]
            : dice < 96
              ? String(random(20_000))
              : dice < 98
                ? `UE-${random(40)}`
                : `${random(30)}.${100 + random(900)}`
      words.push(`${word}${dice % 9 === 0 ? ',' : dice % 13 === 0 ? '.\n' : ''}`)
    }
    const text = words.join(' ')
    written += text.length
    texts.push(text)
  }
  return texts
}
