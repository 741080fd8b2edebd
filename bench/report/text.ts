import { table } from '../../demo/screen.js'
import type { Row } from '../comparison.js'
import type { Figures } from '../outcome.js'
import type { ShopResult } from '../shop.js'
import { spreadText } from '../spread.js'
import { failureOf, lostBy, type Standings } from '../standings.js'
import type { Column, Verdict } from '../workloads/workload.js'

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
  const ranks = ranksOf(standings)
  const able = standings.rows.filter(({ results }) => results.length > 0)
  return [
    ['', ...columns.map(({ title }) => title), ...ranks.map(({ title }) => title), ''],
    ...able.map((row) => [
      row.contender.name,
      ...columns.map((column) => cellOf(standings, row, column)),
      ...ranks.map(({ of }) => of(row)),
      remarkOn(row),
    ]),
  ]
}

/** How the ranking figure compares; nothing where every figure has its ratio beside it. */
function ranksOf(
  standings: Standings,
): readonly { readonly title: string; readonly of: (row: Row) => string }[] {
  if (standings.workload.columns.some(({ shown }) => shown === 'with its ratio')) return []
  const toOurs = ({ contender, toOurs }: Row): string => {
    if (contender === standings.ours.contender) return '1.00'
    return toOurs === undefined ? '–' : spreadText(toOurs)
  }
  return [
    { title: 'to floor', of: (row) => ratio(standings.toFloor(row)) },
    { title: 'to ioredisson', of: toOurs },
  ]
}

function cellOf(standings: Standings, row: Row, { key, digits, shown = 'alone' }: Column): string {
  const figure = figureOf(row.figures, key, digits)
  return shown === 'alone' ? figure : `${figure} (${ratio(standings.toFloor(row, key))})`
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
    if (verdict === undefined) return `${target.says}: nothing to compare with`
    return `${target.says}: ${judged(verdict)}${verdict.got}`
  })
}

function judged({ met }: Verdict): string {
  if (met === undefined) return ''
  return met ? 'met, ' : 'NOT MET, '
}

function remarkOn(row: Row): string {
  const lost = lostBy(row)
  return [lost > 0 ? `LOST ${String(lost)}` : undefined, failureOf(row)]
    .filter((text) => text !== undefined)
    .join('; ')
}

function figureOf(figures: Figures | undefined, key: string, digits: number): string {
  const number = figures?.[key]
  return number === undefined || Number.isNaN(number) ? '–' : number.toFixed(digits)
}

function ratio(number: number | undefined): string {
  return number === undefined ? '–' : number.toFixed(2)
}
