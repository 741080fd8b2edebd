import type { RRateLimiter } from '../../../src/index.js'
import { expirable } from '../../contracts/samples.js'
import {
  method,
  isObject,
  nothing,
  number,
  orUndefined,
  overloaded,
  truth,
  type Subject,
} from '../../contracts/subject.js'
import {
  flag,
  leaseMs,
  one,
  options,
  orOptions,
  permits,
  signal,
  waitMs,
  whole,
} from '../../contracts/takes.js'

const rate = [one('OVERALL', 'PER_CLIENT'), whole(1, 5), whole(1, 50)]
const rateOptions = options({ keepAliveMs: leaseMs, keepState: flag })

export const rateLimiter: Subject<RRateLimiter> = {
  make: (client, name) => client.getRateLimiter(name),
  fill: (made) => made.trySetRate('OVERALL', 3, 20),
  methods: {
    ...expirable,
    acquire: overloaded(nothing, [permits], [options({ permits, signal })]),
    tryAcquire: overloaded(truth, [orOptions(permits), waitMs], [options({ permits, waitMs, signal })]),
    attempt: overloaded(isObject, [permits], [options({ permits, signal })]),
    release: method(nothing, permits),
    availablePermits: method(number),
    getConfig: method(orUndefined(isObject)),
    setRate: method(nothing, ...rate, rateOptions),
    updateRate: method(truth, ...rate, rateOptions),
    trySetRate: method(truth, ...rate, leaseMs),
  },
  free: async (client, name) => {
    const limiter = client.getRateLimiter(name)
    await limiter.delete()
    await limiter.trySetRate('OVERALL', 1, 1000)
    await limiter.acquire()
    await limiter.delete()
  },
}
