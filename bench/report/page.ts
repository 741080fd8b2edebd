import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { format, resolveConfig } from 'prettier'
import type { Results } from '../results.js'
import { COSTS, type Costs } from '../costs/costs.js'
import { peers } from '../contenders/contenders.js'
import type { Task } from '../options.js'
import { versionOf } from '../peers/install-peers.js'
import { SHOP } from '../shop.js'
import type { Standings } from '../standings.js'
import { workloads } from '../workloads/workloads.js'
import { COSTS_TITLE, dearerLines, scriptsTable, sectionsTable } from './costs.js'
import { drawings } from './drawings.js'
import { cannotLines, shopLines, tableOf, targetLines } from './text.js'

const FOLDER = new URL('../../docs/bench/', import.meta.url)
const PAGE = new URL('README.md', FOLDER)

/** Everything between these is written by a run, and not by hand. */
const MARKS = {
  contenders: ['<!-- contenders -->', '<!-- /contenders -->'],
  results: ['<!-- results -->', '<!-- /results -->'],
} as const

/** Writes the results of a run into the page about the benchmark. What the run has not measured stays as it is. */
export async function writePage(results: Results, task: Task): Promise<void> {
  const page = await readFile(PAGE, 'utf8')
  const sections = sectionsOf(results, task)
  const measured = changed(page, MARKS.results, (old) =>
    [...new Map([...sectionsIn(old), ...sections]).values()].join('\n\n'),
  )
  const written = isWhole(task)
    ? changed(measured, MARKS.contenders, () => contendersText(results))
    : measured
  const style = await resolveConfig(PAGE)
  await writeFile(PAGE, await format(written, { ...style, parser: 'markdown' }))
}

/** Writes a picture beside the page. */
export async function writeDrawing(name: string, svg: string): Promise<void> {
  await writeFile(new URL(`${name}.svg`, FOLDER), svg)
}

function changed(
  text: string,
  [open, close]: readonly [string, string],
  change: (old: string) => string,
): string {
  const [from, to] = [text.indexOf(open) + open.length, text.indexOf(close)]
  if (from < open.length || to < from)
    throw new Error(`Expected ${open} and ${close} in docs/bench/README.md`)
  return `${text.slice(0, from)}\n\n${change(text.slice(from, to))}\n\n${text.slice(to)}`
}

/** Whether a run has measured every workload with every peer, so that none is missing. */
function isWhole({ workloads: measured, peers: asked }: Task): boolean {
  return (
    workloads.every(({ name }) => measured.includes(name)) && peers.every(({ name }) => asked.includes(name))
  )
}

/** What the page says of each workload. */
function sectionsIn(text: string): [name: string, section: string][] {
  const sections = text.trim().split(/^(?=### )/m)
  return sections.map((section) => [/^### (.+)/.exec(section)?.[1] ?? '', section.trim()])
}

function contendersText({ standings }: Results): string {
  const contenders = new Set(standings.flatMap(({ rows }) => rows.map(({ contender }) => contender)))
  return markdown([
    ['contender', 'version', 'what was set'],
    ...[...contenders].map(({ name, packageName, settings }) => [
      name,
      packageName === undefined ? '' : (versionOf(packageName) ?? 'this one'),
      settings,
    ]),
  ])
}

/** What a run has found out, by workload. */
function sectionsOf(
  { standings, shop, costs }: Results,
  { sizes, outputs }: Task,
): [name: string, section: string][] {
  const [cpu] = cpus()
  const where = `Node ${process.version.slice(1)}, ${String(cpus().length)} × ${cpu?.model ?? 'unknown'}`
  const inRounds = `${where}, rounds: ${String(sizes.rounds)}.`
  const compared = standings.map((each): [string, string] => [
    each.workload.name,
    [sectionOf(each), ...(outputs.includes('plot') ? picturesOf(each) : []), inRounds].join('\n\n'),
  ])
  if (shop !== undefined)
    compared.push([SHOP, [`### ${SHOP}`, ...shopLines(shop).filter(Boolean), `${where}.`].join('\n\n')])
  if (costs !== undefined) compared.push([COSTS, [costsSection(costs), inRounds].join('\n\n')])
  return compared
}

function costsSection(costs: Costs): string {
  return [
    `### ${COSTS}`,
    `${COSTS_TITLE}.`,
    markdown(scriptsTable(costs)),
    markdown(sectionsTable(costs)),
    list(dearerLines(costs)),
  ].join('\n\n')
}

function sectionOf(standings: Standings): string {
  const { name, title } = standings.workload
  return [
    `### ${name}`,
    `${title}.`,
    markdown(tableOf(standings)),
    list(targetLines(standings)),
    list(cannotLines(standings)),
  ].join('\n\n')
}

/** Where the pictures are that the same run has drawn. */
function picturesOf(standings: Standings): string[] {
  return drawings([standings]).map(({ name }) => `![${name}](${name}.svg)`)
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
