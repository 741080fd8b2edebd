import { basename, delimiter } from 'node:path'

/** What the gate leaves out, by kind. */
export const KINDS = ['random', 'chaos', 'soak', 'interop', 'matrix'] as const

export type Kind = (typeof KINDS)[number]

/** A command that finds faults. */
export interface Check {
  readonly kind: Kind
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
  /** Variables on top of this process's own. */
  readonly env: Readonly<Record<string, string>>
}

/** A check that runs for as long as it may. */
type Timed = (minutes: string) => Check

/** The part of the time that is shared by the checks that run for as long as they may. The others take as long as they need. */
const SHARE = 0.5

/** Each of the runs of chaos needs some seconds. */
const LEAST_MINUTES_OF_CHAOS = 4

/** The Nodes besides the one that the tests run on: the oldest that is promised, the newest of its line, and the next line. */
const NODES = ['22.12.0', '22', '26'] as const

/** What some of them cannot run: the oldest has no TypeScript, and no hooks that could bring it. */
const LEFT_OUT: Readonly<Partial<Record<(typeof NODES)[number], readonly string[]>>> = {
  '22.12.0': ['test/prose/**', 'test/simulation/**', 'test/support/**', 'test/tools/**'],
}

/** The property tests and the fuzz tests. In the gate they draw by a fixed seed. */
const PROPERTIES = ['.model.test.ts', '.fuzz.', 'test/fuzz/']

/** The tests that compare the simulated server with a real one, whose annotations say how many replies were equal. */
const DIFFERENTIAL = ['--project', 'redis*', '--reporter', 'verbose', 'test/simulation']

/** The tests of objects that not every server has, which are skipped elsewhere. */
const OF_NEWER_SERVERS = [
  '--project',
  'redis*',
  'test/collections/map-cache-native',
  'test/collections/multimap-cache-native',
]

/** The gate compares fewer. */
const MORE_ROUNDS = { REDISSON_TEST_DIFFERENTIAL_RUNS: '300', REDISSON_TEST_DIFFERENTIAL_SEEDS: '1-5' }

/**
 * Lists the checks of some kinds in the order in which they run: those first that find most.
 *
 * @param runMs the time for all, in milliseconds
 * @param servers folders with a `redis-server` or `valkey-server` of another version each
 */
export function checksOf(
  kinds: readonly Kind[],
  { runMs, seed, servers = installedServers() }: { runMs: number; seed: number; servers?: readonly string[] },
): Check[] {
  const chosen = [...random(seed), ...chaos(seed), ...soak(), ...interop(), ...matrix(servers)].filter(
    ({ kind }) => kinds.includes(kind),
  )
  const timed = chosen.filter((each) => 'lasting' in each).length
  const share = timed === chosen.length ? 1 : SHARE
  const minutes = ((runMs * share) / 60_000 / timed).toFixed(2)
  return chosen.map((each) => ('lasting' in each ? each.lasting(minutes) : each))
}

type Choice = Check | { readonly kind: Kind; readonly lasting: Timed }

function random(seed: number): Choice[] {
  const use = (topology: string): Choice => ({
    kind: 'random',
    lasting: (minutes) =>
      check('random', `random use, ${topology}`, {
        command: 'npm',
        args: [
          'run',
          '--silent',
          'random',
          '--',
          '--topology',
          topology,
          '--seed',
          String(seed),
          '--minutes',
          minutes,
        ],
      }),
  })
  const simulation: Choice = {
    kind: 'random',
    lasting: (minutes) =>
      check('random', 'simulation', {
        command: 'npm',
        args: [
          'run',
          '--silent',
          'simulate',
          '--',
          '--seed',
          String(seed),
          '--minutes',
          minutes,
          '--seconds',
          '3',
        ],
      }),
  }
  return [
    simulation,
    ...['single', 'sentinel', 'cluster'].map(use),
    vitest('random', 'simulated and real servers', {
      args: DIFFERENTIAL,
      env: { ...MORE_ROUNDS, REDISSON_TEST_SEED: String(seed) },
    }),
    vitest('random', 'properties and fuzzing', {
      args: ['--project', 'unit*', '--project', 'redis*', ...PROPERTIES],
      env: { REDISSON_TEST_SEED: String(seed) },
    }),
  ]
}

function chaos(seed: number): Choice[] {
  return [
    vitest('chaos', 'tests that stop servers', { args: ['--project', 'chaos'] }),
    {
      kind: 'chaos',
      lasting: (minutes) =>
        check('chaos', 'clients while servers fail', {
          command: 'npm',
          args: [
            'run',
            '--silent',
            'chaos',
            '--',
            '--seed',
            String(seed),
            '--minutes',
            String(Math.max(Number(minutes), LEAST_MINUTES_OF_CHAOS)),
          ],
        }),
    },
  ]
}

function soak(): Choice[] {
  return [
    vitest('soak', 'tests of times', {
      args: ['--project', 'unit*', '--project', 'redis*', '--tags-filter', 'timed || flaky || full'],
    }),
    vitest('soak', 'soaks', { args: ['--project', 'soak'] }),
    check('soak', 'costs of scripts', {
      command: 'npm',
      args: ['run', '--silent', 'bench', '--', '--only', 'costs'],
    }),
  ]
}

function interop(): Choice[] {
  return [vitest('interop', 'Node and Java', { args: ['--project', 'interop'] })]
}

/** The folders of `REDISSON_TEST_SERVERS`, which are separated as those of the PATH are. */
function installedServers(): readonly string[] {
  return (process.env['REDISSON_TEST_SERVERS'] ?? '').split(delimiter).filter((folder) => folder !== '')
}

function matrix(servers: readonly string[]): Choice[] {
  const projects = ['--project', 'unit*', '--project', 'redis*']
  return [
    vitest('matrix', 'each test over each topology', {
      args: projects,
      env: { REDISSON_TEST_TOPOLOGIES: 'all' },
    }),
    ...NODES.map((version) => onNode(version, projects)),
    ...servers.flatMap((folder) => {
      const env = { REDISSON_TEST_REDIS: 'local', PATH: [folder, process.env['PATH']].join(delimiter) }
      return [
        vitest('matrix', `simulated and real servers, ${basename(folder)}`, {
          args: DIFFERENTIAL,
          env: { ...MORE_ROUNDS, ...env },
        }),
        vitest('matrix', `what newer servers have, ${basename(folder)}`, { args: OF_NEWER_SERVERS, env }),
      ]
    }),
  ]
}

function onNode(version: (typeof NODES)[number], args: readonly string[]): Check {
  const leftOut = LEFT_OUT[version]
  return check('matrix', `Node ${version}`, {
    command: 'npm',
    args: ['exec', '--yes', `--package=node@${version}`, '--', 'node', VITEST, 'run', ...args],
    ...(leftOut && { env: { REDISSON_TEST_LEFT_OUT: leftOut.join(' ') } }),
  })
}

const VITEST = 'node_modules/vitest/vitest.mjs'

function vitest(
  kind: Kind,
  title: string,
  { args, env }: { args: readonly string[]; env?: Check['env'] },
): Check {
  return check(kind, title, { command: 'node', args: [VITEST, 'run', ...args], ...(env && { env }) })
}

function check(
  kind: Kind,
  title: string,
  { command, args, env = {} }: { command: string; args: readonly string[]; env?: Check['env'] },
): Check {
  return { kind, title, command, args, env }
}
