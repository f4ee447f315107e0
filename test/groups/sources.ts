// Sources and rows of imports.
import { runTogether } from './together.ts'

runTogether('test/import/{rows,sources}/*.test.ts')
