// What a record of the sample is about: the kind of plan, the title as clerks write it (abbreviated or not, with
// quotes, slashes and capitals) and the area it affects.
import { inventPlace } from './places.ts'
import type { Chance } from './random.ts'

export interface Plan {
  readonly title: string
  readonly area: string
}

export function drawPlan(chance: Chance, year: number): Plan {
  const draw = chance.pickEarly(drawings)
  const plan = draw(chance, year)
  return chance.percent(6) ? { title: plan.title.toUpperCase(), area: plan.area } : plan
}

/** The commonest kinds first. */
const drawings: readonly [Drawing, ...Drawing[]] = [
  drawAmendment,
  drawDetailStudy,
  drawPartialPlan,
  drawGeneralPlan,
  drawInnerReform,
  drawSpecialPlan,
  drawHomologation,
  drawActionProgramme,
  drawUrbanBoundary,
  drawCatalogue,
  drawReparcelling,
  drawBilingual,
]

type Drawing = (chance: Chance, year: number) => Plan

function drawAmendment(chance: Chance, year: number): Plan {
  const number = chance.percent(35) ? (romans[chance.below(romans.length)] ?? 'I') : String(chance.between(1, 48))
  const amendment = chance.pick([
    `Modificación puntual nº ${number}`,
    `Modificación Puntual nº ${number}/${year}`,
    `Modificación núm. ${number}`,
    `M.P. ${number}`,
    `Modificación puntual ${number}/${String(year).slice(2)}`,
  ])
  const plan = chance.pick(['PGOU', 'P.G.O.U.', 'NNSS', 'NN.SS.', 'Plan General', 'Normas Subsidiarias'])
  const article = plan.startsWith('N') ? 'de las' : 'del'
  const title = chance.pick([
    `${amendment} ${plan}`,
    `${amendment} ${article} ${plan}`,
    `${amendment} ${plan}: ${chance.pickEarly(purposes)}`,
  ])
  const area = drawArea(chance)
  // The longest titles tell the whole story, as the longest of real ones do (251 characters).
  if (!chance.percent(3)) return { title, area }
  return {
    title: `${title}, consistente en ${chance.pick(purposes)} y ${chance.pick(purposes)} en el ámbito de "${inventPlace(chance.zipf(12))}"`,
    area,
  }
}

function drawDetailStudy(chance: Chance): Plan {
  const area = drawArea(chance)
  const study = chance.pick(['Estudio de Detalle', 'E.D.', 'ED', 'Estudio de detalle'])
  const street = `C/ ${chance.pickEarly(streets)}, ${chance.between(1, 140)}`
  return { title: chance.pick([`${study} ${street}`, `${study} ${area}`, `${study} manzana ${street}`]).trim(), area }
}

function drawPartialPlan(chance: Chance): Plan {
  const sector = chance.pick(['S', 'SUP', 'PP', 'UZ', 'SAU', 'R', 'I'])
  const number = chance.between(1, 32)
  const name = inventPlace(chance.zipf(14))
  const area = chance.pick([
    `SECTOR ${sector}-${number}`,
    `Sector ${sector}-${number} "${name}"`,
    `SECTOR ${sector} ${number}b "${name.toUpperCase()}" (${sector} AT ${number}b)`,
    `S/${sector}/${number}`,
  ])
  const title = chance.pick([
    `Plan Parcial ${sector}-${number}`,
    `Plan Parcial Sector ${sector}-${number} "${name}"`,
    `P.P. ${name}`,
    `Plan Parcial de Mejora ${name}`,
    `Plan Parcial / Proyecto de urbanización ${sector}-${number}`,
    `PP industrial ${sector}/${number}`,
  ])
  return { title, area }
}

function drawGeneralPlan(chance: Chance, year: number): Plan {
  const old = chance.pick([
    'NNSS',
    'NN.SS.',
    'Normas Subsidiarias de Planeamiento',
    'Revisión de las Normas Subsidiarias',
  ])
  const plan = chance.pick([
    'PGOU',
    'P.G.O.U.',
    'Plan General de Ordenación Urbana',
    'Plan General Estructural',
    `Revisión PGOU ${year}`,
    'Texto refundido PGOU',
    'Adaptación parcial del PGOU / NNSS',
  ])
  return { title: year < 2003 && chance.percent(50) ? old : plan, area: 'Término municipal' }
}

function drawInnerReform(chance: Chance): Plan {
  const number = chance.between(1, 40)
  const unit = chance.pick([`UE-${number}`, `U.E.-${number}`, `UE ${number}`, `UA-${number}`])
  const name = inventPlace(chance.zipf(12))
  return {
    title: chance.pick([
      `PERI ${unit}`,
      `P.E.R.I. ${unit} ${name}`,
      `Plan Especial de Reforma Interior ${unit} / Casco antiguo`,
    ]),
    area: chance.pick([unit, `UE ${name}-${number}`, `UA-${name.slice(0, 3).toUpperCase()}-${number}`]),
  }
}

