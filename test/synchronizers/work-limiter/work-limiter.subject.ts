import type { RWorkLimiter } from '../../../src/index.js'
import { anything, isObject, method, sync, truth, type Subject } from '../../contracts/subject.js'
import { fn, options, signal, waitMs, whole } from '../../contracts/takes.js'

const work = options({ priority: whole(-2, 2), weight: whole(1, 3), waitMs, signal })

export const workLimiter: Subject<RWorkLimiter> = {
  make: (client, name) => client.getWorkLimiter(name, { concurrency: 3, rate: { limit: 1000, perMs: 10 } }),
  isBesideItsName: true,
  methods: {
    run: method(anything, fn, work),
    wrap: { ...sync(anything, fn, work), asksNothing: true },
    counts: method(isObject),
    reset: method(truth),
  },
}
