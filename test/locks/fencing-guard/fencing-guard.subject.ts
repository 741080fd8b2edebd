import type { FencingGuard } from '../../../src/index.js'
import { anything, asked, number, truth, type Subject } from '../../contracts/subject.js'
import { many, one, whole } from '../../contracts/takes.js'

const token = whole(1, 9)
const command = one('SET', 'INCR', 'GET', 'nonsense')

export const fencingGuard: Subject<FencingGuard> = {
  make: (client, name) => client.getFencingGuard(name),
  methods: {
    accepts: asked(truth, token),
    getLastToken: asked(number),
    run: { ...asked(anything, token, command, many(one('1', 2, Buffer.from('3')))), sendsAnything: true },
  },
}
