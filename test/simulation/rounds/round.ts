import { checkRound, type Breach } from '../../../chaos/random-use/check.js'
import { mayRemain } from '../../../chaos/random-use/check/remains.js'
import { conditionsOf, connectionOf } from '../../../chaos/random-use/conditions.js'
import { wrongCounts } from '../../../chaos/random-use/leftovers.js'
import { MIXES, type MixName, type RoundPlan } from '../../../chaos/random-use/mixes.js'
import { othersFor } from '../../../chaos/random-use/objects.js'
import { RawView } from '../../../chaos/random-use/player/raw.js'
import { RoundProcess } from '../../../chaos/random-use/player/round-process.js'
import { setUp } from '../../../chaos/random-use/set-up.js'
import type { Entry } from '../../../chaos/history.js'
import { Random } from '../../../chaos/random.js'
import type * as Library from '../../../src/index.js'
import { disturb } from '../world/disturbances.js'
import type { Host } from '../world/host.js'
import { createWorld, type World } from '../world/world.js'
import { SimulatedRedis } from './simulated-redis.js'

/** What is simulated: programs that a seed draws, for a time. */
export interface RoundSettings {
  readonly mix: MixName
  readonly seed: number
  /** How long the programs go on, in virtual milliseconds. */
  readonly playMs: number
  /** What is tried: the library, or another build of it. */
  readonly library: typeof Library
  /** What scripts are called in the trace, by their hashes. */
  readonly scriptNames: ReadonlyMap<string, string>
  /** Whether the trace is kept, and not only its hash. */
  readonly keepsTrace?: boolean
}

/** What came of it. */
export interface SimulatedRound {
  readonly breaches: readonly Breach[]
  readonly history: readonly Entry[]
  /** The hash of everything that has happened. The same settings have the same one. */
  readonly hash: string
  readonly trace: readonly string[]
  readonly virtualMs: number
}

/** When the programs are over and the network is well, every call is answered within this time. */
const ANSWERED_WITHIN_MS = 120_000

/** When all is answered, what is given back in the background is given back within this time. */
const CLEAN_WITHIN_MS = 12_000
const LOOK_EVERY_MS = 100

/** Rounds have seeds that follow each other, and should have nothing else in common. */
const SPREAD = 0x9e3779b1

/** Has simulated processes do random programs, and judges what they have seen and what they have left. */
export async function simulateRound(settings: RoundSettings): Promise<SimulatedRound> {
  const { mix, seed } = settings
  const random = new Random(Math.imul(seed, SPREAD))
  const plan = MIXES[mix](random)
  using world = createWorld(`${mix} ${String(seed)}`, {
    network: { latencyMs: [plan.latencyMs + 0.05, 2 * plan.latencyMs + 0.3] },
    ...(settings.keepsTrace === true && { lines: Infinity }),
  })
  const stage = new Stage(world, plan, settings)
  await stage.play(random, settings.playMs)
  const history = stage.history.toSorted((one, other) =>
    'at' in one && 'at' in other ? one.at - other.at : 0,
  )
  return {
    history,
    breaches: checkRound(history, conditionsOf(plan)),
    hash: world.hash,
    trace: world.trace.lines,
    virtualMs: world.clock.now,
  }
}

/** Servers and processes of a round. */
class Stage {
  readonly history: Entry[] = []
  readonly #library: typeof Library
  readonly #world: World
  readonly #plan: RoundPlan
  readonly #redis: SimulatedRedis
  readonly #others: readonly SimulatedRedis[]

