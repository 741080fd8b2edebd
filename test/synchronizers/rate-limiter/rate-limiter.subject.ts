import type { RRateLimiter } from '../../../src/index.js'
import { dumpable, expirable } from '../../contracts/samples.js'
import {
  method,
  isObject,
  nothing,
  number,
  orUndefined,
  overloaded,
  truth,
  quiet,
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

const limiter = (mode: 'OVERALL' | 'PER_CLIENT'): Subject<RRateLimiter> => ({
  make: (client, name) => client.getRateLimiter(name),
  fill: async (made) => {
    await made.trySetRate(mode, 3, 600_000)
    await made.acquire(2)
  },
  use: async (made) => [
    await made.getConfig(),
    await made.tryAcquire(2),
    await made.tryAcquire(1),
    await made.availablePermits(),
  ],
  methods: {
    ...expirable,
    ...quiet(dumpable),
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
})

export const rateLimiter = limiter('OVERALL')
export const rateLimiterPerClient = limiter('PER_CLIENT')