function drawSpecialPlan(chance: Chance): Plan {
  const subject = chance.pickEarly([
    'protección del casco histórico',
    'infraestructuras',
    'dotaciones',
    'abastecimiento de agua',
    'planta solar fotovoltaica',
    'protección de la huerta',
    'gasolinera / área de servicio',
    'camping',
    'parque eólico',
    'minimización de impacto territorial',
  ])
  const name = inventPlace(chance.zipf(13))
  return { title: `Plan Especial de ${subject} ${chance.percent(40) ? `"${name}"` : name}`, area: drawArea(chance) }
}

function drawHomologation(chance: Chance): Plan {
  const sector = `Sector ${chance.pick(['R', 'I', 'T', 'NPR'])}-${chance.between(1, 20)}`
  return {
    title: chance.pick([
      `Homologación ${sector}`,
      `Homologación / Plan Parcial ${sector}`,
      `Homologación y P.P. ${sector}`,
    ]),
    area: sector,
  }
}

function drawActionProgramme(chance: Chance): Plan {
  const number = chance.between(1, 12)
  const name = inventPlace(chance.zipf(12))
  return {
    title: chance.pick([`PAU-${number}`, `P.A.U. ${number} "${name}"`, `Programa de Actuación Urbanística ${name}`]),
    area: `PAU ${number}`,
  }
}

function drawUrbanBoundary(chance: Chance): Plan {
  return {
    title: chance.pick(['DSU', 'D.S.U.', 'Delimitación de Suelo Urbano', 'Proyecto de Delimitación de Suelo Urbano']),
    area: 'Suelo urbano',
  }
}

function drawCatalogue(chance: Chance): Plan {
  return {
    title: chance.pick([
      'Catálogo de Bienes y Espacios Protegidos',
      'Catálogo de protecciones',
      'Catálogo / Plan Especial de protección',
    ]),
    area: chance.pick(['Término municipal', 'Casco antiguo', 'Conjunto histórico']),
  }
}

function drawReparcelling(chance: Chance): Plan {
  const unit = `UE-${chance.between(1, 30)}`
  return {
    title: chance.pick([
      `Reparcelación ${unit}`,
      `Proyecto de reparcelación forzosa ${unit}`,
      `Programa de Actuación Integrada ${unit}`,
    ]),
    area: unit,
  }
}

function drawBilingual(chance: Chance): Plan {
  const name = inventPlace(chance.zipf(12))
  return {
    title: chance.pick([
      `Pla parcial / Plan parcial ${name}`,
      `Pla general d'ordenació urbanística "${name}"`,
      `Plan Xeral de Ordenación Municipal / PXOM`,
      `Hiri Antolamenduko Plan Orokorra / Plan General de Ordenación Urbana`,
      `Modificació puntual núm. ${chance.between(1, 20)} PGOU`,
    ]),
    area: name,
  }
}

function drawArea(chance: Chance): string {
  const number = chance.between(1, 60)
  const name = inventPlace(chance.zipf(13))
  return chance.pick([
    `UA-${name.slice(0, 3).toUpperCase()}-${number}`,
    `UE ${name}-${number}`,
    `S/SUNC/${number}`,
    `APR ${chance.between(1, 21)}.${String(number).padStart(2, '0')} "${name}"`,
    `APE-${number}`,
    `Manzana ${number}`,
    name,
    'Suelo no urbanizable',
    'Casco antiguo',
    'Término municipal',
    '',
  ])
}

const romans = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII', 'XIV'] as const

const streets = [
  'Mayor',
  'Real',
  'San Roque',
  'Iglesia',
  'Nueva',
  'Colón',
  'Cervantes',
  'Doctor Fleming',
  'Ramón y Cajal',
  'Santa Bárbara',
  'del Pósito',
  "d'En Bou",
  'Maestro Serrano',
  'Virgen del Camino',
  'Peñuelas',
] as const

const purposes = [
  'cambio de alineaciones',
  'cambio de uso industrial a residencial',
  'reclasificación de suelo no urbanizable',
  'supresión de vial',
  'ampliación del polígono industrial',
  'ordenanza de casco antiguo',
  'recalificación de parcela dotacional',
  'altura de la edificación',
  'delimitación de unidad de ejecución',
  'condiciones de las construcciones agropecuarias',
  'nueva ubicación de equipamiento / zona verde',
  'corrección de error en plano 4.2',
] as const
