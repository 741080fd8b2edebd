import type { TcpProxy } from './proxy.js'
import type { Match } from './proxy/trap.js'

/** Holds the next such request back, so that a copy overtakes it. Returns what lets it arrive, and resolves when the server has run it. */
export function holdNext(proxy: TcpProxy, request: Match): () => Promise<void> {
  const { promise: end, resolve: letGo } = Promise.withResolvers<undefined>()
  let connection: object | undefined
  proxy.onRequest(request, async (passing) => {
    connection = passing.connection
    await end
  })
  return async () => {
    const ran = Promise.withResolvers<undefined>()
    proxy.onReply(
      request,
      (passing) => {
        if (passing.connection === connection) ran.resolve(undefined)
      },
      { times: Infinity },
    )
    letGo(undefined)
    await ran.promise
  }
}

/** Settings of a client whose requests have many copies, so that one of them has its reply on a slow machine as well. */
export const MANY_COPIES = { timeout: 200, retryAttempts: 20, retryDelay: 5, reconnectionDelay: 5 }
