import type { Entry, TroubleEntry } from '../../../chaos/history.js'
import { mayRemain } from '../../../chaos/random-use/check/remains.js'
import { connectionOf } from '../../../chaos/random-use/conditions.js'
import { wrongCounts } from '../../../chaos/random-use/leftovers.js'
import { lengthOf } from '../../../chaos/random-use/mixes.js'
import { RawView } from '../../../chaos/random-use/player/raw.js'
import type { SeatFacts } from '../../../chaos/random-use/player/seat.js'
import { isData } from '../../../chaos/random-use/objects.js'
import { readAllData, wrongSums } from '../../../chaos/random-use/data/read-all.js'
import { setUp } from '../../../chaos/random-use/set-up.js'
import type * as Library from '../../../src/index.js'
import { Chance } from '../world/chance.js'
import { disturb } from '../world/disturbances.js'
import type { World } from '../world/world.js'
import type { Stop } from './circumstances.js'
import { ClaimOracle } from './claim-oracle.js'
import type { Round } from './draw.js'
import { refuse } from './refusals.js'
import { isQuiet } from './quiet.js'
import type { SimulationSettings } from './round.js'
import { SimulatedProcess } from './simulated-process.js'
import { startServers, type RoundServers } from './round-servers.js'

/** When the programs are over and the network is well, every call returns within this time. */
const ANSWERED_WITHIN_MS = 120_000

/** The same where nothing went wrong, besides what the programs take: no waiter sleeps until a lease ends, because a message wakes it. */
const WOKEN_WITHIN_MS = 10_000

/** When all calls have returned, what is given back in the background is given back within this time. */
const CLEAN_WITHIN_MS = 12_000

/** What a process held that was stopped ends with its lease, and no lease is longer than a minute. */
const LEASES_END_WITHIN_MS = 75_000

const LOOK_EVERY_MS = 100

/**
 * A request that was undone takes nothing when it arrives late: Redis remembers that for 2 × (`timeout` + `retryDelay`) × (`retryAttempts` + 1)
 * after the undoing, 720 ms in rounds with faults. So no request is under way for longer once its client has ended the connection.
 */
const LINGER_MS = 700

/** When requests that were given up have arrived or are lost. */
const LATE_MS = 1_000

/** Servers and processes of a round. */
export class Stage {
  readonly history: Entry[] = []
  readonly #library: typeof Library
  readonly #world: World
  readonly #round: Round
  readonly #servers: RoundServers
  readonly #processes: SimulatedProcess[] = []
  readonly #oracle: ClaimOracle
  /** Databases in which something was found that nobody should have written there. */
  readonly #elsewhere = new Set<number>()
  readonly #journal = { write: (entry: Entry) => void this.history.push(entry) }

  constructor(world: World, round: Round, { library, scriptNames }: SimulationSettings) {
    this.#library = library
    this.#world = world
    this.#round = round
    this.#servers = startServers(world, round.circumstances, { scriptNames, onCommand: this.#look })
    this.#oracle = new ClaimOracle({ raw: this.#rawView(), clock: world.clock, history: this.history })
  }

  async play(playMs: number): Promise<void> {
    const world = this.#world
    await this.#direct((client) => setUp(client, this.#round.plan.objects))
    for (const index of this.#round.plan.processes.keys()) this.#add(index, `p${String(index + 1)}`)
    await world.until(Promise.all(this.#processes.map((process) => process.open())))
    const calm = this.#disturb(playMs)
    for (const process of this.#processes) this.#run(process, () => process.play(playMs))
    await world.run(world.clock.now + playMs)
    calm()
    await this.#demand('processes', 'do not end their programs', (process) => process.isDone)
    await this.#untilNone(() => Promise.resolve(this.#leftovers()))
    await this.#untilNone(() => this.#wrongSums())
    for (const process of this.#processes) this.#run(process, () => process.close())
    await this.#demand('processes', 'do not close', (process) => process.isClosed)
    for (const process of this.#processes) process.end()
    await this.#untilNone(() => this.#wrongPermits())
    await this.#readData()
  }

  /** Has things go wrong, and returns how to end that. */
  #disturb(playMs: number): () => void {
    const { network } = this.#world
    const { circumstances } = this.#round
    network.configure({ ...circumstances.network, lingerMs: LINGER_MS })
    const end = disturb(this.#world, circumstances.disturbances)
    const endRefusals = refuse(this.#world, this.#servers.all, circumstances.refusals)
    const endChanges = this.#servers.change(circumstances.changes)
    for (const stop of circumstances.stops) this.#plan('stop', stop.atMs, () => this.#stop(stop, playMs))
    return () => {
      end()
      endRefusals()
      endChanges()
      network.calm()
    }
  }

  #stop({ process: index, atMs, restartAfterMs }: Stop, playMs: number): void {
    const process = this.#processes[index]
    process?.kill()
    if (restartAfterMs === undefined) return
    this.#plan('start', restartAfterMs, () => {
      const next = this.#add(index, `p${String(index + 1)}b`)
      this.#run(next, async () => {
        await next.open()
        await next.play(Math.max(0, playMs - atMs - restartAfterMs))
      })
    })
  }

  #plan(what: string, inMs: number, run: () => void): void {
    const { clock } = this.#world
    clock.schedule({ at: clock.now + inMs, loop: clock.outside, kind: 'timer', what, run })
  }

  /** Has a process do something, and notes what it throws. */
  #run(process: SimulatedProcess, act: () => Promise<void>): void {
    if (!process.isRunning) return
    act().catch((error: unknown) => {
      this.#note('processes', String(error))
      process.kill()
    })
  }

