// Spanish translations of the messages about registries that are kept on a web server or object store
// (registry/stores). spanish.ts includes them.

/** By the English text. `{0}` and `{1}` stand for values. */
export const spanishStores: Readonly<Record<string, string>> = {
  'Cannot read --database: expected an address such as https://example.org/registry':
    'No se puede leer --database: se esperaba una dirección como https://example.org/registro',
  'Cannot read {0}: with http:// anybody on the way can change the registry; use https://, or --allow-insecure':
    'No se puede leer {0}: con http:// cualquiera puede alterar el registro por el camino; use https:// o --allow-insecure',
  'the server has sent nothing for {0} seconds': 'tiempo sin recibir nada del servidor, en segundos: {0}',
  'it is longer than {0} bytes, so it is no pointer': 'no es un puntero: ocupa más de {0} bytes',
  'it is no pointer to a registry file': 'no es un puntero a un archivo de registro',
  'its href leads to another host': 'su href lleva a otro servidor',
  'it is longer than its pointer says': 'ocupa más de lo que indica su puntero',
  'it ends after {0} of {1} bytes': 'termina tras {0} de {1} bytes',
  'it names another file now': 'ahora indica otro archivo',
  'the server compresses it ({0}) although that was refused':
    'el servidor lo comprime ({0}), aunque se le pidió que no',
  'the server answers a part of it, which was not asked for':
    'el servidor responde con una parte del archivo, que no se le pidió',
  'the server answers the whole file to a range of it':
    'el servidor responde con el archivo entero, aunque se le pidió una parte',
  'the server answers the range "{0}" instead of "{1}"': 'el servidor responde con la parte «{0}» en lugar de «{1}»',
  'the server announces {0} bytes instead of {1}': 'el servidor anuncia {0} bytes en lugar de {1}',
  'it redirects to {0}; give the address that does not': 'redirige a {0}; indique la dirección definitiva',
  'the server answers {0}': 'el servidor responde {0}',
  'Cannot read {0}: it is not a planning registry': 'No se puede leer {0}: no es un registro de planeamiento',
  'Cannot read {0}: it has been replaced meanwhile': 'No se puede leer {0}: entretanto se ha sustituido',
  'Cannot write to the folder of --export, {0}: {1}': 'No se puede escribir en la carpeta de --export, {0}: {1}',
  'Cannot write to the folder of --export, {0}: {1}; the records are in service in {2}':
    'No se puede escribir en la carpeta de --export, {0}: {1}; los expedientes están publicados en {2}',
}
