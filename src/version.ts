// The version of the package, as --version, openapi.json and the catalogue say it.
import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version
