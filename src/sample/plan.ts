// Draws the title and the area of a record of the fictional sample registry: first the kind of plan, then a title in
// the varied spellings of real registries (abbreviations, quotes, slashes, capitals). The area is the part of the
// municipality that the plan covers. The order of the draws must not change, or every sample would differ.
// `random.chance(6)` is true for 6 percent of the draws, and `random.pickZipf` picks the first choice most often.
// `drawPlaceName(random, 12)` draws one of about 2 ** 12 invented names.
import { toPlaceName } from './places.ts'
import type { Random } from './random.ts'

export interface Plan {
  readonly title: string
  readonly area: string
}

/** `year` is the year of entry, which some titles contain. */
export function drawPlan(random: Random, year: number): Plan {
  const drawPlanOfKind = random.pickZipf(planKinds)
  const plan = drawPlanOfKind(random, year)
  // Some registries write titles in capitals.
  return random.chance(6) ? { title: plan.title.toUpperCase(), area: plan.area } : plan
}

/** Each function draws a plan of one kind. The most common kind is first. */
const planKinds: readonly [DrawPlan, ...DrawPlan[]] = [
  drawAmendment, // modificación puntual (MP)
  drawDetailStudy, // estudio de detalle (ED)
  drawPartialPlan, // plan parcial (PP)
  drawGeneralPlan, // plan general de ordenación urbana (PGOU), normas subsidiarias (NNSS)
  drawInnerReform, // plan especial de reforma interior (PERI)
  drawSpecialPlan, // plan especial
  drawHomologation, // homologación
  drawActionProgramme, // programa de actuación urbanística (PAU)
  drawUrbanBoundary, // delimitación de suelo urbano (DSU)
  drawCatalogue, // catálogo de bienes protegidos
  drawReparcelling, // reparcelación
  drawRegionalLanguage, // a title in Catalan, Galician or Basque, in some cases with its Spanish translation
]

type DrawPlan = (random: Random, year: number) => Plan

function drawAmendment(random: Random, year: number): Plan {
  const number = random.chance(35) ? random.pick(romanNumerals) : String(random.between(1, 48))
  const amendment = random.pick([
    `Modificación puntual nº ${number}`,
    `Modificación Puntual nº ${number}/${year}`,
    `Modificación núm. ${number}`,
    `M.P. ${number}`,
    `Modificación puntual ${number}/${String(year).slice(2)}`,
  ])
  const basePlan = random.pick(['PGOU', 'P.G.O.U.', 'NNSS', 'NN.SS.', 'Plan General', 'Normas Subsidiarias'])
  const article = basePlan.startsWith('N') ? 'de las' : 'del'
  const title = random.pick([
    `${amendment} ${basePlan}`,
    `${amendment} ${article} ${basePlan}`,
    `${amendment} ${basePlan}: ${random.pickZipf(purposes)}`,
  ])
  const area = drawArea(random)
  const isLong = random.chance(3)
  if (!isLong) return { title, area }
  // A few real titles are very long, up to 251 characters. These are like them.
  const bothPurposes = `${random.pick(purposes)} y ${random.pick(purposes)}`
  const place = drawPlaceName(random, 12)
  return { title: `${title}, consistente en ${bothPurposes} en el ámbito de "${place}"`, area }
}

function drawDetailStudy(random: Random): Plan {
  const area = drawArea(random)
  const study = random.pick(['Estudio de Detalle', 'E.D.', 'ED', 'Estudio de detalle'])
  const address = `C/ ${random.pickZipf(streets)}, ${random.between(1, 140)}`
  return { title: random.pick([`${study} ${address}`, `${study} ${area}`, `${study} manzana ${address}`]).trim(), area }
}

function drawPartialPlan(random: Random): Plan {
  // The prefix of a sector: S sector, SUP suelo urbanizable programado, PP plan parcial, UZ urbanizable, SAU suelo apto
  // para urbanizar, R residencial, I industrial.
  const prefix = random.pick(['S', 'SUP', 'PP', 'UZ', 'SAU', 'R', 'I'])
  const number = random.between(1, 32)
  const name = drawPlaceName(random, 14)
  const area = random.pick([
    `SECTOR ${prefix}-${number}`,
    `Sector ${prefix}-${number} "${name}"`,
    `SECTOR ${prefix} ${number}b "${name.toUpperCase()}" (${prefix} AT ${number}b)`,
    `S/${prefix}/${number}`,
  ])
  const title = random.pick([
    `Plan Parcial ${prefix}-${number}`,
    `Plan Parcial Sector ${prefix}-${number} "${name}"`,
    `P.P. ${name}`,
    `Plan Parcial de Mejora ${name}`,
    `Plan Parcial / Proyecto de urbanización ${prefix}-${number}`,
    `PP industrial ${prefix}/${number}`,
  ])
  return { title, area }
}

