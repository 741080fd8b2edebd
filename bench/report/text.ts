import { table } from '../../demo/screen.js'
import type { ShopResult } from '../shop.js'
import { failureOf, lostBy, type Row, type Standings } from '../standings.js'
import type { Figures } from '../workloads/workload.js'

/** One workload: a table, and what was to be reached. */
export function standingsLines(standings: Standings): readonly string[] {
  return [
    `${standings.workload.name}: ${standings.workload.title}`,
    ...table(tableOf(standings)).map((line) => `  ${line}`),
    ...cannotLines(standings).map((line) => `  ${line}`),
    ...targetLines(standings).map((line) => `  ${line}`),
    '',
  ]
}

/** The same for the shop. */
export function shopLines(shop: ShopResult): readonly string[] {
  const { orders, perSecond, averageMs, p99Ms, exact, published, target } = shop
  return [
    `shop: ${String(orders)} orders over HTTP, each of them under the lock`,
    `  ${perSecond.toFixed(0)} orders/s, ${averageMs.toFixed(1)} ms on average, p99 ${p99Ms.toFixed(1)} ms, ${exact ? 'sold out exactly' : 'NOT EXACT'}`,
    `  published for a Lua script without a lock, elsewhere: ${String(published.perSecond)} orders/s, ${String(published.averageMs)} ms on average`,
    `  ${target.says}: ${target.met ? 'met' : 'NOT MET'}, ${target.got}`,
    '',
  ]
}

/** Head and cells. */
export function tableOf(standings: Standings): readonly (readonly string[])[] {
  const { columns } = standings.workload
  const able = standings.rows.filter(({ results }) => results.length > 0)
  return [
    ['', ...columns.map(({ title }) => title), 'to floor', 'to ioredisson', ''],
    ...able.map((row) => [
      row.contender.name,
      ...columns.map(({ key, digits }) => shown(row.figures, key, digits)),
      ratio(standings.toFloor(row)),
      ratio(row.toOurs),
      remarkOn(row),
    ]),
  ]
}

/** Who cannot do it, and why. */
export function cannotLines({ workload, rows }: Standings): readonly string[] {
  return rows.flatMap(({ contender }) => {
    const reason = contender.cannot[workload.kind]
    return reason === undefined ? [] : [`${contender.name} cannot: ${reason}`]
  })
}

/** What was to be reached, and what was. */
export function targetLines(standings: Standings): readonly string[] {
  return standings.workload.targets.map((target) => {
    const verdict = target.of(standings)
    if (verdict === undefined) return `${target.says}: nobody to compare with`
    return `${target.says}: ${verdict.met ? 'met' : 'NOT MET'}, ${verdict.got}`
  })
}

function remarkOn(row: Row): string {
  const lost = lostBy(row)
  return [lost > 0 ? `LOST ${String(lost)}` : undefined, failureOf(row)]
    .filter((text) => text !== undefined)
    .join('; ')
}

function shown(figures: Figures | undefined, key: string, digits: number): string {
  const number = figures?.[key]
  return number === undefined || Number.isNaN(number) ? '–' : number.toFixed(digits)
}

function ratio(number: number | undefined): string {
  return number === undefined ? '–' : number.toFixed(2)
}
