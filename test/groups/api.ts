// The interface, without its pages.
import { runTogether } from './together.ts'

runTogether('test/api/!(reference).test.ts')
