import type { Random } from '../random.js'
import { isLock, isPermits, resourcesOf, type SharedObject } from './objects.js'
import type { Enter, Form, Step } from './program.js'

/** What the steps of a program are chosen from. What comes several times comes more often. */
export interface Palette {
  readonly objects: readonly SharedObject[]
  readonly forms: readonly Form[]
  /** `undefined` is the watchdog's lease. */
  readonly leasesMs: readonly (number | undefined)[]
  /** `undefined` waits for as long as it takes, outside of everything else. */
  readonly waitsMs: readonly (readonly [least: number, most: number] | undefined)[]
  /** How often a call is given up, and how soon at the latest. */
  readonly aborts?: { readonly share: number; readonly mostMs: number }
  readonly insideMs: readonly [least: number, most: number]
  readonly outsideMs: readonly [least: number, most: number]
  /** How deep what is taken may be nested: 1 for not at all. */
  readonly depth: number
  readonly shareOfThreads?: number
  readonly shareOfForks?: number
  readonly shareOfForces?: number
  readonly shareOfExtensions?: number
  /** Threads that are named; each needs leases that outlast the round. */
  readonly threadIds?: readonly number[]
  /** How often the same owner asks for what it is refused, at most. */
  readonly tries?: number
}

/** Where in a program a step is. */
interface Position {
  /** The numbers of the objects that are held. */
  readonly inside: readonly number[]
  readonly inThread: boolean
  /** Whether it is in one of several branches of a thread. */
  readonly inFork?: boolean
}

const LONGEST_PROGRAM = 6

/** What one flow does, again and again. */
export function programOf(random: Random, palette: Palette): Step[] {
  return stepsOf(random, palette, { inside: [], inThread: false }, random.whole(2, LONGEST_PROGRAM))
}

function stepsOf(random: Random, palette: Palette, position: Position, count: number): Step[] {
  const [least, most] = position.inside.length > 0 ? palette.insideMs : palette.outsideMs
  return Array.from({ length: count }, () => [
    stepOf(random, palette, position),
    { do: 'pause', ms: random.whole(least, most) } as const,
  ]).flat()
}

function stepOf(random: Random, palette: Palette, position: Position): Step {
  const { shareOfThreads = 0, shareOfForks = 0, shareOfForces = 0 } = palette
  const nested = position.inside.length > 0
  if (!position.inThread && random.chance(shareOfThreads)) {
    return {
      do: 'thread',
      steps: stepsOf(random, palette, { ...position, inThread: true }, random.whole(1, 3)),
    }
  }
  if (random.chance(shareOfForces)) {
    return { do: 'force', object: random.whole(0, palette.objects.length - 1) }
  }
  if (nested && random.chance(shareOfForks)) {
    const branch = { ...position, inFork: true }
    return { do: 'fork', branches: [1, 2].map(() => stepsOf(random, palette, branch, 1)) }
  }
  const choices = palette.objects.flatMap((_, index) => (mayEnter(palette, index, position) ? [index] : []))
  if (choices.length === 0 || position.inside.length >= palette.depth) {
    return { do: 'pause', ms: random.whole(...palette.insideMs) }
  }
  return useOf(random, palette, random.pick(choices), position)
}

/**
 * Locks that share a name with one that is held are left alone, unless they are that one or the other side of it. So are groups within a
 * branch of a thread: another branch may enter a member before the group is complete, which the history could not tell from another owner.
 */
function mayEnter({ objects }: Palette, index: number, { inside, inFork = false }: Position): boolean {
  if (inFork && isGroup(objects[index])) return false
  const namesOf = (each: number) =>
    new Set(resourcesOf(objects[each] as SharedObject).map(({ name }) => name))
  const names = namesOf(index)
  return inside.every(
    (held) =>
      held === index ||
      (isSide(objects[held]) && isSide(objects[index])) ||
      [...namesOf(held)].every((name) => !names.has(name)),
  )
}

