import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { format, resolveConfig } from 'prettier'
import type { Results } from '../results.js'
import { peers } from '../contenders/contenders.js'
import type { Task } from '../options.js'
import { versionOf } from '../peers/install-peers.js'
import { SHOP } from '../shop.js'
import type { Standings } from '../standings.js'
import { workloads } from '../workloads/workloads.js'
import { drawings } from './drawings.js'
import { cannotLines, shopLines, tableOf, targetLines } from './text.js'

const FOLDER = new URL('../../docs/bench/', import.meta.url)
const PAGE = new URL('README.md', FOLDER)

/** Everything between these is written by a run, and not by hand. */
const MARKS = {
  contenders: ['<!-- contenders -->', '<!-- /contenders -->'],
  results: ['<!-- results -->', '<!-- /results -->'],
} as const

/** Writes what came of a run into the page about the benchmark. What the run has not measured stays as it is. */
export async function writePage(results: Results, task: Task): Promise<void> {
  const page = await readFile(PAGE, 'utf8')
  const sections = sectionsOf(results, task)
  const measured = isWhole(task)
    ? [...sections.values()].join('\n\n')
    : updated(within(page, MARKS.results), sections)
  const withResults = replaced(page, MARKS.results, measured)
  const written = isWhole(task)
    ? replaced(withResults, MARKS.contenders, contendersText(results))
    : withResults
  const style = await resolveConfig(PAGE)
  await writeFile(PAGE, await format(written, { ...style, parser: 'markdown' }))
}

/** Writes a picture beside the page. */
export async function writeDrawing(name: string, svg: string): Promise<void> {
  await writeFile(new URL(`${name}.svg`, FOLDER), svg)
}

type Marks = readonly [open: string, close: string]

function within(text: string, marks: Marks): string {
  const [from, to] = placeOf(text, marks)
  return text.slice(from, to)
}

function replaced(text: string, marks: Marks, part: string): string {
  const [from, to] = placeOf(text, marks)
  return `${text.slice(0, from)}\n\n${part}\n\n${text.slice(to)}`
}

function placeOf(text: string, [open, close]: Marks): [from: number, to: number] {
  const [from, to] = [text.indexOf(open), text.indexOf(close)]
  if (from < 0 || to < from) throw new Error(`Expected ${open} and ${close} in docs/bench/README.md`)
  return [from + open.length, to]
}

/** Whether a run has measured all there is, with everybody. */
function isWhole({ workloads: measured, peers: asked }: Task): boolean {
  return (
    workloads.every(({ name }) => measured.includes(name)) && peers.every(({ name }) => asked.includes(name))
  )
}

/** The sections of the page, those of a run in the place of older ones. */
function updated(old: string, sections: ReadonlyMap<string, string>): string {
  return old
    .split(/^(?=### )/m)
    .map((section) => sections.get(/^### (.+)/.exec(section)?.[1] ?? '') ?? section.trim())
    .join('\n\n')
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
function sectionsOf({ standings, shop }: Results, { sizes, outputs }: Task): Map<string, string> {
  const [cpu] = cpus()
  const where = `Node ${process.version.slice(1)}, ${String(cpus().length)} × ${cpu?.model ?? 'unknown'}, rounds: ${String(sizes.rounds)}.`
  const sections = new Map(
    standings.map((each) => [
      each.workload.name,
      [sectionOf(each), ...(outputs.includes('plot') ? picturesOf(each) : []), where].join('\n\n'),
    ]),
  )
  return shop
    ? sections.set(SHOP, [`### ${SHOP}`, ...shopLines(shop).filter(Boolean)].join('\n\n'))
    : sections
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
