// Preact hook that loads the list of municipalities when a field first needs it.
import { useEffect, useState } from 'preact/hooks'
import type { WireMunicipality } from '../src/client/client.ts'
import { openService } from './browser-service.ts'

/**
 * Every municipality with records; null until the list has arrived. `focusCount` is how often the field has had the
 * focus: the list is requested at the first time, and again each time if it failed.
 */
export function useMunicipalities(focusCount: number): readonly WireMunicipality[] | null {
  const [municipalities, setMunicipalities] = useState<readonly WireMunicipality[] | null>(null)
  useEffect(() => {
    if (focusCount === 0 || municipalities !== null) return
    const controller = new AbortController()
    const service = openService(controller.signal)
    service
      .callWithRetry((client, options) => client.municipalities(options))
      .then((outcome) => {
        if (outcome.kind === 'found') setMunicipalities(outcome.value)
      })
    return () => controller.abort()
  }, [focusCount, municipalities])
  return municipalities
}
