import { type Bytes, OK, Refusal, type Reply, Status } from '../../reply.js'
import type { LuaHost } from '../host.js'
import { RandomNumbers } from '../run/random-numbers.js'

const WRONG_TYPE = new Refusal('WRONGTYPE Operation against a key holding the wrong kind of value')

/** A server with a few commands on strings, enough to see what scripts make of each kind of reply. */
export function fewCommands(): LuaHost {
  const strings = new Map<Bytes, Bytes>()
  return {
    random: new RandomNumbers(),
    call: ([name = '', ...args]) => run(strings, name.toLowerCase(), args),
  }
}

function run(strings: Map<Bytes, Bytes>, name: string, args: readonly Bytes[]): Reply {
  const [key = '', value = ''] = args
  switch (name) {
    case 'ping':
      return new Status('PONG')
    case 'echo':
      return key
    case 'set':
      strings.set(key, value)
      return OK
    case 'get':
      return strings.get(key) ?? null
    case 'mget':
      return args.map((arg) => strings.get(arg) ?? null)
    case 'del':
      return args.filter((arg) => strings.delete(arg)).length
    case 'strlen':
      return strings.get(key)?.length ?? 0
    case 'lpush':
      return WRONG_TYPE
    default:
      return new Refusal('ERR Unknown Redis command called from script')
  }
}
