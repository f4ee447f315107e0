// Preact hook that loads the list of municipalities when it is first needed.
import { useEffect, useState } from 'preact/hooks'
import type { WireMunicipality } from '../src/client/client.ts'
import { openService } from './browser-service.ts'

/**
 * Every municipality with records; null until the list has arrived. Nothing is requested while `timesNeeded` is 0.
 * Until the list has arrived, each change of the number requests it again.
 */
export function useMunicipalities(timesNeeded: number): readonly WireMunicipality[] | null {
  const [municipalities, setMunicipalities] = useState<readonly WireMunicipality[] | null>(null)
  useEffect(() => {
    if (timesNeeded === 0 || municipalities !== null) return
    const controller = new AbortController()
    const service = openService(controller.signal)
    service
      .callWithRetry((client, options) => client.municipalities(options))
      .then((outcome) => {
        if (outcome.kind === 'found') setMunicipalities(outcome.value)
      })
    return () => controller.abort()
  }, [timesNeeded, municipalities])
  return municipalities
}
