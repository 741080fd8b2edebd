import { createHash } from 'node:crypto'
import type { SimulatedRedis } from '../rounds/simulated-redis.js'
import type { Message } from '../world/network/message.js'

/** Whether a server is about to run a script. One that is called by its hash for the first time is not run. */
export function runsScript({ server }: SimulatedRedis, { name, words }: Message): boolean {
  if (name === 'EVAL') return true
  return name === 'EVALSHA' && server.scripts.has(words[1] ?? '')
}

/** What a request asks: the hash of its script, or the name of a plain command. */
export function askedBy({ name, words: [, script = ''] }: Message): string {
  if (name === 'EVAL') return createHash('sha1').update(script, 'latin1').digest('hex')
  return name === 'EVALSHA' ? script : name
}

/** Whether a server asks for the text of a script. The decisions of a scenario are about what scripts do. */
export function isUnknownScript({ bytes }: Message): boolean {
  return bytes.startsWith('-NOSCRIPT')
}

/** Whether a server writes a message of a channel, and no reply. */
export function isMessage({ command }: Message): boolean {
  return command === undefined
}
