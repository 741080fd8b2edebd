import { pathToFileURL } from 'node:url'
import { runProgram } from '../../../scripts/command-line.js'
import type * as Library from '../../../src/index.js'
import { playScenarios } from '../scenarios/main.js'
import { drawRound, type Round } from './draw.js'
import { inWords } from './in-words.js'
import { read, usage, type Task } from './options.js'
import { simulateRound, type SimulatedRound, type SimulationSettings } from './round.js'
import { scriptNames } from './script-names.js'
import { shrink } from './shrink.js'

export async function main(args: readonly string[]): Promise<number> {
  return await runProgram(args, { read, usage, perform })
}

async function perform(task: Task): Promise<number> {
  const { isHelp, scenario, withTrace } = task
  if (isHelp) {
    console.log(usage)
    return 0
  }
  const names = await scriptNames()
  const library = await libraryAt(task.library)
  if (scenario !== undefined) return await playScenarios({ scenario, library, scriptNames: names, withTrace })
  return await simulateAll(task, { library, scriptNames: names, keepsTrace: withTrace })
}

/** Simulates a round of each kind for each seed. */
async function simulateAll(task: Task, settings: SimulationSettings): Promise<number> {
  let broken = 0
  for (const round of roundsOf(task)) {
    const simulated = await simulateRound(round, settings)
    print(round, simulated)
    if (simulated.breaches.length === 0) continue
    broken += 1
    if (!task.shrinks) continue
    await printSmallest(round, simulated, settings)
    break
  }
  return broken === 0 ? 0 : 1
}

function* roundsOf({ mixes, from, to, runMs, playMs, faults, topology }: Task): Generator<Round> {
  const endAt = performance.now() + runMs
  for (let seed = from; seed <= to; seed += 1)
    for (const mix of mixes) {
      if (performance.now() >= endAt) return
      yield drawRound({ mix, seed, playMs, faults, topology })
    }
}

/** Prints the smallest round that breaks the same promise. */
async function printSmallest(
  round: Round,
  { breaches }: SimulatedRound,
  settings: SimulationSettings,
): Promise<void> {
  const promises = new Set(breaches.map(({ kind }) => kind))
  const smallest = await shrink(round, async (smaller) => {
    const simulated = await simulateRound(smaller, { ...settings, keepsTrace: false })
    return simulated.breaches.some(({ kind }) => promises.has(kind))
  })
  console.log(`\nThe smallest round that breaks it:\n${inWords(smallest).join('\n')}`)
  print(smallest, await simulateRound(smallest, settings))
}

async function libraryAt(file: string | undefined): Promise<typeof Library> {
  const address = file === undefined ? '../../../src/index.js' : pathToFileURL(file).href
  return (await import(address)) as typeof Library
}

function print({ name }: Round, { breaches, hash, virtualMs, history, trace }: SimulatedRound): void {
  const succeeded = history.filter(
    (entry) => (entry.type === 'end' || entry.type === 'answer') && entry.outcome === 'ok',
  ).length
  const verdict = breaches.length === 0 ? 'ok' : `${String(breaches.length)} PROMISES BROKEN`
  const line = `${name}: ${String(succeeded)} calls, ${(virtualMs / 1_000).toFixed(1)} s, ${hash}: ${verdict}`
  const shown = breaches.slice(0, 5).map(({ kind, what }) => `  ${kind}: ${what}`)
  for (const each of [...trace, line, ...shown]) console.log(each)
}