function drawGeneralPlan(random: Random, year: number): Plan {
  // Before 2003 many municipalities had Normas Subsidiarias instead of a general plan. Both titles are drawn, so that
  // the number of draws does not depend on which of them is used.
  const subsidiaryNorms = random.pick([
    'NNSS',
    'NN.SS.',
    'Normas Subsidiarias de Planeamiento',
    'Revisión de las Normas Subsidiarias',
  ])
  const generalPlan = random.pick([
    'PGOU',
    'P.G.O.U.',
    'Plan General de Ordenación Urbana',
    'Plan General Estructural',
    `Revisión PGOU ${year}`,
    'Texto refundido PGOU',
    'Adaptación parcial del PGOU / NNSS',
  ])
  const hasSubsidiaryNorms = year < 2003 && random.chance(50)
  return { title: hasSubsidiaryNorms ? subsidiaryNorms : generalPlan, area: 'Término municipal' }
}

function drawInnerReform(random: Random): Plan {
  const number = random.between(1, 40)
  const unit = random.pick([`UE-${number}`, `U.E.-${number}`, `UE ${number}`, `UA-${number}`])
  const name = drawPlaceName(random, 12)
  return {
    title: random.pick([
      `PERI ${unit}`,
      `P.E.R.I. ${unit} ${name}`,
      `Plan Especial de Reforma Interior ${unit} / Casco antiguo`,
    ]),
    area: random.pick([unit, `UE ${name}-${number}`, `UA-${name.slice(0, 3).toUpperCase()}-${number}`]),
  }
}

function drawSpecialPlan(random: Random): Plan {
  const subject = random.pickZipf([
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
  const name = drawPlaceName(random, 13)
  return { title: `Plan Especial de ${subject} ${random.chance(40) ? `"${name}"` : name}`, area: drawArea(random) }
}

function drawHomologation(random: Random): Plan {
  const sector = `Sector ${random.pick(['R', 'I', 'T', 'NPR'])}-${random.between(1, 20)}`
  return {
    title: random.pick([
      `Homologación ${sector}`,
      `Homologación / Plan Parcial ${sector}`,
      `Homologación y P.P. ${sector}`,
    ]),
    area: sector,
  }
}

function drawActionProgramme(random: Random): Plan {
  const number = random.between(1, 12)
  const name = drawPlaceName(random, 12)
  return {
    title: random.pick([`PAU-${number}`, `P.A.U. ${number} "${name}"`, `Programa de Actuación Urbanística ${name}`]),
    area: `PAU ${number}`,
  }
}

function drawUrbanBoundary(random: Random): Plan {
  return {
    title: random.pick(['DSU', 'D.S.U.', 'Delimitación de Suelo Urbano', 'Proyecto de Delimitación de Suelo Urbano']),
    area: 'Suelo urbano',
  }
}

function drawCatalogue(random: Random): Plan {
  return {
    title: random.pick([
      'Catálogo de Bienes y Espacios Protegidos',
      'Catálogo de protecciones',
      'Catálogo / Plan Especial de protección',
    ]),
    area: random.pick(['Término municipal', 'Casco antiguo', 'Conjunto histórico']),
  }
}

function drawReparcelling(random: Random): Plan {
  const unit = `UE-${random.between(1, 30)}`
  return {
    title: random.pick([
      `Reparcelación ${unit}`,
      `Proyecto de reparcelación forzosa ${unit}`,
      `Programa de Actuación Integrada ${unit}`,
    ]),
    area: unit,
  }
}

function drawRegionalLanguage(random: Random): Plan {
  const name = drawPlaceName(random, 12)
  return {
    title: random.pick([
      `Pla parcial / Plan parcial ${name}`,
      `Pla general d'ordenació urbanística "${name}"`,
      `Plan Xeral de Ordenación Municipal / PXOM`,
      `Hiri Antolamenduko Plan Orokorra / Plan General de Ordenación Urbana`,
      `Modificació puntual núm. ${random.between(1, 20)} PGOU`,
    ]),
    area: name,
  }
}

/**
 * Draws an area: a unit (UE, unidad de ejecución; UA, unidad de actuación), an area that gets a plan of its own (APR,
 * área de planeamiento remitido; APE, área de planeamiento específico), urban land that is not fully developed yet
 * (SUNC, suelo urbano no consolidado), a block (manzana), an invented name, or words such as `Casco antiguo`. One draw
 * in eleven is empty.
 */
function drawArea(random: Random): string {
  const number = random.between(1, 60)
  const name = drawPlaceName(random, 13)
  return random.pick([
    `UA-${name.slice(0, 3).toUpperCase()}-${number}`,
    `UE ${name}-${number}`,
    `S/SUNC/${number}`,
    `APR ${random.between(1, 21)}.${String(number).padStart(2, '0')} "${name}"`,
    `APE-${number}`,
    `Manzana ${number}`,
    name,
    'Suelo no urbanizable',
    'Casco antiguo',
    'Término municipal',
    '',
  ])
}

/** Draws one of `2 ** bits - 1` invented names, of which a few are frequent and most are rare. */
function drawPlaceName(random: Random, bits: number): string {
  return toPlaceName(random.zipf(bits))
}

const romanNumerals = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII', 'XIV'] as const

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
