// The provinces, which registries add to a name that two municipalities share: `Cieza (Murcia)`.
import { nameKeys } from './municipality-name.ts'

/** In the order of their INE codes, 01 to 52. */
const provinces: readonly string[] = [
  'Araba/Álava',
  'Albacete',
  'Alicante/Alacant',
  'Almería',
  'Ávila',
  'Badajoz',
  'Illes Balears/Islas Baleares/Baleares/Mallorca/Menorca/Ibiza',
  'Barcelona',
  'Burgos',
  'Cáceres',
  'Cádiz',
  'Castellón/Castelló',
  'Ciudad Real',
  'Córdoba',
  'A Coruña/La Coruña',
  'Cuenca',
  'Girona/Gerona',
  'Granada',
  'Guadalajara',
  'Gipuzkoa/Guipúzcoa',
  'Huelva',
  'Huesca',
  'Jaén',
  'León',
  'Lleida/Lérida',
  'La Rioja',
  'Lugo',
  'Madrid',
  'Málaga',
  'Murcia/Región de Murcia',
  'Navarra/Nafarroa',
  'Ourense/Orense',
  'Asturias',
  'Palencia',
  'Las Palmas',
  'Pontevedra',
  'Salamanca',
  'Santa Cruz de Tenerife/Tenerife',
  'Cantabria',
  'Segovia',
  'Sevilla',
  'Soria',
  'Tarragona',
  'Teruel',
  'Toledo',
  'Valencia/València',
  'Valladolid',
  'Bizkaia/Vizcaya',
  'Zamora',
  'Zaragoza',
  'Ceuta',
  'Melilla',
]

const codes: ReadonlyMap<string, string> = new Map(
  provinces.flatMap((names, index) =>
    nameKeys(names).map((key): [string, string] => [key, String(index + 1).padStart(2, '0')]),
  ),
)

/** The two digits of a province's INE code; undefined where the folded name is none. */
export function provinceCode(key: string): string | undefined {
  return codes.get(key)
}
