import { chunk } from '../../../util/collections/chunk.js'
import type { RunOptions } from '../../../command/operation/command-executor.js'
import type { Argument } from '../../../connection/connection.js'
import type { ObjectRequests } from '../../../core/object-requests.js'
import type { ConsumerSettings } from './consumer-settings.js'
import * as commands from '../stream.commands.js'
import type { Delivered, MessageBytes, Taken } from '../stream-replies.js'
import * as scripts from '../stream.scripts.js'
import { ReplySize } from './reply-size.js'

/** From how many bytes on the messages of one reply are large. */
const LARGE = 1024 * 1024

/** How many messages one script is about. */
const AT_ONCE = 1_000

type Settings = Pick<ConsumerSettings, 'group' | 'from' | 'claimIdleMs' | 'dead' | 'batch'> & {
  readonly consumer: string
}

/** The requests of one consumer of a group. */
export class GroupRequests {
  readonly #requests: ObjectRequests
  readonly #settings: Settings
  readonly #of: { readonly group: string; readonly consumer: string }
  /** Whether messages have been large, after which they are read by a plain command. */
  #areLarge = false
  readonly #size: ReplySize
  #isFull = false

  constructor(requests: ObjectRequests, settings: Settings) {
    this.#requests = requests
    this.#settings = settings
    this.#of = { group: settings.group, consumer: settings.consumer }
    this.#size = new ReplySize(settings.batch, settings.claimIdleMs)
  }

  /** Whether the last new messages were as many as were asked for. */
  get isFull(): boolean {
    return this.#isFull
  }

  get key(): string {
    return this.#requests.key
  }

  /** Delivers messages that no consumer of the group has received. */
  async readNew(how: RunOptions): Promise<MessageBytes[]> {
    const { count } = this.#size
    const since = performance.now()
    const messages = await this.#read(count, how)
    this.#size.note(messages, performance.now() - since)
    this.#isFull = messages.length === count
    return messages
  }

  /** Lua is not bothered with large ones. */
  async #read(count: number, how: RunOptions): Promise<MessageBytes[]> {
    if (this.#areLarge) {
      const args = { ...this.#of, options: ['COUNT', count], after: '>' }
      return await this.#requests.ask(commands.readGroup, args, {}, how)
    }
    const { messages, size } = await this.#requests.ask(scripts.readNew, { ...this.#of, count }, {}, how)
    this.#areLarge = size > LARGE
    return messages
  }

  /** The messages that are pending at this consumer, a page of them. */
  async listOwn(after: string | undefined): Promise<readonly string[]> {
    const { group, consumer } = this.#of
    const range = [after === undefined ? '-' : `(${after}`, '+', this.#size.count, consumer]
    const pending = await this.#requests.ask(commands.listPending, { group, range }, {}, { from: 'master' })
    return pending.map(({ id }) => id)
  }

  /** Delivers messages once more that are pending at this consumer. */
  async takeOwn(ids: readonly string[], how: RunOptions): Promise<Taken> {
    return await this.#noted(() =>
      this.#requests.ask(scripts.takeOwn, { ...this.#of, most: this.#most, ids }, {}, how),
    )
  }

  /** Delivers messages that have been pending at other consumers for long. */
  async takeIdle(from: string, how: RunOptions): Promise<Taken & { readonly next: string }> {
    const args = {
      ...this.#of,
      most: this.#most,
      idleMs: this.#settings.claimIdleMs,
      from,
      count: this.#size.count,
    }
    return await this.#noted(() => this.#requests.ask(scripts.takeIdle, args, {}, how))
  }

  async #noted<T extends Taken>(take: () => Promise<T>): Promise<T> {
    const since = performance.now()
    const taken = await take()
    this.#size.note(taken.deliveries, performance.now() - since)
    return taken
  }

  /** Creates the group again, after a message that it has delivered, if the stream has had that. */
  async createGroup(seen: string): Promise<void> {
    const { group, from } = this.#settings
    await this.#requests.ask(
      scripts.createGroup,
      { group, from, makeStream: 1, seen },
      {},
      { exactlyOnce: true },
    )
  }

  /** Begins the idle time of messages anew. Returns those that are not pending at this consumer any more. */
  async keep(ids: readonly string[]): Promise<string[]> {
    const lost: string[] = []
    for (const part of chunk(ids, AT_ONCE))
      lost.push(...(await this.#requests.ask(scripts.keep, { ...this.#of, ids: part })))
    return lost
  }

  async settle(ids: readonly string[]): Promise<void> {
    for (const part of chunk(ids, AT_ONCE))
      await this.#requests.ask(commands.settle, { group: this.#of.group, ids: part })
  }

  /** Allows others to claim messages at the end of this time. A late copy changes no later delivery of them. */
  async giveBack(given: readonly Pick<Delivered, 'id' | 'deliveries'>[], delayMs = 0): Promise<void> {
    const { claimIdleMs } = this.#settings
    if (claimIdleMs === Infinity) return // nobody claims them
    const args = { ...this.#of, idleMs: claimIdleMs - delayMs }
    for (const part of chunk(given, AT_ONCE)) {
      const deliveries = part.flatMap(({ id, deliveries: times }) => [id, times])
      await this.#requests.ask(scripts.giveBack, { ...args, deliveries }, {}, { exactlyOnce: true })
    }
  }

  /** @param reason - a field that says why */
  async moveToDeadLetters(id: string, reason: readonly Argument[]): Promise<void> {
    const { dead } = this.#settings
    if (dead === undefined) return
    await this.#requests.ask(scripts.moveToDeadLetters, { ...this.#of, id, reason }, { target: dead.key })
  }

  /** Removes this consumer, if nothing is pending at it. */
  async leave(): Promise<void> {
    await this.#requests.ask(scripts.leave, this.#of)
  }

  get #most(): number {
    return this.#settings.dead?.most ?? 0
  }
}