  constructor(world: World, plan: RoundPlan, { library, scriptNames: names }: RoundSettings) {
    this.#library = library
    this.#world = world
    this.#plan = plan
    this.#redis = new SimulatedRedis(world, '10.0.0.1', names)
    this.#others = Array.from(
      { length: othersFor(plan.objects) },
      (_, n) => new SimulatedRedis(world, `10.0.0.${String(n + 2)}`, names),
    )
  }

  async play(random: Random, playMs: number): Promise<void> {
    const world = this.#world
    const director = world.host('director')
    await world.until(director.start(() => this.#setUp()))
    const processes = this.#plan.processes.map((_, index) => this.#processOf(index, random))
    const opened = await world.until(Promise.all(processes.map(({ host, open }) => host.start(open))))

    const stopDisturbing = this.#plan.faulty ? this.#disturb() : () => undefined
    const played = opened.map((own, n) => (processes[n] as Started).host.start(() => own.play(playMs)))
    await world.run(world.clock.now + playMs)
    stopDisturbing()
    world.network.calm()
    if (!(await this.#settles(Promise.all(played)))) this.#trouble('processes', 'do not end their programs')
    await this.#untilNone(() => this.#leftovers())
    const closed = opened.map((own, n) => (processes[n] as Started).host.start(() => own.close()))
    if (!(await this.#settles(Promise.all(closed)))) this.#trouble('processes', 'do not close')
    for (const [n, { host }] of processes.entries()) {
      this.#note(n, 'ended')
      host.stop()
    }
    await this.#untilNone(() => world.until(director.start(() => this.#wrongPermits())))
  }

  #processOf(index: number, random: Random): Started {
    const world = this.#world
    const name = `p${String(index + 1)}`
    const { clients, flows } = this.#plan.processes[index] as RoundPlan['processes'][number]
    const { objects, forced, watchdogMs, faulty, shareOfLooks } = this.#plan
    const connection = (redis: SimulatedRedis) =>
      connectionOf({ singleServerConfig: { address: `redis://${redis.address}` } }, this.#plan)
    const facts = {
      library: this.#library,
      journal: { write: (entry: Entry) => void this.history.push(entry) },
      clock: { now: () => world.clock.now },
      raw: new RawView(
        this.#redis.reader,
        this.#others.map(({ reader }) => reader),
      ),
      settings: {
        process: name,
        connection: connection(this.#redis),
        others: this.#others.map((other) => ({ connection: connection(other) })),
        ...{ clients, flows, objects, forced, watchdogMs, faulty, shareOfLooks },
        seed: random.seed(),
      },
    }
    const host = world.host(name)
    this.#note(index, 'started')
    return { host, open: () => RoundProcess.open(facts) }
  }

  async #setUp(): Promise<void> {
    await using client = await this.#directClient()
    await setUp(client, this.#plan.objects)
  }

  async #wrongPermits(): Promise<readonly string[]> {
    await using client = await this.#directClient()
    return await wrongCounts(client, this.#plan.objects, this.history)
  }

  #directClient(): Promise<Library.RedissonClient> {
    return this.#library.Redisson.create(`redis://${this.#redis.address}`)
  }

  #leftovers(): Promise<readonly string[]> {
    const left = [this.#redis, ...this.#others].flatMap((redis) =>
      (redis.command('KEYS', '*') as string[])
        .map((key) => ({ key, ttlMs: Number(redis.command('PTTL', key)) }))
        .filter((key) => !mayRemain(key, this.#plan)),
    )
    return Promise.resolve(left.map(({ key, ttlMs }) => `is left with ${key} (${String(ttlMs)} ms)`))
  }

  /** Looks until nothing is found, or writes down what is. */
  async #untilNone(find: () => Promise<readonly string[]>): Promise<void> {
    const deadline = this.#world.clock.now + CLEAN_WITHIN_MS
    for (;;) {
      const found = await find()
      if (found.length === 0) return
      if (this.#world.clock.now >= deadline) {
        for (const what of found) this.#trouble('Redis', what)
        return
      }
      await this.#world.run(this.#world.clock.now + LOOK_EVERY_MS)
    }
  }

  async #settles(promise: Promise<unknown>): Promise<boolean> {
    let isSettled = false
    promise.then(
      () => (isSettled = true),
      (error: unknown) => {
        isSettled = true
        this.#trouble('processes', String(error))
      },
    )
    const until = this.#world.clock.now + ANSWERED_WITHIN_MS
    await this.#world.clock.run({ until, isOver: () => isSettled })
    return isSettled
  }

  #disturb(): () => void {
    const { network } = this.#world
    network.configure({ requestCut: 0.004, replyCut: 0.004, spike: 0.002, spikeMs: [5, 300] })
    return disturb(this.#world, {
      partition: { everyMs: 1_500, lastsMs: [5, 900] },
      away: { everyMs: 3_000, lastsMs: [300, 900] },
      cut: { everyMs: 1_500 },
    })
  }

  #note(index: number, phase: 'started' | 'ended'): void {
    const { clients } = this.#plan.processes[index] as RoundPlan['processes'][number]
    for (let client = 0; client < clients; client += 1)
      this.history.push({
        type: 'process',
        at: this.#world.clock.now,
        process: `p${String(index + 1)}.${String(client)}`,
        phase,
      })
  }

  #trouble(where: string, what: string): void {
    this.history.push({ type: 'trouble', at: this.#world.clock.now, where, what })
  }
}

/** A process that is to be opened. */
interface Started {
  readonly host: Host
  readonly open: () => Promise<RoundProcess>
}
