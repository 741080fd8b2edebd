import { GaveUp } from '../gave-up.js'
import type { Enter } from '../program.js'
import type { Wish } from './entrances.js'

export function wishOf({ leaseMs, waitMs }: Enter): Wish {
  return { ...(leaseMs !== undefined && { leaseMs }), ...(waitMs !== undefined && { waitMs }) }
}

/** A wish that gives up when its time is over, until it is disposed of. */
export interface Patience extends Disposable {
  readonly wish: { readonly signal?: AbortSignal }
}

export function patienceOf({ abortMs }: Pick<Enter, 'abortMs'>): Patience {
  if (abortMs === undefined) return { wish: {}, [Symbol.dispose]: () => undefined }
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(new GaveUp(`after ${String(abortMs)} ms`))
  }, abortMs)
  return {
    wish: { signal: controller.signal },
    [Symbol.dispose]: () => {
      clearTimeout(timer)
    },
  }
}
