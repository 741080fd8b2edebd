import { describe, expect, it } from 'vitest'
import { BatchEntry } from '../../../src/command/batch/batch-entry.js'
import { notSent } from '../../../src/command/requests/caller-wait.js'
import { defineCommand } from '../../../src/command/operation/command.js'
import { text } from '../../../src/command/operation/replies.js'
import { ScriptError } from '../../../src/errors/reply-errors.js'

const operation = defineCommand('GET', { keys: ['key'], args: [], reply: text, repeat: 'safe' })

describe('an entry of a batch', () => {
  const entryOf = (sending = notSent(), loss?: Error) =>
    new BatchEntry({ loss } as never, { operation, call: { keys: { key: 'key' } }, options: { sending } })

  it('may have run if it was sent, or if the reply to a copy was lost', () => {
    expect(entryOf().mayHaveRun).toBe(false)
    expect(entryOf({ ...notSent(), sent: true }).mayHaveRun).toBe(true)
    expect(entryOf(notSent(), new Error('lost')).mayHaveRun).toBe(true)
  })

  it.each([true, false])('may have run if its error says so: %s', (mayHaveRun) => {
    const entry = entryOf()
    entry.fail(new ScriptError('script', { mayHaveRun, cause: new Error('ERR') }))
    expect(entry.mayHaveRun).toBe(mayHaveRun)
  })
})
