// The analyser, places, the judged queries and the sample.
import { runTogether } from './together.ts'

runTogether('test/{analysis,domain,sample,search-quality}/*.test.ts')
