import type { Screen } from '../screen.js'
import type { LoadOutcome } from './run-load.js'

/** Prints the speed. Returns whether the stock was sold exactly. */
export function reportLoad(wanted: number, outcome: LoadOutcome, screen: Screen): boolean {
  const { sold, refused, counted, sku1Left, sku2Left, soldOut, tookMs, latency } = outcome
  const { average, p50, p90, p99, max } = latency
  const exact =
    sold === wanted && counted === wanted && refused === 0 && sku1Left === 0 && sku2Left === 0 && soldOut
  screen.say(
    `${String(sold)} of ${String(wanted)} orders sold, ${String(counted)} counted under the lock, ${String(refused)} refused`,
  )
  screen.say(`stock left: sku1 ${String(sku1Left)}, sku2 ${String(sku2Left)}`)
  screen.say(`one order more: ${soldOut ? 'sold out' : 'NOT sold out'}`)
  screen.say(
    `throughput: ${(wanted / (tookMs / 1000)).toFixed(0)} orders/s (${(tookMs / 1000).toFixed(1)} s)`,
  )
  screen.say(
    `latency: ${ms(average)} average, p50 ${ms(p50)}, p90 ${ms(p90)}, p99 ${ms(p99)}, max ${ms(max)}`,
  )
  screen.say(exact ? 'Sold out exactly.' : 'NOT AS EXPECTED: not sold out exactly.')
  return exact
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`
}
