// Entry point in the browser. The server renders every page completely; the scripts only save loading whole pages, and
// add what HTML cannot do: completing names, dragging over years, copying.
import { startCharts } from './charts.ts'
import { startCopying } from './copy.ts'
import { activateFailure } from './failures.ts'
import { startMunicipalityField } from './municipality.ts'
import { goTo, startSearch } from './search.ts'

startMunicipalityField()
startCopying()
startCharts(goTo)
startSearch()
for (const notice of document.querySelectorAll<HTMLElement>('#results .failure')) {
  activateFailure(notice, () => location.reload())
}
