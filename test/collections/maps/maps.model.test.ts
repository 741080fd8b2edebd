import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RMapsImport } from '../../../src/index.js'
import { single } from '../../support/topologies.js'

const NAMES = ['maps-model-a', 'maps-model-b', 'maps-model-c']

type Content = Readonly<Record<string, number>>
type Step =
  | { readonly kind: 'set'; readonly maps: readonly (readonly [string, Content])[]; readonly size: number }
  | { readonly kind: 'add'; readonly name: string; readonly values: readonly [number, number] }
  | { readonly kind: 'flush' }
  | { readonly kind: 'put'; readonly name: string; readonly value: number }

const name = fc.constantFrom(...NAMES)
const value = fc.integer({ min: 0, max: 9 })
const content = fc.dictionary(fc.constantFrom('x', 'y', 'z'), value)

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('set' as const),
      maps: fc.array(fc.tuple(name, content), { maxLength: 4 }),
      size: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ kind: fc.constant('add' as const), name, values: fc.tuple(value, value) }),
    fc.record({ kind: fc.constant('flush' as const) }),
    fc.record({ kind: fc.constant('put' as const), name, value }),
  ),
  { maxLength: 20 },
)

/** What maps have, and what waits in an import of two fields, two at a time. */
class Model {
  readonly maps = new Map<string, Content>()
  readonly #waiting = new Map<string, Content>()

  apply(step: Step): void {
    if (step.kind === 'set') for (const [key, map] of step.maps) this.maps.set(key, map)
    else if (step.kind === 'put') this.maps.set(step.name, { ...this.maps.get(step.name), p: step.value })
    else if (step.kind === 'flush') this.flush()
    else {
      this.#waiting.set(step.name, { x: step.values[0], y: step.values[1] })
      if (this.#waiting.size === 2) this.flush()
    }
  }

  flush(): void {
    for (const [key, map] of this.#waiting) this.maps.set(key, map)
    this.#waiting.clear()
  }
}

let client: RedissonClient

beforeAll(async () => {
  client = await Redisson.create(single.options())
})

afterAll(async () => {
  await client.shutdown()
})

async function act(step: Step, adding: RMapsImport<number>): Promise<void> {
  if (step.kind === 'set') await client.getMaps<string, number>().set(step.maps, { batchSize: step.size })
  else if (step.kind === 'put') await client.getMap(step.name).fastPut('p', step.value)
  else if (step.kind === 'flush') await adding.flush()
  else await adding.add(step.name, step.values)
}

it('has what a model has', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await client.getKeys().delete(...NAMES)
      const model = new Model()
      {
        await using adding = client
          .getMaps<string, number>()
          .createImport({ fields: ['x', 'y'], batchSize: 2 })
        for (const step of all) {
          model.apply(step)
          await act(step, adding)
        }
      }
      model.flush()
      for (const each of NAMES)
        expect(Object.fromEntries(await client.getMap(each).readAllMap())).toEqual({
          ...model.maps.get(each),
        })
    }),
    { numRuns: 30 },
  )
  await client.getKeys().delete(...NAMES)
})
