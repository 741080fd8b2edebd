import type { Release } from './contender.js'

/** Takes a lock of which a library only says how to run a function under it: the function ends when the lock is given back. */
export function takeByUsing(using: (work: () => Promise<void>) => Promise<void>): Promise<Release> {
  return new Promise((resolve, reject) => {
    const { promise: asked, resolve: giveBack } = Promise.withResolvers<undefined>()
    const done = using(async () => {
      resolve(() => {
        giveBack(undefined)
        return done
      })
      await asked
    })
    done.catch(reject)
  })
}
