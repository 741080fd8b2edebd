import type { RedissonClient } from '../../../src/index.js'
import { codeOf, type Recorder } from '../../client/recorder.js'
import type { CallArguments, CallEntry } from '../../history.js'
import type { Random } from '../../random.js'
import { claimAt, type Caller, type DataMethod } from '../data/method.js'
import { methodOf } from '../data/methods.js'
import { isData, type DataObject, type SharedObject } from '../objects.js'
import { CLAIM, type DataCall, type Use } from '../program.js'
import { mayHaveRun, wordFor } from './word-for.js'

export interface DataFacts {
  readonly client: RedissonClient
  readonly recorder: Recorder
  readonly random: Random
  readonly objects: readonly SharedObject[]
  readonly newOwner: () => number
}

/** A call that is ready to be made. */
interface Ready {
  readonly object: DataObject
  readonly name: string
  readonly method: DataMethod
  readonly args: CallArguments
}

/** A call that was made. It never rejects. */
type Settled = Promise<void>

/** How many of the elements that a flow knows it remembers. */
const MOST_ELEMENTS = 20

/** Calls methods of data objects, and writes down what they return. */
export class DataUser {
  readonly #facts: DataFacts
  /** Elements of each object that were there once. */
  readonly #elements = new Map<string, string[]>()
  #flow: number | undefined

  constructor(facts: DataFacts) {
    this.#facts = facts
  }

  /** Makes calls as a program says. Rejects only with what no call has rejected with. */
  async use({ how, exactlyOnce, calls }: Use): Promise<void> {
    const { client } = this.#facts
    const options = { exactlyOnce }
    if (how === 'one by one')
      for (const call of calls) await this.#call(await this.#ready(call, options), options, client)
    else if (how === 'together')
      await Promise.all(
        calls.map(async (call) => this.#call(await this.#ready(call, options), options, client)),
      )
    else await this.#batch(calls, how, exactlyOnce)
  }

  /** Calls one method, as the director of a round does at its end. */
  async callOnce(call: DataCall): Promise<void> {
    await this.use({ do: 'use', how: 'one by one', exactlyOnce: false, calls: [call] })
  }

  async #batch(calls: readonly DataCall[], mode: 'pipeline' | 'atomic', exactlyOnce: boolean): Promise<void> {
    const options = { exactlyOnce }
    const ready: Ready[] = []
    for (const call of calls) ready.push(await this.#ready(call, options))
    const settled: Settled[] = []
    const id = this.#facts.recorder.id()
    try {
      await this.#facts.client.batch(
        (batch) => {
          for (const [place, each] of ready.entries())
            settled.push(this.#call(each, options, batch, { id, place }))
          return []
        },
        { mode, exactlyOnce },
      )
    } catch (error) {
      if (codeOf(error) !== 'BATCH') throw error
    }
    await Promise.all(settled)
  }

  /** Finds out what a call is made with. */
  async #ready(call: DataCall, options: Caller['options']): Promise<Ready> {
    const object = this.#object(call.object)
    const method = methodOf(object.kind, call.method)
    const key = call.key === CLAIM ? claimAt(this.#facts.recorder.now()) : call.key
    const values = method.element ? this.#element(object) : this.#newValues(method.values)
    const args = {
      ...(key !== undefined && { key }),
      ...(values.length > 0 && { values }),
      ...(call.by !== undefined && { by: call.by }),
    }
    const expected = method.expects && (await this.#valueBy(method.expects, object, args, options))
    return {
      object,
      method,
      name: call.method,
      args: { ...args, ...(expected !== undefined && { expected: expected as string | number }) },
    }
  }

  /** Reads the value that a call expects; undefined also if that fails. */
  async #valueBy(
    name: string,
    object: DataObject,
    { key }: CallArguments,
    options: Caller['options'],
  ): Promise<unknown> {
    const args = key === undefined ? {} : { key }
    let value: unknown
    const ready = { object, name, method: methodOf(object.kind, name), args }
    await this.#call(ready, options, this.#facts.client, undefined, (result) => (value = result))
    return value
  }

  #call(
    { object, name, method, args }: Ready,
    options: Caller['options'],
    source: Caller['source'],
    batch?: CallEntry['batch'],
    keep: (result: unknown) => void = () => undefined,
  ): Settled {
    const { client, recorder } = this.#facts
    const about = { ...object, method: name, args, exactlyOnce: options.exactlyOnce }
    const called = recorder.call({ flow: this.#number, ...about, ...(batch && { batch }) })
    const { name: objectName } = object
    const now = () => recorder.now()
    return runOf(method, { source, client, name: objectName, options, args, now }).then(
      (result) => {
        called.ok(result)
        keep(result)
        this.#learn(object, method, args, result)
      },
      (error: unknown) => {
        called.failed(wordFor(error), mayHaveRun(error))
      },
    )
  }

  #learn({ name }: DataObject, method: DataMethod, args: CallArguments, result: unknown): void {
    const known = this.#elements.get(name) ?? []
    for (const effect of method.effects(args, { result }))
      if (effect.is === 'put' || effect.is === 'look') known.push(...effect.elements)
    this.#elements.set(name, known.slice(-MOST_ELEMENTS))
  }

  #element({ name }: DataObject): string[] {
    const known = this.#elements.get(name) ?? []
    return known.length === 0 ? this.#newValues(1) : [this.#facts.random.pick(known)]
  }

  #newValues(count = 0): string[] {
    return Array.from({ length: count }, () => this.#facts.recorder.id())
  }

  #object(index: number): DataObject {
    const object = this.#facts.objects[index]
    if (object === undefined || !isData(object))
      throw new RangeError(`Expected a data object of the round, got ${String(index)}`)
    return object
  }

  get #number(): number {
    this.#flow ??= this.#facts.newOwner()
    return this.#flow
  }
}

/** What throws rejects as well. */
async function runOf({ run }: DataMethod, caller: Caller): Promise<unknown> {
  return await run?.(caller)
}
