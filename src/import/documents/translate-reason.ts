// Why a document was not read, in the language of the report of an import. The report names the cause and the fix; the
// reason that clients receive, which is a part of it, has its translations in domain/spanish-reason.ts.
import { type Translation, toSpanishReason, translate } from '../../domain/spanish-reason.ts'
import { currentLanguage } from '../../language.ts'

/** Returns the reason in the language of the command. A sentence without a translation stays in English. */
export function translateReason(reason: string): string {
  return currentLanguage() === 'es' ? toSpanishReason(reason, reportSentences) : reason
}

/** The sentences that only the report has, or that it words in another way. */
const reportSentences: readonly Translation[] = [
  // What to do.
  [/^use --ocr to read (?:them|it)$/, () => 'use --ocr para leerlas'],
  [/^convert it to PDF$/, () => 'conviértalo a PDF'],
  [/^get a new copy$/, () => 'consiga otra copia'],
  [/^replace it with an unprotected copy$/, () => 'sustitúyalo por una copia sin protección'],
  [/^check its permissions$/, () => 'compruebe sus permisos'],
  [/^check the permissions of its folder$/, () => 'compruebe los permisos de su carpeta'],
  [/^import it again$/, () => 'impórtelo de nuevo'],
  [/^give one with --documents$/, () => 'indíquela con --documents'],
  [/^use a path relative to the documents folder$/, () => 'use una ruta relativa a la carpeta de documentos'],
  [/^expected http:\/\/… or https:\/\/…$/, () => 'debe empezar por http:// o https://'],
  [/^allow it with --allow-host (.+)$/, (host) => `autorícelo con --allow-host ${host}`],
  [/^the text of an earlier import is used$/, () => 'se usa el texto de una importación anterior'],
  // Pages.
  [/^(\d+) of (\d+) pages are scans$/, (scans, pages) => `páginas escaneadas: ${scans} de ${pages}`],
  [/^(\d+) of (\d+) pages may be scans$/, (count, pages) => `páginas que quizá estén escaneadas: ${count} de ${pages}`],
  [
    /^at least (\d+) of (\d+) pages are scans and (\d+) more may be$/,
    (scans, pages, more) => `páginas escaneadas: al menos ${scans} de ${pages}, y quizá ${more} más`,
  ],
  [/^no page has text: they are blank or images$/, () => 'ninguna página tiene texto: están en blanco o son imágenes'],
  // Files.
  [/^damaged or incomplete: not a valid PDF$/, () => 'está dañado o incompleto: no es un PDF válido'],
  [/^damaged: (.+)$/, (message) => `está dañado: ${message}`],
  [/^it cannot be read: (.+)$/, (message) => `no se puede leer: ${message}`],
  [/^no documents folder$/, () => 'no hay carpeta de documentos'],
  [/^not a valid file name$/, () => 'no es un nombre de archivo válido'],
  [/^an absolute path$/, () => 'es una ruta absoluta'],
  [/^the name leads outside the documents folder$/, () => 'el nombre apunta fuera de la carpeta de documentos'],
  [/^no such file in the documents folder$/, () => 'no existe ese archivo en la carpeta de documentos'],
  [
    /^a link that leads outside the documents folder$/,
    () => 'es un enlace que apunta fuera de la carpeta de documentos',
  ],
  [/^not a file$/, () => 'no es un archivo'],
  [/^the file was removed while it was being read$/, () => 'el archivo se ha eliminado durante la lectura'],
  // Downloads.
  [
    /^documents are fetched only with --fetch-documents$/,
    () => 'los documentos solo se descargan con --fetch-documents',
  ],
  [/^not a valid address$/, () => 'no es una dirección válida'],
  [/^(\S+) is not supported, only http: and https:$/, (scheme) => `no se admite ${scheme}, solo http: y https:`],
  [
    /^an address with a user name or password is not allowed$/,
    () => 'no se admite una dirección con nombre de usuario o contraseña',
  ],
  [/^(\S+) is not a public address$/, (address) => `${address} no es una dirección pública`],
  [
    /^resolves to (\S+), which is not a public address$/,
    (address) => `el nombre corresponde a ${address}, que no es una dirección pública`,
  ],
  [/^the host is not allowed$/, () => 'el servidor no está autorizado'],
  [/^redirected to an invalid address$/, () => 'la dirección remite a otra que no es válida'],
  [/^redirected more than (\d+) times$/, (count) => `la dirección remite a otra más de ${count} veces`],
  [
    /^redirected to (\S+): (.+)$/,
    (address, reason) => `la dirección remite a ${address}: ${translate(reason, reportSentences) ?? reason}`,
  ],
  [/^the host name does not exist$/, () => 'no existe ningún servidor con ese nombre'],
  [/^the address cannot be requested$/, () => 'no se puede acceder a esa dirección'],
  [/^the download took too long$/, () => 'la descarga ha tardado demasiado'],
  [/^the host cannot be reached \(connection failed\)$/, () => 'no se puede acceder al servidor'],
  [/^the host cannot be reached \((.+)\)$/, (code) => `no se puede acceder al servidor (${code})`],
  [
    /^the host responded with 304 to an unconditional request$/,
    () => 'el servidor ha dado una respuesta errónea (304)',
  ],
  [
    /^the host responded with (\d+) and asks to wait ([\d.]+) s$/,
    (status, seconds) => `el servidor ha respondido ${status} y pide esperar ${seconds?.replace('.', ',')} s`,
  ],
  [/^the host responded with (\d+)$/, (status) => `el servidor ha respondido ${status}`],
]
