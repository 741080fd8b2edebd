import { syncBuiltinESMExports } from 'node:module'
import { garbageReplacements } from './replacements/garbage.js'
import { machineReplacements } from './replacements/machine.js'
import { randomReplacements } from './replacements/random.js'
import type { Replacement } from './replacements/replacement.js'
import { socketReplacements } from './replacements/sockets.js'
import { timeReplacements } from './replacements/time.js'
import { timerReplacements } from './replacements/timers.js'

/** A property as it was. */
interface Original {
  readonly replacement: Replacement
  readonly descriptor: PropertyDescriptor | undefined
}

let isInstalled = false

/**
 * Replaces every source of time, chance and sockets in this process. It is called before the first import of a program that is to be
 * simulated, since modules may keep what they find when they are imported.
 *
 * The replacements ask the world that is open; while none is, they are the real ones, but for chance, which is the same in every
 * process then.
 *
 * @returns how to put everything back
 */
export function install(): () => void {
  if (isInstalled) throw new Error('The simulation is installed already')
  isInstalled = true
  const originals = [
    ...timerReplacements(),
    ...timeReplacements(),
    ...randomReplacements(),
    ...socketReplacements(),
    ...garbageReplacements(),
    ...machineReplacements(),
  ].map(replace)
  syncBuiltinESMExports()
  return () => {
    if (!isInstalled) return
    for (const original of originals) restore(original)
    syncBuiltinESMExports()
    isInstalled = false
  }
}

function replace(replacement: Replacement): Original {
  const { target, property, descriptor } = replacement
  const original = Object.getOwnPropertyDescriptor(target, property)
  Object.defineProperty(target, property, descriptor)
  return { replacement, descriptor: original }
}

/** A property that was inherited is inherited again. */
function restore({ replacement: { target, property }, descriptor }: Original): void {
  if (descriptor === undefined) Reflect.deleteProperty(target, property)
  else Object.defineProperty(target, property, descriptor)
}
