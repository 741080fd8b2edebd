import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamDeadLetter } from '../stream-consumer.api.js'
import type { RunOptions } from '../../../command/operation/command-executor.js'
import type { Argument } from '../../../connection/connection.js'
import { isRedissonError } from '../../../errors/redisson-error.js'
import { isLasting, isTransient } from '../../../errors/transient.js'
import { eitherSignal } from '../../../util/abort/either-signal.js'
import { followAborts } from '../../../util/abort/follow-aborts.js'
import { Deadline } from '../../../util/time/deadline.js'
import { warnOnce } from '../../../util/warn-once.js'
import { settledInTime } from '../../../waiting/settled-in-time.js'
import type { ConsumerSettings } from './consumer-settings.js'
import type { GroupRequests } from './group-requests.js'
import { HeldMessages } from './held-messages.js'
import { isMissingGroup, isRefused } from '../stream-failures.js'
import type { Delivered, MessageBytes, Taken } from '../stream-replies.js'
import { deliverInTime, type StreamWaits } from '../stream-waits.js'

/** The pause after an error that passes by itself, in milliseconds. */
const PAUSE_MS = 250

/** How long the end waits until messages are back that nobody has asked for, in milliseconds. */
const END_MS = 400

/** In which share of the time that it takes until a message can be claimed a consumer looks for such messages. */
const CLAIMS = 3

/** A program that has asked for all messages of a reply in this time, in milliseconds, gets the next ones in advance. */
const SWIFT_MS = 100

/** The position of a search at its beginning, and at its end. */
const BEGINNING = '0-0'

/** What a consumer receives messages with. */
export interface IntakeParts {
  readonly settings: ConsumerSettings
  /** The field that says why a message is in a dead letter stream. */
  readonly reasonOf: (reason: StreamDeadLetter) => readonly Argument[]
  readonly waits: StreamWaits
  readonly line: string
  readonly failFast: boolean
  readonly ends: readonly (AbortSignal | undefined)[]
  /** The signal of the client. */
  readonly client: AbortSignal
  readonly requestsOf: (consumer: string) => GroupRequests
}

/** A message, how often it was delivered, and whether the group has never delivered it before. */
export interface Received {
  readonly message: MessageBytes
  readonly deliveries: number
  readonly isNew: boolean
}

/** Receives messages for one consumer: its own ones that are pending, those of consumers that have died, and new ones. */
export class Intake {
  readonly requests: GroupRequests
  readonly held: HeldMessages
  readonly #parts: IntakeParts
  readonly #consumer: string
  readonly #ending = new AbortController()
  readonly #stopFollowing: () => void
  readonly #stop = new Error('The loop was left')
  /** Those that nobody has asked for yet. */
  #here: Received[] = []
  #taken = 0
  /** Where the search for its own pending messages goes on; undefined if there is none to come. */
  #ownFrom: { readonly after?: string } | undefined
  #claimFrom = BEGINNING
  #claimAt = performance.now()
  /** When the search for messages to claim was last at its beginning. */
  #searchedAt = -Infinity
  /** The moments from which on messages that were given back can be claimed. */
  readonly #due = new Set<number>()
  /** Whether the last messages were claimed: then it is the turn of new ones. */
  #hasClaimed = false
  /** Ends a wait, because there is something to claim earlier. */
  #interruption = new AbortController()
  /** The newest message that was handed out. */
  #seen = ''
  /** The read that was sent before anybody needed it. */
  #ahead: Promise<number> | undefined
  /** When the last new messages had come, on the monotonic clock. */
  #receivedAt = -Infinity

