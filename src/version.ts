// The version of the package, for --version, openapi.json, the catalogue and the MCP server.
import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version
