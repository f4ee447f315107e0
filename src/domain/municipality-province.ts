// The provinces of Spain. Registries append them to the name of a municipality that has namesakes: `Cieza (Murcia)`.
import { nameKeys } from './municipality-name.ts'

/** Sorted by INE code, 01 to 52; alternative names, also of islands, are separated by slashes. */
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

const codesByKey: ReadonlyMap<string, string> = new Map(
  provinces.flatMap((names, index) =>
    nameKeys(names).map((key): [string, string] => [key, String(index + 1).padStart(2, '0')]),
  ),
)

/** The two-digit INE code of a province by folded name; undefined for an unknown name. */
export function provinceCode(key: string): string | undefined {
  return codesByKey.get(key)
}
