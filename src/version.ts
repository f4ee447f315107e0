// The version of the package. `--version`, openapi.json and the MCP server show it, and most ETags depend on it.
import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version
