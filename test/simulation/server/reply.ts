/**
 * A string of bytes: each character is one byte, 0 to 255. Keys, values and scripts are such strings, so that nothing is lost whatever
 * they hold.
 */
export type Bytes = string

/** A reply such as `OK`, which is no value. */
export class Status {
  readonly text: Bytes

  constructor(text: Bytes) {
    this.text = text
  }
}

/** A refusal. It begins with its code: `WRONGTYPE …`. */
export class Refusal {
  readonly text: Bytes

  constructor(text: Bytes) {
    this.text = text
  }
}

/** What the server replies: a bulk string, an integer of 64 bits, nothing, a status, a refusal, or a list of replies. */
export type Reply = Bytes | number | bigint | null | Status | Refusal | readonly Reply[]

export const OK = new Status('OK')