function isGroup(object: SharedObject | undefined): boolean {
  return object?.kind === 'multi' || object?.kind === 'red'
}

function isSide(object: SharedObject | undefined): boolean {
  return object?.kind === 'read' || object?.kind === 'write'
}

function useOf(random: Random, palette: Palette, index: number, position: Position): Step {
  const object = palette.objects[index] as SharedObject
  if (object.kind === 'latch') {
    return { do: 'latch', object: index, act: random.pick(LATCH_ACTS), waitMs: random.whole(0, 20) }
  }
  if (object.kind === 'rate') {
    const permits = random.whole(1, Math.min(2, object.rate))
    return { do: 'ask', object: index, permits, waitMs: random.whole(0, 50) }
  }
  if (object.kind === 'election') {
    const steps: Step[] = [{ do: 'pause', ms: random.whole(...palette.insideMs) }]
    return { do: 'lead', object: index, forMs: random.whole(1, 500), requeue: random.chance(0.5), steps }
  }
  if (object.kind === 'once') {
    const retry = random.pick([undefined, 'onError', 'onCrash', 'both'] as const)
    const steps: Step[] = [{ do: 'pause', ms: random.whole(...palette.insideMs) }]
    return {
      do: 'once',
      object: index,
      fire: random.whole(0, object.fires - 1),
      ...(retry && { retry }),
      steps,
    }
  }
  return enterOf(random, palette, index, position)
}

const LATCH_ACTS = ['set', 'count-down', 'count-down', 'await'] as const

function enterOf(random: Random, palette: Palette, index: number, position: Position): Enter {
  const { forms, leasesMs, aborts, threadIds, tries, shareOfExtensions = 0 } = palette
  const object = palette.objects[index] as SharedObject
  const form = random.pick(forms)
  const stepwise = form === 'lock' && isLock(object)
  const leaseMs = random.pick(leasesMs)
  const waitMs = waitOf(random, palette, position, object)
  const abortMs = aborts && random.chance(aborts.share) ? random.whole(0, aborts.mostMs) : undefined
  const threadId = stepwise && threadIds ? random.pick(threadIds) : undefined
  const extends_ = !stepwise && random.chance(shareOfExtensions)
  const deeper = {
    ...position,
    inside: [...position.inside, index],
    inThread: position.inThread || (form === 'withLock' && isLock(object)),
  }
  return {
    do: 'enter',
    object: index,
    form,
    ...(isPermits(object) && object.kind === 'semaphore' && { permits: random.whole(1, object.permits) }),
    ...(leaseMs !== undefined && { leaseMs }),
    ...(waitMs !== undefined && { waitMs }),
    ...(abortMs !== undefined && { abortMs }),
    ...(threadId !== undefined && { threadId }),
    ...(tries !== undefined && waitMs !== undefined && { tries: random.whole(1, tries) }),
    ...(extends_ && { extendMs: random.pick([0, 50, 300]) }),
    steps: insideOf(random, palette, deeper),
  }
}

/**
 * Inside of something else no flow waits for long, so that two that hold what the other wants go on. Nor does anybody at a
 * semaphore: a permit may be gone for good when its release is not answered.
 */
function waitOf(
  random: Random,
  { waitsMs }: Palette,
  { inside }: Position,
  object: SharedObject,
): number | undefined {
  const range = random.pick(waitsMs)
  if (range !== undefined) return random.whole(...range)
  return inside.length > 0 || isPermits(object) ? random.whole(1, LONGEST_WAIT_MS) : undefined
}

const LONGEST_WAIT_MS = 30

function insideOf(random: Random, palette: Palette, position: Position): Step[] {
  const pause: Step = { do: 'pause', ms: random.whole(...palette.insideMs) }
  if (position.inside.length >= palette.depth || random.chance(0.4)) return [pause]
  return [pause, ...stepsOf(random, palette, position, random.whole(1, 2))]
}
