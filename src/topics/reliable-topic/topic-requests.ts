import { nextTick } from 'node:process'
import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { integer } from '../../command/operation/replies.js'
import type { Reply } from '../../connection/connection.js'
import { UnexpectedReplyError } from '../../errors/reply-errors.js'
import * as scripts from './reliable-topic.scripts.js'

/** For how many subscribers one request is at most: Redis runs some commands for each of them, and nothing else meanwhile. */
const MOST_SUBSCRIBERS = 500

/** How many messages one request reads, besides one for each place. */
const MOST_MESSAGES = 100

/** The keys of a topic. */
export interface TopicKeys {
  readonly stream: string
  readonly timeouts: string
}

/** What is asked for one subscriber: see `lua/next.lua`. */
export interface Question {
  readonly name: string
  readonly lease: string
  readonly expected: string
  readonly upTo: string
  readonly count: number
  readonly known: string
  readonly calls: number
}

/** A message as it is stored; undefined bytes are none that `publish()` has written. */
export interface StoredMessage {
  readonly id: string
  readonly bytes: Buffer | undefined
}

/** What Redis has replied for one subscriber. */
export interface Outcome {
  readonly status: number
  readonly cursor: string
  readonly deliveries: number
  /** For all subscribers at its place. */
  readonly messages: readonly StoredMessage[]
}

/** Who asks for a subscriber. None of these functions throws. */
export interface Asker {
  /** What it asks for now; undefined if for nothing. */
  question(): Question | undefined
  received(outcome: Outcome): void
  failed(error: Error): void
}

/** A question that is sent, and its asker. */
interface Asked {
  readonly asker: Asker
  readonly question: Question
}

/**
 * Sends what the subscribers of one topic ask for, all together: Redis lists all of them to find one, and reads a message once for those at the same place.
 *
 * One request is under way at a time. The next one is for all who ask meanwhile.
 */
export class TopicRequests {
  readonly #executor: CommandExecutor
  readonly #keys: TopicKeys
  /** Those for the next request, with what they wait for. */
  readonly #waiting = new Map<Asker, PromiseWithResolvers<void>>()
  #isSending = false

  constructor(executor: CommandExecutor, keys: TopicKeys) {
    this.#executor = executor
    this.#keys = keys
  }

  /** Adds it to the request at the end of this turn of the event loop, or after the reply that is awaited. Resolves with the outcome; never rejects. */
  join(asker: Asker): Promise<void> {
    const known = this.#waiting.get(asker)
    if (known !== undefined) return known.promise
    const waiting = Promise.withResolvers<void>()
    this.#waiting.set(asker, waiting)
    if (!this.#isSending) void this.#sendAll()
    return waiting.promise
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true
    while (this.#waiting.size > 0) {
      await endOfTurn()
      const waiting = [...this.#waiting].slice(0, MOST_SUBSCRIBERS)
      for (const [asker] of waiting) this.#waiting.delete(asker)
      await this.#send(waiting.map(([asker]) => asker))
      for (const [, { resolve }] of waiting) resolve()
    }
    this.#isSending = false
  }

  async #send(askers: readonly Asker[]): Promise<void> {
    const asked: Asked[] = []
    for (const asker of askers) {
      const question = asker.question()
      if (question !== undefined) asked.push({ asker, question })
    }
    if (asked.length === 0) return
    try {
      const outcomes = await this.#ask(asked.map(({ question }) => question))
      for (const [at, outcome] of outcomes.entries()) asked[at]?.asker.received(outcome)
    } catch (error) {
      for (const { asker } of asked) asker.failed(error as Error)
    }
  }

  async #ask(questions: readonly Question[]): Promise<Outcome[]> {
    const script = questions.some(({ count }) => count > 0) ? scripts.next : scripts.acknowledge
    const args = { most: MOST_MESSAGES, rows: questions.flatMap(rowOf) }
    const [outcomes, batches] = await this.#executor.run(script, { keys: this.#keys, args })
    return outcomesIn(outcomes, batches.map(messagesIn), questions.length)
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    nextTick(resolve)
  })
}

function rowOf(question: Question): (string | number)[] {
  const { name, lease, expected, upTo, count, known, calls } = question
  return [name, lease, expected, upTo, count, known, calls]
}

function outcomesIn(
  replies: readonly Reply[],
  batches: readonly (readonly StoredMessage[])[],
  count: number,
): Outcome[] {
  const outcomes: Outcome[] = []
  for (let at = 0; at < 4 * count; at += 4) {
    const [status = null, cursor, deliveries = null, number = null] = replies.slice(at, at + 4)
    outcomes.push({
      status: integer(status),
      cursor: String(cursor),
      deliveries: integer(deliveries),
      messages: batches[integer(number) - 1] ?? [],
    })
  }
  return outcomes
}

function messagesIn(replies: readonly Reply[]): StoredMessage[] {
  const messages: StoredMessage[] = []
  for (let at = 0; at < replies.length; at += 2) {
    const bytes = replies[at + 1] ?? undefined
    if (bytes !== undefined && !Buffer.isBuffer(bytes)) throw new UnexpectedReplyError('a message', bytes)
    messages.push({ id: String(replies[at]), bytes })
  }
  return messages
}
