import type { RGcraRateLimiter } from '../../../src/index.js'
import { isObject, method, truth, type Subject } from '../../contracts/subject.js'
import { name, options, signal, waitMs, whole } from '../../contracts/takes.js'

const cost = whole(1, 3)

export const gcraRateLimiter: Subject<RGcraRateLimiter> = {
  make: (client, name) => client.getRateLimiter(name, { algorithm: 'gcra', limit: 1000, perMs: 10 }),
  isBesideItsName: true,
  methods: {
    consume: method(isObject, name, options({ cost })),
    acquire: method(isObject, name, options({ cost, waitMs, signal })),
    peek: method(isObject, name, options({ cost })),
    refund: method(isObject, name, options({ cost })),
    reset: method(truth, name),
  },
}
