import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { deviations, type Outcome } from '../../demo/outcome.js'
import { priceDeviations } from '../../demo/prices/report-prices.js'
import { priceSteps } from '../../demo/prices/price-steps.js'
import { shippingDeviations } from '../../demo/shipping/report-shipping.js'
import { shippingSteps } from '../../demo/shipping/shipping-steps.js'
import { steps, type Expectation } from '../../demo/steps.js'
import { startChild, type Child } from '../support/child.js'
import { eventually } from '../support/eventually.js'

const demo = new URL('../../demo/demo.ts', import.meta.url)
const ownName = new URL('../support/own-name.ts', import.meta.url)

/** A step takes seconds, and a busy machine takes more of them. */
const LONG_MS = 90_000

describe('the demo', { timeout: LONG_MS }, () => {
  it.concurrent('oversells without a lock', async () => {
    const { code, output } = await runDemo('--only', 'no-lock')
    expect(output).toMatch(/^no-lock +\d+ +[1-9]\d* +0 +0 +[1-9]\d* +oversells, as expected$/m)
    expect(code).toBe(0)
  })

  it.concurrent('deletes the lock of another owner with a plain DEL', async () => {
    const { code, output } = await runDemo('--only', 'foreign-delete')
    expect(output).toMatch(/^foreign-delete +\d+ +\d+ +0 +[1-9]\d* /m)
    expect(code).toBe(0)
  })

  it.concurrent(
    'prints zeros for RLock, though a sale is slow and a shop is killed',
    { tags: ['timed'] },
    async () => {
      const { code, output } = await runDemo('--only', 'rlock')
      expect(output).toContain('has a sale that takes longer than the lease')
      expect(output).toContain('was killed')
      expect(output).toContain('sold 100, oversold 0, stock left 0, stuck 0, wrong releases 0, two inside 0')
      expect(output).toMatch(/^rlock +100 +0 +0 +0 +0 +holds, as expected$/m)
      expect(code).toBe(0)
    },
  )

  it.concurrent('oversells without a lock, if the stock has no bound', async () => {
    const { code, output } = await runDemo('--only', 'no-bound')
    expect(output).toContain('Act two: the same shops without a lock.')
    const [, sold = '', oversold = '', left = ''] =
      /^ +sold (\d+), oversold (\d+), stock left (-?\d+),/m.exec(output) ?? []
    expect(Number(oversold)).toBeGreaterThan(0)
    expect([Number(sold), Number(left)]).toEqual([100 + Number(oversold), -Number(oversold)])
    expect(output).toMatch(/^no-bound +1\d\d +[1-9]\d* +0 +0 +[1-9]\d* +oversells, as expected$/m)
    expect(code).toBe(0)
  })

  it.concurrent('sells out exactly without a lock, if the stock has a lower bound', async () => {
    const { code, output } = await runDemo('--only', 'lower-bound')
    expect(output).toContain('sold 100, oversold 0, stock left 0, stuck 0, wrong releases 0, two inside ')
    const [, best = ''] = /^ +best-selling: (.+)$/m.exec(output) ?? []
    const counts = [...best.matchAll(/item \d+ \((\d+)\)/g)].map(([, count]) => Number(count))
    expect(counts).toHaveLength(10)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
    expect(output).toMatch(/^lower-bound +100 +0 +0 +0 +[1-9]\d* +holds without a lock, as expected$/m)
    expect(code).toBe(0)
  })

  it.concurrent('loses the orders of killed workers with a blocking queue', { tags: ['timed'] }, async () => {
    const { code, output } = await runDemo('--only', 'blocking-queue')
    expect(output).toContain('Act three: 3 workers ship 100 orders.')
    expect(output).toContain('worker 3 was killed (SIGKILL) with an order in its hands')
    expect(output).toMatch(/^blocking-queue +100 +97 +3 +0 +3 +loses orders, as expected$/m)
    expect(code).toBe(0)
  })

  it.concurrent('ships each order once with a reliable queue', { tags: ['timed'] }, async () => {
    const { code, output } = await runDemo('--only', 'reliable-queue')
    expect(output).toContain('worker 3 was killed (SIGKILL) with an order in its hands')
    expect(output).toMatch(/^reliable-queue +100 +100 +0 +3 +3 +ships each once, as expected$/m)
    expect(code).toBe(0)
  })

  it.concurrent(
    'shows old prices where each process has a cache of its own',
    { tags: ['timed'] },
    async () => {
      const { code, output } = await runDemo('--only', 'own-caches')
      expect(output).toContain('Act four: 4 processes show the prices of 10 items')
      expect(output).toMatch(/^own-caches +\d+ +[1-9]\d* +\d+ +\d+ +\d+ +shows old prices, as expected$/m)
      expect(code).toBe(0)
    },
  )

  it.concurrent(
    'shows no old price with one cache, and loads each about once',
    { tags: ['timed'] },
    async () => {
      const { code, output } = await runDemo('--only', 'one-cache')
      expect(output).toContain('seller 1 was killed (SIGKILL)')
      expect(output).toContain('Redis stood still for a second (SIGSTOP)')
      expect(output).toMatch(/^one-cache +\d+ +0 +\d+ +\d+ +\d+ +shows no old price, as expected$/m)
      expect(code).toBe(0)
    },
  )

  it.concurrent('sells out exactly under load', async () => {
    const { code, output } = await runDemo('--only', 'rlock', '--orders', '500')
    expect(output).toContain('500 of 500 orders sold, 500 counted under the lock, 0 refused')
    expect(output).toContain('stock left: sku1 0, sku2 0\none order more: sold out\n')
    expect(output).toMatch(/^throughput: \d+ orders\/s/m)
    expect(output).toMatch(
      /^latency: [\d.]+ ms average, p50 [\d.]+ ms, p90 [\d.]+ ms, p99 [\d.]+ ms, max [\d.]+ ms$/m,
    )
    expect(code).toBe(0)
  })

  it.concurrent('leaves no server behind when it is interrupted', async () => {
    await using child = startDemo('--only', 'setnx')
    const port = await eventually(() => Number(/on port (\d+)/.exec(child.output)?.[1] ?? 0) || false)
    expect(await isOpen(port)).toBe(true)
    process.kill(child.pid ?? NaN, 'SIGINT')
    await eventually(async () => !(await isOpen(port)), { what: 'the server to end', withinMs: 30_000 })
  })

  it.concurrent.each([
    { args: ['--fast'], complaint: /--fast/ },
    { args: ['--only', 'hope'], complaint: /Expected `--only` to name a step, got "hope"/ },
    { args: ['--orders', '10'], complaint: /Expected `--orders` together with `--only rlock`/ },
    { args: ['--only', 'rlock', '--orders', 'many'], complaint: /Expected `--orders` to be a number/ },
  ])('refuses $args and says how it is used', async ({ args, complaint }) => {
    const { code, output } = await runDemo(...args)
    expect(output).toMatch(complaint)
    expect(output).toContain('Usage: npm run demo')
    expect(code).toBe(2)
  })
})

