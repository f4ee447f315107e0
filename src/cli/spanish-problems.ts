// What `search` says in Spanish about a problem of a response. The service itself answers in English, so a problem is
// translated by its code. The compiler reports a code without a translation.
import type { RegistryErrorKind } from '../client/error.ts'
import type { ProblemCode } from '../problems.ts'

/** `{0}` is the value of the parameter that the problem names. */
export const spanishProblems: Readonly<Record<ProblemCode, string>> = {
  'malformed-request': 'La búsqueda no es válida; escríbala de nuevo',
  'malformed-encoding': 'La búsqueda contiene texto que no está en UTF-8; escríbalo de nuevo',
  'control-character': 'El texto contiene caracteres no visibles; escríbalo de nuevo',
  'unknown-parameter': 'El servicio no admite esa opción; actualice el servicio o no la use',
  'repeated-parameter': 'Una opción está repetida; indíquela una sola vez',
  'incomplete-request': 'Una opción está vacía; indique su valor o no la use',
  'malformed-code': '«{0}» no tiene la forma de los códigos de este registro; compruébelo',
  'malformed-year': 'Escriba el año con cuatro cifras, por ejemplo 2004; ha escrito «{0}»',
  'malformed-date': 'Escriba un año (2004), un mes (2004-05) o un día que exista (2004-05-17); ha escrito «{0}»',
  'malformed-value': '«{0}» no es uno de los valores que admite la opción; consulte planning-registry search --help',
  'reversed-dates': 'La fecha de --until es anterior a la de --since; cambie una de las dos',
  'malformed-limit': '--limit debe ser un número entero de 1 a 1000',
  // The user types neither `cursor` nor `include`: `search` sends them itself. The service refuses its own cursor only
  // if another version replaced it during the search, and `include` only if the service is older than this command.
  'malformed-cursor': 'El servicio ha cambiado durante la búsqueda; repítala',
  'malformed-include': 'El servicio no admite esta búsqueda; actualícelo',
  'passages-unavailable':
    'Este registro no guarda el texto de los documentos y no puede mostrar fragmentos; quite --passages',
  'value-too-long': 'Texto demasiado largo; escriba solo las palabras más importantes',
  'too-many-words': 'Demasiadas palabras: escriba 40 como máximo',
  'unknown-address': 'En esa dirección no hay ningún registro; compruebe --url',
  'unknown-record': 'Ningún expediente tiene el código de inscripción «{0}»',
  'record-filtered-out': 'El expediente existe, pero no cumple los demás criterios; quítelos para verlo',
  'unknown-municipality': 'Ningún municipio con expedientes tiene el nombre o código INE «{0}»',
  'unknown-province': 'Ninguna provincia tiene el nombre o código «{0}»',
  'unknown-community': 'Ninguna comunidad autónoma tiene el nombre o código «{0}»',
  'contradictory-places':
    'Los lugares indicados (municipio, provincia o comunidad autónoma) no se corresponden; quite uno de ellos',
  'no-match-in-municipality': 'El municipio tiene expedientes, pero ninguno coincide con todos los criterios',
  'no-match': 'Ningún expediente coincide con todos los criterios',
  'nothing-after-cursor': 'El registro ha cambiado durante la búsqueda; repítala',
  'method-not-allowed': 'El servicio no admite esta búsqueda; actualícelo',
  // These two are about the token `since` of `changes`, which `search` does not request: its flag `--since` is the
  // parameter `checkin_from`.
  'malformed-since': 'El servicio no admite esta búsqueda; actualícelo',
  'expired-since': 'El servicio no admite esta búsqueda; actualícelo',
  'request-timeout': 'La búsqueda no ha llegado a tiempo al servicio; inténtelo de nuevo',
  'address-too-long': 'La búsqueda es demasiado larga; use menos palabras',
  'too-many-requests': 'Ha hecho demasiadas búsquedas en poco tiempo; espere un minuto',
  'headers-too-large': 'La búsqueda es demasiado larga; use menos palabras',
  'internal-error': 'Se ha producido un error en el servicio; comuníquelo al responsable del registro',
  'registry-unavailable': 'El registro no está disponible en este momento; inténtelo de nuevo más tarde',
  overloaded: 'El servicio está saturado; inténtelo de nuevo dentro de unos segundos',
}

/** `{0}` is the address, `{1}` the reason, which is in English. */
export const spanishErrors: Readonly<Record<Exclude<RegistryErrorKind, 'problem'>, string>> = {
  'invalid-address': 'No se puede usar «{0}»: la dirección debe empezar por http: o https:',
  unreachable: 'No se puede acceder a {0}: {1}; compruebe la dirección y que el servicio esté en marcha',
  incomplete: 'La respuesta de {0} ha llegado incompleta: {1}; inténtelo de nuevo',
  // Only a call of `changes` ends with this error, so `search` does not get it.
  outdated: 'La respuesta de {0} es anterior a la lista de cambios; inténtelo de nuevo más tarde',
  unexpected: 'La respuesta de {0} no es la de un registro; compruebe que sea su dirección base',
}
