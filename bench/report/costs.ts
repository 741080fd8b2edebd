import { table } from '../../demo/screen.js'
import { COSTS, type Costs } from '../costs/costs.js'
import { dearer, ratioOf } from '../costs/dearer.js'
import { REFERENCE } from '../costs/reference.js'
import { spreadText } from '../spread.js'

/** What calls cost: two tables, and what has become dearer. */
export function costsLines(costs: Costs): readonly string[] {
  return [
    `${COSTS}: ${COSTS_TITLE}`,
    ...[scriptsTable(costs), sectionsTable(costs)].flatMap((rows) => [
      ...table(rows).map((line) => `  ${line}`),
      '',
    ]),
    ...dearerLines(costs).map((line) => `  ${line}`),
    '',
  ]
}

export const COSTS_TITLE =
  'what a call takes in Redis, beside a script of the least commands, and a section in the client'

export function scriptsTable({ scripts }: Costs): readonly (readonly string[])[] {
  return [
    ['script', 'µs', 'µs of the least', 'ratio', 'commands', 'the least', 'round trips', 'what it runs'],
    ...scripts.map((script) => [
      script.name,
      script.us.toFixed(1),
      script.leastUs.toFixed(1),
      ratioOf(script).toFixed(2),
      String(script.commands.length),
      String(script.least.length),
      String(script.roundTrips),
      script.commands.join(' '),
    ]),
  ]
}

export function sectionsTable({ sections }: Costs): readonly (readonly string[])[] {
  return [
    ['section', 'user µs', 'to plain ioredis', ''],
    ...sections.map(({ name, us, toBare }) => [name, us.toFixed(0), spreadText(toBare), '']),
  ]
}

export function dearerLines({ scripts }: Costs): readonly string[] {
  const lines = dearer(scripts, REFERENCE).map(({ says }) => says)
  return lines.length === 0 ? ['no script has become a fifth dearer'] : lines
}
