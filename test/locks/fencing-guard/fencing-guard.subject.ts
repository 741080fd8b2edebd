import type { FencingGuard } from '../../../src/index.js'
import { anything, method, number, truth, type Subject } from '../../contracts/subject.js'
import { many, one, whole } from '../../contracts/takes.js'

const token = whole(1, 9)
const command = one('SET', 'INCR', 'GET', 'nonsense')

export const fencingGuard: Subject<FencingGuard> = {
  make: (client, name) => client.getFencingGuard(name),
  methods: {
    accepts: method(truth, token),
    getLastToken: method(number),
    run: { ...method(anything, token, command, many(one('1', 2, Buffer.from('3')))), sendsAnything: true },
  },
}
