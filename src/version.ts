// The version of the package. Most ETags depend on it, so that clients fetch a response again after an update.
import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version