  constructor(parts: IntakeParts) {
    this.#parts = parts
    const { name, claimIdleMs } = parts.settings
    this.#consumer = name ?? randomUUID()
    this.#ownFrom = name === undefined ? undefined : {}
    this.requests = parts.requestsOf(this.#consumer)
    this.held = new HeldMessages((ids) => this.requests.keep(ids), claimIdleMs)
    if (claimIdleMs === Infinity) this.#claimAt = Infinity
    this.#stopFollowing = followAborts(this.#ending, parts.ends)
  }

  /** The signal of the client. */
  get client(): AbortSignal {
    return this.#parts.client
  }

  /** Aborts when the loop ends. */
  get ending(): AbortSignal {
    return this.#ending.signal
  }

  /** Ends the loop without an error. */
  stop(): void {
    this.#ending.abort(this.#stop)
  }

  isStop(error: unknown): boolean {
    return error === this.#stop
  }

  /** The next message that is here, unless somebody may have claimed it meanwhile. */
  next(): Received | undefined {
    while (this.#taken < this.#here.length) {
      const next = this.#here[this.#taken] as Received
      const { id } = next.message
      const state = this.held.stateOf(id)
      if (state === 'in doubt') return undefined
      this.#taken += 1
      if (state === 'lost') continue
      if (next.isNew) this.#seen = id
      return next
    }
    return undefined
  }

  /** Receives some messages, or waits for a while. */
  async fill(): Promise<void> {
    try {
      if (this.#taken < this.#here.length) await this.#keepHere()
      else await this.#receive()
    } catch (error) {
      this.ending.throwIfAborted()
      await this.#recover(error)
    }
  }

  /** Looks for messages to claim no later than in so many milliseconds. */
  claimIn(delayMs: number): void {
    const moment = Math.ceil(performance.now() + delayMs + 1)
    this.#due.add(moment)
    if (moment >= this.#claimAt) return
    this.#claimAt = moment
    this.#interruption.abort()
  }

  /** Moves a message to the dead letter stream. If Redis refuses that, the message stays pending. */
  async bury({ id, deliveries }: Pick<Delivered, 'id' | 'deliveries'>): Promise<void> {
    const { group } = this.#parts.settings
    const reason = { stream: this.requests.key, group, id, consumer: this.#consumer, deliveries }
    try {
      await this.requests.moveToDeadLetters(id, this.#parts.reasonOf(reason))
    } catch (error) {
      if (!isRefused(error) || isMissingGroup(error)) throw error
      const { key } = this.requests
      const words = error.cause instanceof Error ? error.cause.message : error.message
      warnOnce(
        'REDISSON_DEAD_LETTER_FAILED',
        `${key} ${group}`,
        `Message ${id} of the stream ${key} stays pending, because it cannot be moved to the dead letter stream: ${words}`,
      )
    }
  }

  /** Gives back what nobody has asked for. What was handed out stays pending. */
  async close(): Promise<void> {
    this.stop()
    this.#stopFollowing()
    this.held.close()
    const ending = this.#leave().catch(() => undefined) // others claim it in time
    await settledInTime(ending, { deadline: Deadline.after(END_MS), signal: undefined })
  }

  async #leave(): Promise<void> {
    await this.#ahead?.catch(() => undefined)
    const left = this.#here.splice(this.#taken).filter(({ message }) => this.held.has(message.id))
    if (left.length > 0) await this.#return(left)
    if (this.#parts.settings.name === undefined) await this.requests.leave()
  }

  /** Nobody has seen them, so that this delivery does not count. */
  async #return(unseen: readonly Received[]): Promise<void> {
    for (const { message } of unseen) this.held.delete(message.id)
    await this.requests.giveBack(
      unseen.map(({ message, deliveries }) => ({ id: message.id, deliveries: deliveries - 1 })),
    )
  }

  /** Asks whether others have claimed what is here. A reply that takes too long leaves that open, and so may every other one. */
  async #keepHere(): Promise<void> {
    await this.held.keepAll()
    const next = this.#here[this.#taken]
    if (next !== undefined && this.held.stateOf(next.message.id) === 'in doubt')
      warnOfSlowReplies(this.requests.key, this.#parts.settings.claimIdleMs)
  }

  async #receive(): Promise<void> {
    if (this.#ownFrom !== undefined) {
      await this.#receiveOwn(this.#ownFrom.after)
      return
    }
    const maySearch = performance.now() >= this.#claimAt && !this.#hasClaimed
    this.#hasClaimed = maySearch && (await this.#claim())
    if (this.#hasClaimed) return
    const found = await (this.#ahead ?? this.#readNew())
    this.#ahead = undefined
    if (found === 0) {
      if (performance.now() < this.#claimAt) await this.#wait()
    } else this.#readAhead()
  }

  /** Asks for more before anybody needs it, where the program keeps up: it has not let the previous messages wait. */
  #readAhead(): void {
    const now = performance.now()
    const keepsUp = now - this.#receivedAt < SWIFT_MS
    this.#receivedAt = now
    if (!keepsUp || !this.requests.isFull) return
    this.#ahead = this.#readNew()
    this.#ahead.catch(() => undefined) // whoever needs it gets the error
  }

  async #receiveOwn(after: string | undefined): Promise<void> {
    const ids = await this.requests.listOwn(after)
    const others = ids.filter((id) => !this.held.has(id))
    if (others.length > 0) await this.#take((how) => this.requests.takeOwn(others, how))
    const last = ids.at(-1)
    this.#ownFrom = last === undefined ? undefined : { after: last }
  }

  /** Returns whether there was anything to claim, or may be among its own messages. */
  async #claim(): Promise<boolean> {
    const from = this.#claimFrom
    if (from === BEGINNING) this.#searchedAt = performance.now()
    if (this.#parts.settings.claimIdleMs === Infinity) {
      this.#ownFrom = {}
      this.#planClaim()
      return true
    }
    const { next, deliveries } = await this.#take((how) => this.requests.takeIdle(from, how))
    this.#claimFrom = next
    if (next === BEGINNING) this.#planClaim()
    return deliveries.length > 0
  }

  /** A search has found what was due when it began. */
  #planClaim(): void {
    this.#claimAt = this.#searchedAt + this.#parts.settings.claimIdleMs / CLAIMS
    for (const moment of this.#due) {
      if (moment <= this.#searchedAt) this.#due.delete(moment)
      else this.#claimAt = Math.min(this.#claimAt, moment)
    }
  }

  async #take<T extends Taken>(take: (how: RunOptions) => Promise<T>): Promise<T> {
    const since = performance.now()
    const received = ({ deliveries }: Taken) => deliveries.map(asReceived)
    const taken = await deliverInTime(take, this.ending, (late) => this.#return(received(late)))
    for (const each of received(taken)) this.#add(each, since)
    for (const message of taken.dead) await this.bury(message)
    return taken
  }

  /** Returns how many messages have come. */
  async #readNew(): Promise<number> {
    const since = performance.now()
    const found = await deliverInTime(
      (how) => this.requests.readNew(how),
      this.ending,
      (late) => this.#return(late.map(asNew)),
    )
    for (const message of found) this.#add(asNew(message), since)
    return found.length
  }

  async #wait(): Promise<void> {
    this.#interruption = new AbortController()
    const { signal } = this.#interruption
    const waitMs = this.#claimAt - performance.now()
    const deadline = waitMs === Infinity ? Deadline.never : Deadline.after(waitMs)
    const patience = { waitMs, deadline, signal: eitherSignal(this.ending, signal) }
    try {
      await this.#parts.waits.afterChange(() => this.#readNew(), patience, this.#parts.line)
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error
    }
  }

  #add(received: Received, since: number): void {
    const { id } = received.message
    if (this.held.has(id)) return // it was claimed although it is here, after this process had stood still
    this.held.add(id, since)
    if (this.#taken === this.#here.length) {
      this.#here = []
      this.#taken = 0
    }
    this.#here.push(received)
  }

