import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { MIX_NAMES, type MixName } from '../../../chaos/random-use/mixes.js'
import { namesIn, numberIn, runProgram, wholeIn } from '../../../scripts/command-line.js'
import type * as Library from '../../../src/index.js'
import { simulateRound, type SimulatedRound } from './round.js'
import { scriptNames } from './script-names.js'

interface Task {
  readonly isHelp: boolean
  readonly mixes: readonly MixName[]
  readonly from: number
  readonly to: number
  /** No round begins later than that, in milliseconds. */
  readonly runMs: number
  readonly playMs: number
  readonly withTrace: boolean
  /** The file of another build of the library. */
  readonly library?: string
}

const LARGEST_SEED = 2 ** 31

const usage = `Usage: npm run simulate -- [options]

  --seed <number>       one seed; 1 by default
  --seeds <from>-<to>   all seeds from one to another
  --minutes <number>    all seeds from one on, for a time
  --kind <name>         ${MIX_NAMES.join(', ')}; all of them by default
  --seconds <number>    how long the programs of each seed go on, in virtual time; 2 by default
  --library <file>      another build of the library, to see what is found in it
  --trace               prints everything that happens
  --help                this text

"--kind" may be given several times, or several names with commas between.`

export async function main(args: readonly string[]): Promise<number> {
  return await runProgram(args, { read, usage, perform })
}

function read(args: readonly string[]): Task {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string' },
      minutes: { type: 'string' },
      kind: { type: 'string', multiple: true, default: [...MIX_NAMES] },
      seconds: { type: 'string', default: '2' },
      library: { type: 'string' },
      trace: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { minutes } = values
  const last = minutes === undefined ? undefined : String(LARGEST_SEED)
  const [from = '', to = last ?? from] = (values.seeds ?? values.seed).split('-')
  return {
    isHelp: values.help,
    mixes: namesIn('--kind', values.kind, MIX_NAMES),
    from: wholeIn('--seeds', from, 0, LARGEST_SEED),
    to: wholeIn('--seeds', to, 0, LARGEST_SEED),
    runMs: minutes === undefined ? Infinity : numberIn('--minutes', minutes, 0.01, 24 * 60) * 60_000,
    playMs: numberIn('--seconds', values.seconds, 0.01, 3_600) * 1_000,
    withTrace: values.trace,
    ...(values.library !== undefined && { library: values.library }),
  }
}

async function perform({
  isHelp,
  mixes,
  from,
  to,
  runMs,
  playMs,
  withTrace,
  library: file,
}: Task): Promise<number> {
  if (isHelp) {
    console.log(usage)
    return 0
  }
  const names = await scriptNames()
  const library = await libraryAt(file)
  const endAt = performance.now() + runMs
  let broken = 0
  for (let seed = from; seed <= to; seed += 1)
    for (const mix of mixes) {
      if (performance.now() >= endAt) return codeOf(broken)
      const round = await simulateRound({
        mix,
        seed,
        playMs,
        library,
        scriptNames: names,
        keepsTrace: withTrace,
      })
      if (withTrace) console.log(round.trace.join('\n'))
      console.log(summaryOf(round, { mix, seed }))
      broken += round.breaches.length > 0 ? 1 : 0
    }
  return codeOf(broken)
}

function codeOf(broken: number): number {
  return broken === 0 ? 0 : 1
}

async function libraryAt(file: string | undefined): Promise<typeof Library> {
  const address = file === undefined ? '../../../src/index.js' : pathToFileURL(file).href
  return (await import(address)) as typeof Library
}

function summaryOf(
  { breaches, hash, virtualMs, history }: SimulatedRound,
  { mix, seed }: { mix: MixName; seed: number },
): string {
  const acquired = history.filter((entry) => entry.type === 'end' && entry.outcome === 'ok').length
  const verdict = breaches.length === 0 ? 'ok' : `${String(breaches.length)} PROMISES BROKEN`
  const line = `${mix} ${String(seed)}: ${String(acquired)} calls, ${(virtualMs / 1_000).toFixed(1)} s, ${hash}: ${verdict}`
  const shown = breaches.slice(0, 5).map(({ kind, what }) => `  ${kind}: ${what}`)
  return [line, ...shown].join('\n')
}