describe('the verdict on a step', () => {
  it('is good only where everything came out as expected', () => {
    expect(deviations(flawless, expectationOf('rlock'))).toEqual([])
    expect(deviations({ ...flawless, sold: 101 }, expectationOf('rlock'))).toEqual([
      'expected sold to be 100, got 101',
      'expected oversold to be 0, got 1',
    ])
    expect(deviations({ ...flawless, stuck: 3, failed: 1 }, expectationOf('rlock'))).toEqual([
      'expected stuck to be 0, got 3',
      'expected errors to be 0, got 1',
    ])
  })

  it('is good without a lock only where no count was lost', () => {
    const outcome: Outcome = {
      ...flawless,
      twoInside: 9,
      sales: [
        ['item 1', 60],
        ['item 4', 40],
      ],
    }
    expect(deviations(outcome, expectationOf('lower-bound'))).toEqual([])
    expect(deviations({ ...outcome, sales: [['item 1', 60]] }, expectationOf('lower-bound'))).toEqual([
      'expected items counted to be 100, got 60',
    ])
    const oversold = { ...outcome, sold: 130, stockLeft: -29 }
    expect(deviations(oversold, expectationOf('no-bound'))).toEqual([
      'expected stock taken to be 130, got 129',
      'expected items counted to be 130, got 100',
    ])
  })

  it('is good with queues only where orders are lost, or none is', () => {
    const [blocking, reliable] = shippingSteps
    const shipping = { paid: 100, shipped: 97, again: 0, killed: 3 }
    expect(blocking && shippingDeviations(blocking, shipping)).toEqual([])
    expect(reliable && shippingDeviations(reliable, { ...shipping, shipped: 100, again: 3 })).toEqual([])
    expect(reliable && shippingDeviations(reliable, shipping)).toEqual([
      'expected lost to be 0, got 3',
      'expected delivered again to be 3, got 0',
    ])
  })

  it('is good with caches only where old prices are shown, or none is', () => {
    const [own, one] = priceSteps
    const shown = { shown: 4000, old: 0, failed: 0, changes: 50, loads: 60 }
    expect(one && priceDeviations(one, shown)).toEqual([])
    expect(own && priceDeviations(own, { ...shown, old: 9, loads: 240 })).toEqual([])
    expect(own && priceDeviations(own, shown)).toEqual(['expected old to be more than 0, got 0'])
    expect(one && priceDeviations(one, { ...shown, old: 9, failed: 1, loads: 240 })).toEqual([
      'expected failed to be 0, got 1',
      'expected old to be 0, got 9',
      'expected about one load for each of 60 prices, got 240',
    ])
  })

  it('is bad where nothing went wrong that should have', () => {
    expect(deviations(flawless, expectationOf('no-lock'))).toEqual([
      'expected oversold to be more than 0',
      'expected two inside to be more than 0',
    ])
    expect(deviations(flawless, expectationOf('setnx'))).toEqual(['expected stuck to be more than 0'])
  })
})

const flawless: Outcome = {
  sold: 100,
  stockLeft: 0,
  stuck: 0,
  failed: 0,
  wrongReleases: 0,
  lateReleases: 0,
  twoInside: 0,
  lockEndsInMs: -2,
  sales: undefined,
  tookMs: 1,
}

function expectationOf(name: string): Expectation {
  const step = steps.find((each) => each.name === name)
  if (!step) throw new RangeError(`There is no step ${name}`)
  return step.expected
}

interface Run {
  readonly code: number | null
  readonly output: string
}

async function runDemo(...args: readonly string[]): Promise<Run> {
  await using child = startDemo(...args)
  const { code } = await child.exited
  return { code, output: child.output }
}

/** Starts the demo with the sources instead of what was built from them. */
function startDemo(...args: readonly string[]): Child {
  return startChild(demo, { args, env: { NODE_OPTIONS: `--no-warnings --import ${ownName.href}` } })
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
