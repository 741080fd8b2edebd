import { randomBytes } from 'node:crypto'

/** Makes ids of requests: 32 hexadecimal digits, of which the first half identifies the client. */
export class IdempotencyIds {
  readonly #prefix = randomBytes(8).toString('hex')
  #next = 0

  next(): string {
    return this.#prefix + (this.#next++).toString(16).padStart(16, '0')
  }
}
