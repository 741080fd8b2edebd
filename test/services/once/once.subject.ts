import type { Once } from '../../../src/index.js'
import { method, isObject, type Subject } from '../../contracts/subject.js'
import { fn, one, options, signal } from '../../contracts/takes.js'

const fire = one('noon', 1, 2, '2', 'noon: {a}', new Date(2))
const retry = one('onError', 'onCrash', 'both')

export const once: Subject<Once> = {
  make: (client, name) => client.getOnce(name, { ttlMs: 100 }),
  methods: { run: method(isObject, fn, options({ fire, retry, signal })) },
  free: (client, name) => client.getOnce(name, { ttlMs: 100 }).run(() => 'done', { fire: 'tidy' }),
}
