// A cache of answers by ETag: an answer that has not changed is not sent again. In a browser fetch keeps one already;
// this is for Node, or for keeping answers elsewhere (`ClientCache` may be asynchronous).

export interface CachedAnswer {
  readonly etag: string
  readonly body: string
  readonly link: string | null
}

export interface ClientCache {
  get(url: string): CachedAnswer | undefined | Promise<CachedAnswer | undefined>
  set(url: string, answer: CachedAnswer): void | Promise<void>
}

/** Keeps the last answers used in memory. */
export function memoryCache(answersMax = 100): ClientCache {
  const answers = new Map<string, CachedAnswer>()
  const put = (url: string, answer: CachedAnswer): void => {
    // A Map keeps the order of insertion: put in again, an answer is the last to be dropped.
    answers.delete(url)
    answers.set(url, answer)
    for (const oldest of answers.keys()) {
      if (answers.size <= answersMax) break
      answers.delete(oldest)
    }
  }
  return {
    get: (url) => {
      const answer = answers.get(url)
      if (answer !== undefined) put(url, answer)
      return answer
    },
    set: put,
  }
}
