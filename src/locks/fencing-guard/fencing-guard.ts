import type { FencingGuard, GuardedReply } from './fencing-guard.api.js'
import type { Reply } from '../../connection/connection.js'
import { fencingTokens, idempotencyKey } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { StaleTokenError } from '../../errors/lock-errors.js'
import { showOnly } from '../../util/show-only.js'
import { inspectShort } from '../../util/inspect-short.js'
import { accept, last, run } from './fencing-guard.scripts.js'
import { CLIENTS } from '../../util/refused-calls.js'

/** Lua hands no more values than these to a function. */
const MOST_OPERANDS = 7999

/** Keeps late holders away from one key of Redis. */
export class RedissonFencingGuard implements FencingGuard {
  static {
    showOnly(this, 'FencingGuard', ({ name }) => ({ name }))
    refuseSurplus(this, {
      accepts: 'run() takes a command',
      run: ANY_NUMBER,
    })
  }

  readonly name: string
  readonly #context: LockContext
  readonly #key: string
  readonly #seen: string

  constructor(context: LockContext, name: string, key: string) {
    this.name = name
    this.#context = context
    this.#key = key
    this.#seen = fencingTokens(key)
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  async accepts(token: number): Promise<boolean> {
    const call = { keys: { seen: this.#seen }, args: { token: checked(token) } }
    const [accepted] = await this.#context.executor.run(accept, call)
    return accepted === 1
  }

  async run(token: number, command: string, ...operands: readonly (string | number | Uint8Array)[]) {
    if (operands.length > MOST_OPERANDS) {
      throw new RangeError(`Expected at most ${MOST_OPERANDS} operands, got ${operands.length}`)
    }
    const request = idempotencyKey(this.#key, this.#context.requestIds.next())
    const keys = { resource: this.#key, seen: this.#seen, request }
    const args = {
      token: checked(token),
      command: text(command),
      operands: Buffer.concat(operands.map(measured)),
    }
    const reply = await this.#context.executor.run(run, { keys, args }, { remember: true })
    const [done, largest, answer = null] = reply
    if (Number(done) === 1) return readable(answer)
    throw new StaleTokenError({ resource: this.name, token, largest: Number(largest) })
  }

  async getLastToken(): Promise<number> {
    return await this.#context.executor.run(last, { keys: { seen: this.#seen }, args: {} })
  }
}

function checked(token: number): number {
  if (Number.isSafeInteger(token) && token > 0) return token
  throw new RangeError(`Expected \`token\` to be a positive integer, got ${inspectShort(token)}`)
}

function text(command: string): string {
  if (typeof command === 'string') return command
  throw new TypeError(`Expected \`command\` to be a text, got ${inspectShort(command)}`)
}

/** With its length in front, so that one argument can hold many of them. */
function measured(operand: string | number | Uint8Array): Buffer {
  const bytes = operand instanceof Uint8Array ? Buffer.from(operand) : Buffer.from(textOf(operand))
  return Buffer.concat([Buffer.from(`${String(bytes.length)}:`), bytes])
}

function textOf(operand: string | number): string {
  if (typeof operand === 'number' || (typeof operand === 'string' && operand.isWellFormed()))
    return String(operand)
  throw new TypeError(
    `Expected an operand to be a text without lone surrogates, a number or bytes, got ${inspectShort(operand)}`,
  )
}

function readable(reply: Reply): GuardedReply {
  if (Buffer.isBuffer(reply)) return reply.toString()
  if (reply === null) return undefined
  if (typeof reply === 'string') return Number.isSafeInteger(Number(reply)) ? Number(reply) : reply // digits of an integer
  return typeof reply === 'object' ? reply.map(readable) : reply
}
