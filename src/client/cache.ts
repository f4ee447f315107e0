// Response cache of the client, for Node; browsers have an HTTP cache of their own. client.ts revalidates each cached
// response by its ETag before it uses it.

export interface CachedResponse {
  readonly etag: string
  readonly body: string
  /** The `Link` header, which has the cursor of the next page. */
  readonly link: string | null
}

/** A store of responses by URL. Implementations may be asynchronous. */
export interface ClientCache {
  get(url: string): CachedResponse | undefined | Promise<CachedResponse | undefined>
  set(url: string, response: CachedResponse): void | Promise<void>
}

/** A cache in memory for up to `responsesMax` responses, which drops the least recently used. */
export function memoryCache(responsesMax = 100): ClientCache {
  const responses = new Map<string, CachedResponse>()
  const put = (url: string, response: CachedResponse): void => {
    // A Map iterates in insertion order, so inserting again makes the response the most recent.
    responses.delete(url)
    responses.set(url, response)
    for (const oldest of responses.keys()) {
      if (responses.size <= responsesMax) break
      responses.delete(oldest)
    }
  }
  return {
    get: (url) => {
      const response = responses.get(url)
      if (response !== undefined) put(url, response)
      return response
    },
    set: put,
  }
}