  #add(index: number, name: string): SimulatedProcess {
    const host = this.#world.host(name, this.#round.circumstances.clocks[index])
    const process = new SimulatedProcess(host, this.#factsOf(index, name))
    this.#processes.push(process)
    return process
  }

  #factsOf(index: number, name: string): SeatFacts {
    const { plan, seed } = this.#round
    const { clients, flows } = plan.processes[index] as (typeof plan.processes)[number]
    const { objects, forced, watchdogMs, faulty, shareOfLooks } = plan
    const [connection, ...others] = this.#servers.connections.map((each) => connectionOf(each, plan)) as [
      Library.RedissonOptions,
    ]
    return {
      library: this.#library,
      journal: this.#journal,
      clock: { now: () => this.#world.clock.now },
      raw: this.#rawView(),
      claims: new Set(),
      settings: {
        process: name,
        connection,
        others: others.map((other) => ({ connection: other })),
        ...{ clients, flows, objects, forced, watchdogMs, faulty, shareOfLooks },
        seed: new Chance(`${seed} programs of ${name}`).uint32(),
      },
    }
  }

  /** After each command of a server: whatever a process believes to hold is there, and nothing is in another database. */
  readonly #look = (): void => {
    this.#demandOneDatabase()
    if (this.#round.circumstances.looks) this.#oracle.look(this.#processes)
  }

  #demandOneDatabase(): void {
    const { database } = this.#round.circumstances
    const wrong = this.#servers.all.flatMap(({ server }) =>
      server.databases.filter(({ index, size }) => size > 0 && index !== database),
    )
    for (const { index, keys } of wrong) {
      if (this.#elsewhere.has(index)) continue
      this.#elsewhere.add(index)
      this.#note('Redis', `has ${keys.join(', ')} in database ${String(index)}, which nobody uses`)
    }
  }

  #leftovers(): readonly string[] {
    const { plan, circumstances } = this.#round
    const { stops, disturbances } = circumstances
    const standsStill =
      (disturbances.pause ?? disturbances.cutAndPause) !== undefined && plan.objects.some(isData)
    const faulty = plan.faulty || stops.length > 0 || standsStill
    const left = this.#servers.masters.flatMap((redis) =>
      (redis.command('KEYS', '*') as string[])
        .map((key) => ({ key, ttlMs: Number(redis.command('PTTL', key)) }))
        .filter((key) => !mayRemain(key, { ...plan, faulty })),
    )
    return left.map(({ key, ttlMs }) => `is left with ${key} (${String(ttlMs)} ms)`)
  }

  #wrongPermits(): Promise<readonly string[]> {
    return this.#direct((client) => wrongCounts(client, this.#round.plan.objects, this.history))
  }

  async #wrongSums(): Promise<readonly string[]> {
    const { objects } = this.#round.plan
    if (objects.every(({ kind }) => kind !== 'adder')) return []
    return await this.#direct((client) => wrongSums(client, objects, this.history))
  }

  /** Reads what there is when no request is under way any more. */
  async #readData(): Promise<void> {
    const { objects } = this.#round.plan
    if (!objects.some(isData)) return
    const world = this.#world
    await world.run(world.clock.now + LATE_MS)
    const facts = { journal: this.#journal, clock: { now: () => world.clock.now } }
    await this.#direct((client) => readAllData(client, objects, facts))
  }

  /** Does something with a client of a process of its own. */
  async #direct<T>(act: (client: Library.RedissonClient) => Promise<T>): Promise<T> {
    const host = this.#world.host('director')
    const done = await this.#world.until(
      host.start(async () => {
        const [connection] = this.#servers.connections
        await using client = await this.#library.Redisson.create(connection)
        return await act(client)
      }),
    )
    host.stop()
    return done
  }

  /** Looks until nothing is found, or notes what is. */
  async #untilNone(find: () => Promise<readonly string[]>): Promise<void> {
    const { clock } = this.#world
    const waitMs = this.#round.circumstances.stops.length > 0 ? LEASES_END_WITHIN_MS : CLEAN_WITHIN_MS
    const deadline = clock.now + waitMs
    for (;;) {
      const found = await find()
      if (found.length === 0) return
      if (clock.now >= deadline) {
        for (const what of found) this.#note('Redis', what)
        return
      }
      await this.#world.run(clock.now + LOOK_EVERY_MS)
    }
  }

  /** Runs until something is so for all processes, or notes that it is not. */
  async #demand(where: string, what: string, isSo: (process: SimulatedProcess) => boolean): Promise<void> {
    const { clock } = this.#world
    const isOver = () => this.#processes.every(isSo)
    await clock.run({ until: clock.now + this.#patienceMs, isOver })
    if (!isOver()) this.#note(where, what)
  }

  get #patienceMs(): number {
    return isQuiet(this.#round) ? lengthOf(this.#round.plan) + WOKEN_WITHIN_MS : ANSWERED_WITHIN_MS
  }

  #note(where: TroubleEntry['where'], what: string): void {
    this.history.push({ type: 'trouble', at: this.#world.clock.now, where, what })
  }

  #rawView(): RawView {
    const [first, ...others] = this.#servers.readers
    return new RawView(first, others)
  }
}
