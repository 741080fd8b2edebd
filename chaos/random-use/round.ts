import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson } from '../../src/index.js'
import { startChild, type Child } from '../../test/support/child.js'
import { RunClock } from '../clock.js'
import type { Entry } from '../history.js'
import { Journal } from '../journal.js'
import { mergeJournals } from '../merge-journals.js'
import { Random } from '../random.js'
import { checkRound, type Breach } from './check.js'
import { conditionsOf, connectionOf } from './conditions.js'
import { readAllData } from './data/read-all.js'
import { disturbAll } from './disturb.js'
import { stageOf, type RandomGround, type Stage } from './ground.js'
import { leftovers, wrongPermits, wrongTallies } from './leftovers.js'
import { setUp } from './set-up.js'
import { lengthOf, MIXES, type MixName, type RoundPlan } from './mixes.js'
import { othersFor, type SharedObject } from './objects.js'
import type { PlayerSettings } from './player/settings.js'

const PLAYER = new URL('player/player.ts', import.meta.url)

/** When the network is well, every program ends within this time, beside what it and those before it take. */
const ANSWERED_WITHIN_MS = 30_000

/** What comes back by an undo that is late comes back within this time. */
const SETTLE_MS = 1_500

/** Rounds have seeds that follow each other, and should have nothing else in common. */
const SPREAD = 0x9e3779b1

export interface RoundSettings {
  readonly mix: MixName
  readonly seed: number
  readonly playMs: number
  /** Where the journals go. */
  readonly folder: string
  /** Another build of the library, as the address of its module. */
  readonly library?: string
}

/** The result of a round. */
export interface RoundResult {
  readonly plan: RoundPlan
  readonly breaches: readonly Breach[]
  readonly history: readonly Entry[]
}

/** Has processes do random programs, and judges what they have seen and what they have left. */
export async function playRound(ground: RandomGround, settings: RoundSettings): Promise<RoundResult> {
  const { mix, seed, folder, playMs } = settings
  mkdirSync(folder, { recursive: true })
  const random = new Random(Math.imul(seed, SPREAD))
  const plan = MIXES[mix](random)
  const clock = RunClock.start()
  await using ends = new AsyncDisposableStack()
  const journal = ends.use(new Journal(join(folder, 'runner.jsonl')))
  const trouble = (where: string, what: string) => {
    journal.write({ type: 'trouble', at: clock.now(), where, what })
  }
  const stage = await stageOf(ground, othersFor(plan.objects))
  await prepare(ground, stage, plan.objects)
  for (const proxy of stage.proxies) proxy.delay(plan.latencyMs)
  const players = plan.processes.map((_, index) => {
    const player = new Player(
      playerSettings(index, { ground, stage, plan, settings, clock, random }),
      journal,
      clock,
    )
    ends.use(player)
    return player
  })
  await Promise.all(players.map((player) => player.child.hear('ready')))

  const over = new AbortController()
  const disturbing = plan.faulty
    ? disturbAll(
        stage,
        new Random(random.seed()),
        (fault) => {
          journal.write({ type: 'fault', at: clock.now(), ...fault })
        },
        over.signal,
      )
    : Promise.resolve()
  for (const { child } of players) child.tell('play', { ms: playMs })
  await sleep(playMs)
  over.abort()
  await disturbing
  await Promise.all(stage.proxies.map((proxy) => proxy.heal()))

  const late = sleep(lengthOf(plan) + ANSWERED_WITHIN_MS, undefined, { ref: false })
  const stuck = new Set<Player>()
  for (const player of players) {
    if ((await Promise.race([player.child.hear('played'), late])) !== undefined) continue
    stuck.add(player)
    trouble(player.name, 'does not end its programs')
  }
  if (plan.faulty) await sleep(SETTLE_MS)
  for (const what of await leftovers(stage, plan)) trouble('Redis', what)
  const played = await mergeJournals(folder)
  for (const what of await wrongTallies(ground, plan.objects, played)) trouble('Redis', what)
  await Promise.all(players.map((player) => (stuck.has(player) ? player.kill() : player.end())))
  const soFar = await mergeJournals(folder)
  for (const what of await wrongPermits(ground, plan.objects, soFar)) trouble('Redis', what)
  await using director = await Redisson.create(ground.direct)
  await readAllData(director, plan.objects, { journal, clock })
  const history = await mergeJournals(folder)
  return { plan, history, breaches: checkRound(history, conditionsOf(plan)) }
}

/** One process, with the clients that it has in the history. */
class Player implements AsyncDisposable {
  readonly name: string
  readonly child: Child
  readonly #clients: readonly string[]
  readonly #journal: Journal
  readonly #clock: RunClock

  constructor(settings: PlayerSettings, journal: Journal, clock: RunClock) {
    this.name = settings.process
    this.#clients = Array.from({ length: settings.clients }, (_, index) => `${this.name}.${String(index)}`)
    this.#journal = journal
    this.#clock = clock
    this.child = startChild(PLAYER, { args: [JSON.stringify(settings)] })
    this.#note('started')
  }

  /** Ends one whose calls are not answered: they will never be. */
  async kill(): Promise<void> {
    this.#note('ended')
    await this.child.kill()
  }

  /** Ends it in order. */
  async end(): Promise<void> {
    this.#note('ended')
    this.child.tell('stop')
    await this.child.hear('done')
    this.child.end()
    await this.child.exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.child.kill()
  }

  #note(phase: 'started' | 'ended'): void {
    for (const process of this.#clients)
      this.#journal.write({ type: 'process', at: this.#clock.now(), process, phase })
  }
}

interface Scene {
  readonly ground: RandomGround
  readonly stage: Stage
  readonly plan: RoundPlan
  readonly settings: RoundSettings
  readonly clock: RunClock
  readonly random: Random
}

function playerSettings(index: number, scene: Scene): PlayerSettings {
  const { ground, stage, plan, settings, clock, random } = scene
  const { clients = 1, flows = [] } = plan.processes[index] ?? {}
  const name = `p${String(index + 1)}`
  return {
    process: name,
    origin: clock.origin,
    journal: join(settings.folder, `${name}.jsonl`),
    ...(settings.library !== undefined && { library: settings.library }),
    connection: connectionOf(ground.options, plan),
    clients,
    servers: ground.masters.map(({ host, port }) => ({ host, port })),
    others: stage.others.map(({ node: { host, port }, options }) => ({
      connection: connectionOf(options, plan),
      server: { host, port },
    })),
    watchdogMs: plan.watchdogMs,
    faulty: plan.faulty,
    objects: plan.objects,
    forced: plan.forced,
    shareOfLooks: plan.shareOfLooks,
    flows,
    seed: random.seed(),
  }
}

/** Begins with empty servers, and what has to be set. */
async function prepare(ground: RandomGround, stage: Stage, objects: readonly SharedObject[]): Promise<void> {
  await Promise.all(stage.masters.map((node) => node.command('FLUSHALL')))
  await using client = await Redisson.create(ground.direct)
  await setUp(client, objects)
}
