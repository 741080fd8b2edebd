import type { Random } from '../../random.js'
import type { DataObject } from '../objects.js'
import { CLAIM, type DataCall, type Step, type Use } from '../program.js'
import { CLAIMS, type DataMethods } from './method.js'
import { DATA_METHODS, READS_ALL } from './methods.js'

/** What the calls of a program are chosen from. */
export interface DataPalette {
  readonly objects: readonly DataObject[]
  /** Whether an atomic batch may have all of them. */
  readonly isInOneSlot: boolean
  readonly shareOfExactlyOnce: number
  /** How many of the methods of each object are used at all. */
  readonly shareOfMethods: number
  readonly shareOfBatches: number
  readonly pauseMs: readonly [least: number, most: number]
}

/** One method of one object. */
interface Choice {
  readonly object: number
  readonly method: string
}

/** Chooses which methods are used, and returns how to make programs of them. */
export function usingProgramOf(random: Random, palette: DataPalette): () => Step[] {
  const choices = palette.objects.flatMap((object, n) =>
    chosenOf(random, object, palette.shareOfMethods).map((method): Choice => ({ object: n, method })),
  )
  return () =>
    Array.from({ length: random.whole(2, 5) }, () => [
      useOf(random, palette, choices),
      { do: 'pause', ms: random.whole(...palette.pauseMs) } as const,
    ]).flat()
}

/** Some of the methods of an object: one that reads it, and at least two others where it has them. */
function chosenOf(random: Random, { kind }: DataObject, share: number): string[] {
  const methods: DataMethods = DATA_METHODS[kind]
  const names = Object.keys(methods).filter((name) => methods[name]?.run !== undefined)
  const readsAll = kind === 'adder' ? 'sum' : READS_ALL[kind]
  const others = random.shuffled(names.filter((name) => name !== readsAll))
  return [...others.slice(0, Math.max(2, Math.round(share * others.length))), readsAll]
}

function useOf(random: Random, palette: DataPalette, choices: readonly Choice[]): Use {
  const { objects, isInOneSlot, shareOfExactlyOnce, shareOfBatches } = palette
  const exactlyOnce = random.chance(shareOfExactlyOnce)
  const how = random.chance(shareOfBatches)
    ? random.pick(['pipeline', 'atomic'] as const)
    : random.pick(['one by one', 'one by one', 'together'] as const)
  const isBatch = how === 'pipeline' || how === 'atomic'
  const only = how === 'atomic' && !isInOneSlot ? random.whole(0, objects.length - 1) : undefined
  const possible = choices.filter(
    (choice) =>
      (!isBatch || methodOf(objects, choice).alone === undefined) &&
      (only === undefined || choice.object === only),
  )
  const count = isBatch ? random.whole(1, 5) : random.whole(1, 3)
  if (possible.length === 0)
    return { do: 'use', how: 'one by one', exactlyOnce, calls: callsOf(random, palette, choices, 1) }
  return { do: 'use', how, exactlyOnce, calls: callsOf(random, palette, possible, count) }
}

function callsOf(
  random: Random,
  { objects }: DataPalette,
  choices: readonly Choice[],
  count: number,
): DataCall[] {
  return Array.from({ length: count }, () => {
    const choice = random.pick(choices)
    const { kind } = objects[choice.object] as DataObject
    const { keys, adds } = methodOf(objects, choice)
    const key = keys && random.pick(keys)
    return {
      ...choice,
      ...(key !== undefined && { key: CLAIMS.includes(key) ? CLAIM : key }),
      ...(adds && { by: random.whole(1, 8) * (kind === 'double' ? 0.25 : 1) }),
    }
  })
}

function methodOf(objects: readonly DataObject[], { object, method }: Choice) {
  const { kind } = objects[object] as DataObject
  const methods: DataMethods = DATA_METHODS[kind]
  return methods[method] as DataMethods[string]
}
