import crypto from 'node:crypto'
import { Chance } from '../chance.js'
import { activeSimulation } from '../simulation.js'
import { Immediate } from './timer.js'
import { replaceBy, type Replacement } from './replacement.js'

/** Replaces `Math.random` and the random functions of `node:crypto` and of `globalThis.crypto`. */
export function randomReplacements(): readonly Replacement[] {
  // What modules draw when they are imported is the same in every process.
  const atImport = new Chance('import')
  const chance = (): Chance => activeSimulation()?.clock.current.chance ?? atImport
  const functions = cryptoFunctions(chance)
  return [
    replaceBy(Math, 'random', () => chance().fraction()),
    ...Object.entries(functions).map(([name, value]) => replaceBy(crypto, name, value)),
    replaceBy(globalThis.crypto, 'getRandomValues', functions.randomFillSync), // `node:crypto` looks it up there
    replaceBy(globalThis.crypto, 'randomUUID', functions.randomUUID),
  ]
}

type Done<T> = (error: Error | null, value: T) => void

function cryptoFunctions(chance: () => Chance) {
  const fill = <T extends NodeJS.ArrayBufferView>(view: T, offset = 0, size?: number): T => {
    const all = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    chance().fill(all.subarray(offset, size === undefined ? undefined : offset + size))
    return view
  }
  const randomBytes = (size: number, done?: Done<Buffer>) => give(fill(Buffer.alloc(size)), done)
  return {
    randomBytes,
    pseudoRandomBytes: randomBytes,
    randomFillSync: fill,
    randomFill: (view: NodeJS.ArrayBufferView, ...rest: unknown[]) => {
      const done = rest.pop() as Done<NodeJS.ArrayBufferView>
      const [offset, size] = rest as [number?, number?]
      give(fill(view, offset, size), done)
    },
    randomInt: (...args: unknown[]) => {
      const done = typeof args.at(-1) === 'function' ? (args.pop() as Done<number>) : undefined
      const [low, high] = (args.length === 1 ? [0, args[0]] : args) as [number, number]
      return give(low + chance().whole(high - low), done)
    },
    randomUUID: () => asUuid(fill(Buffer.alloc(16))),
  }
}

/** Returns a value, or calls back with it, as `node:crypto` does. */
function give<T>(value: T, done: Done<T> | undefined): T | undefined {
  if (done === undefined) return value
  const simulation = activeSimulation()
  const call = () => {
    done(null, value)
  }
  if (simulation === undefined) process.nextTick(call)
  else new Immediate(simulation.clock, call, [])
  return undefined
}

/** A UUID of version 4. */
function asUuid(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
  return parts.join('-')
}