  /** @throws what does not pass by itself */
  async #recover(error: unknown): Promise<void> {
    if (isMissingGroup(error)) {
      await this.#createGroup()
      return
    }
    const passes = isTransient(error) && !isLasting(error) && !this.#parts.failFast
    if (!passes && !isRedissonError(error, 'SUBSCRIPTION_TIMEOUT')) throw error
    this.#ownFrom = {} // what it may have delivered is pending here
    await sleep(PAUSE_MS, undefined, { signal: this.ending }).catch(() => undefined)
  }

  /** The group begins after what was handed out: what is here without that comes again. */
  async #createGroup(): Promise<void> {
    for (const { message } of this.#here.splice(this.#taken)) this.held.delete(message.id)
    try {
      await this.requests.createGroup(this.#seen)
    } catch (error) {
      await this.#recover(error)
    }
  }
}

function warnOfSlowReplies(stream: string, claimIdleMs: number): void {
  warnOnce(
    'REDISSON_SLOW_CLAIMS',
    stream,
    `A consumer of the stream ${stream} hands out no message, because replies of Redis take nearly as long as claimIdleMs or longer: ` +
      `it is ${String(claimIdleMs)} ms. Set claimIdleMs to many times what a reply takes`,
  )
}

function asNew(message: MessageBytes): Received {
  return { message, deliveries: 1, isNew: true }
}

function asReceived(message: Delivered): Received {
  return { message, deliveries: message.deliveries, isNew: false }
}
