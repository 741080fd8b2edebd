import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { format, resolveConfig } from 'prettier'
import type { Results } from '../results.js'
import type { Task } from '../options.js'
import { versionOf } from '../peers/install-peers.js'
import type { Standings } from '../standings.js'
import { drawings } from './drawings.js'
import { cannotLines, shopLines, tableOf, targetLines } from './text.js'

const FOLDER = new URL('../../docs/bench/', import.meta.url)
const PAGE = new URL('README.md', FOLDER)

/** Everything between these is written by a run, and not by hand. */
const MARKS = {
  contenders: ['<!-- contenders -->', '<!-- /contenders -->'],
  results: ['<!-- results -->', '<!-- /results -->'],
} as const

/** Writes what came of a run into the page about the benchmark. */
export async function writePage(results: Results, task: Task): Promise<void> {
  const page = await readFile(PAGE, 'utf8')
  const written = [
    ['contenders', contendersText(results)] as const,
    ['results', resultsText(results, task)] as const,
  ].reduce((text, [mark, part]) => between(text, MARKS[mark], part), page)
  const style = await resolveConfig(PAGE)
  await writeFile(PAGE, await format(written, { ...style, parser: 'markdown' }))
}

/** Writes a picture beside the page. */
export async function writeDrawing(name: string, svg: string): Promise<void> {
  await writeFile(new URL(`${name}.svg`, FOLDER), svg)
}

function between(text: string, [open, close]: readonly [string, string], part: string): string {
  const [from, to] = [text.indexOf(open), text.indexOf(close)]
  if (from < 0 || to < from) throw new Error(`Expected ${open} and ${close} in docs/bench/README.md`)
  return `${text.slice(0, from + open.length)}\n\n${part}\n\n${text.slice(to)}`
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

function resultsText({ standings, shop }: Results, { sizes, outputs }: Task): string {
  const [cpu] = cpus()
  return [
    `Node ${process.version.slice(1)}, ${String(cpus().length)} × ${cpu?.model ?? 'unknown'}, rounds: ${String(sizes.rounds)}.`,
    ...standings.map((each) =>
      [sectionOf(each), ...(outputs.includes('plot') ? picturesOf(each) : [])].join('\n\n'),
    ),
    ...(shop ? [['### shop', ...shopLines(shop).filter(Boolean)].join('\n\n')] : []),
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
