// The version of the package. Most ETags depend on it.
import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version
