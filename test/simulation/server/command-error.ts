import type { Bytes } from './reply.js'

/** What a command throws that refuses its arguments or the value at its key. The client gets the text as an error. */
export class CommandError extends Error {
  readonly text: Bytes

  constructor(text: Bytes) {
    super(text)
    this.text = text
  }
}

export const wrongType = (): CommandError =>
  new CommandError('WRONGTYPE Operation against a key holding the wrong kind of value')

export const syntaxError = (): CommandError => new CommandError('ERR syntax error')

export const notAnInteger = (): CommandError =>
  new CommandError('ERR value is not an integer or out of range')

export const noSuchKey = (): CommandError => new CommandError('ERR no such key')
