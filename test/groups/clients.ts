// The command line, the client and the tools for assistants.
import { runTogether } from './together.ts'

runTogether('test/{cli,client,mcp}/*.test.ts')
