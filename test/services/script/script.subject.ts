import type { RScript } from '../../../src/index.js'
import { anything, method, nothing, text, type Subject } from '../../contracts/subject.js'
import { list, many, one } from '../../contracts/takes.js'
import { mode, returns, sent, values } from '../shared/scripting.js'

const lua = one('return 1', "return redis.call('set', KEYS[1], ARGV[1])", 'error()')
const sha = one('e0e1f9fabfc9d4800c877a703b823ac0578ff8db', 'A'.repeat(40))
const scripted = list(one('scripted'), ['scripted'], [])

export const script: Subject<RScript<unknown>> = {
  make: (client) => client.getScript(),
  takesSignal: true,
  methods: {
    eval: sent(method(anything, mode, lua, returns, scripted, values)),
    evalSha: sent(method(anything, mode, sha, returns, scripted, values)),
    scriptLoad: sent(method(text, lua)),
    scriptExists: method(Array.isArray, many(sha)),
    scriptFlush: method(nothing),
  },
  free: (client) => client.getKeys().delete('scripted'),
}
