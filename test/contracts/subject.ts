import type { RedissonClient } from '../../src/index.js'
import type { Argument } from './takes.js'

/** How a method is called, what it returns, and how it refuses. */
export interface Sample {
  /** The arguments of each overload. The first is one that has the most of them. */
  readonly forms: readonly (readonly Argument[])[]
  /** Whether a result makes sense. */
  readonly isSound: (value: unknown) => boolean
  /** How it refuses: what returns no promise throws, everything else rejects. */
  readonly refuses: 'by throwing' | 'by rejecting'
  /** What it returns is iterated over, and asks Redis only then. */
  readonly isIteration?: boolean
  /** It asks Redis for nothing, or for what a signal of the client does not end. */
  readonly asksNothing?: boolean
  /** A replica may serve it, as the guide on topologies says. */
  readonly isFromReplica?: boolean
  /** What it returns is an object of the library, for which there is a subject as well. */
  readonly handsOut?: boolean
  /** Redis may refuse the command, as its documentation says, for instance for values of another type. */
  readonly mayBeRefusedByRedis?: boolean
  /** It sends any command that the program likes, which may fail in any way. */
  readonly sendsAnything?: boolean
  /** It would take the keys of all other objects, and is called only with an argument too many. */
  readonly harmsOthers?: boolean
}

/** What brings an event about. */
export interface Occasion<T> {
  readonly times: number
  /** Changes an object that is not there yet. */
  by(made: T, client: RedissonClient): Promise<unknown>
}

/** A sample for each method: one that has none does not compile. */
export type Samples<T> = {
  readonly [M in keyof T as T[M] extends (...args: never) => unknown ? M : never]: Sample
}

/** An object that the library hands out, for all contracts. Its file `*.subject.ts` exports it under its name. */
export interface Subject<T extends object = object> {
  readonly make: (client: RedissonClient, name: string) => T | Promise<T>
  /** Whether {@link RedissonClient.withSignal} makes it, so that a signal ends its calls. */
  readonly takesSignal?: boolean
  /** Whether even what only reads is the master's. */
  readonly readsAtMaster?: boolean
  /** Whether anything that has its name is taken for it, of whatever type in Redis. */
  readonly isOfAnyType?: boolean
  /** Whether all of its keys have other names, so that anything may have its own. */
  readonly isBesideItsName?: boolean
  /** Whether it sends requests of its own at any time, which cannot be told from those of a call. */
  readonly worksByItself?: boolean
  /** Puts something in, so that calls have an effect. */
  fill?(object: T): Promise<unknown>
  /** Uses it once it is filled, which may change it. Results in the same for objects with the same content. */
  use?(object: T): Promise<unknown>
  /** What brings the events about that not every object has, and others in further ways. */
  readonly events?: Readonly<Record<string, Occasion<T>>>
  /** Frees what calls may have taken, and shows that it is free. */
  readonly free?: (client: RedissonClient, name: string) => Promise<unknown>
  readonly methods: Samples<T>
}

/** An event that comes so often. */
export function times<T>(times: number, by: Occasion<T>['by']): Occasion<T> {
  return { times, by }
}

/** A method that returns a promise. */
export function method(isSound: Sample['isSound'], ...takes: readonly Argument[]): Sample {
  return { forms: [takes], isSound, refuses: 'by rejecting' }
}

/** One that has overloads. */
export function overloaded(isSound: Sample['isSound'], ...forms: Sample['forms']): Sample {
  return { forms, isSound, refuses: 'by rejecting' }
}

/** One that returns a value at once. */
export function sync(isSound: Sample['isSound'], ...takes: readonly Argument[]): Sample {
  return { forms: [takes], isSound, refuses: 'by throwing' }
}

/** One that returns what is iterated over. */
export function iteration(...takes: readonly Argument[]): Sample {
  return { ...sync(isObject, ...takes), isIteration: true }
}

/** Methods that ask Redis for nothing, such as those that an object refuses. */
export const quiet = <T extends object>(samples: T) => marked(samples, { asksNothing: true })

/** Methods that may be served by a replica. */
export const fromReplica = <T extends object>(samples: T) => marked(samples, { isFromReplica: true })

/** The same of those that are the master's where those of other objects are not. */
export const fromMaster = <T extends object>(samples: T) => marked(samples, { isFromReplica: false })

function marked<T extends object>(samples: T, mark: Partial<Sample>): T {
  const all = samples as Readonly<Record<string | symbol, Sample>>
  return Object.fromEntries(Reflect.ownKeys(all).map((method) => [method, { ...all[method], ...mark }])) as T
}

/** One that returns an object of the library. */
export function handsOut(...takes: readonly Argument[]): Sample {
  return { ...sync(isObject, ...takes), handsOut: true }
}

/** An object with values of the program, which a client with a signal makes as well, and which is free once it is deleted. */
export function dataObject<T extends object & { delete(): Promise<boolean> }>(
  subject: Omit<Subject<T>, 'free' | 'takesSignal'>,
): Subject<T> {
  const free = async (client: RedissonClient, name: string) => (await subject.make(client, name)).delete()
  return { ...subject, free, takesSignal: true }
}

export const anything = () => true
export const nothing = (value: unknown) => value === undefined
export const truth = (value: unknown) => typeof value === 'boolean'
export const number = (value: unknown) => Number.isInteger(value)
export const real = (value: unknown) => typeof value === 'number'
export const bigint = (value: unknown) => typeof value === 'bigint'
export const text = (value: unknown) => typeof value === 'string' && value !== ''
export const texts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(text)
export const isObject = (value: unknown) => typeof value === 'object' && value !== null
export const orUndefined = (isSound: Sample['isSound']) => (value: unknown) =>
  value === undefined || isSound(value)
