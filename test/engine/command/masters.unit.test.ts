import { describe, expect, it } from 'vitest'
import { defineCommand, type PlainCommand } from '../../../src/command/operation/command.js'
import { Masters } from '../../../src/command/masters.js'
import type { RunOptions } from '../../../src/command/operation/command-executor.js'
import { status } from '../../../src/command/operation/replies.js'

const change = defineCommand('FUNCTION DELETE', { keys: [], args: [], reply: status, repeat: 'counting' })
const NOTHING = { keys: {}, args: {} }
const HAS_IT = new Error('it has the change')
const isReplicated = (error: unknown) => error === HAS_IT

/** Masters of which these are known at first and later, and what each of them replies. */
function mastersOf(
  first: readonly string[],
  later: readonly string[],
  replies: Readonly<Record<string, Error | 'OK'>>,
): Masters {
  const connection = {
    masters: first,
    refreshMasters: () => {
      connection.masters = later
      return Promise.resolve()
    },
    sessionOf: () => undefined,
  }
  const reply = (master: string) => {
    const said = replies[master]
    return said instanceof Error ? Promise.reject(said) : Promise.resolve(said)
  }
  const executor = {
    run: () => Promise.reject(new Error('not needed')),
    sendTo: <R>(master: string, _: PlainCommand<never, string, R>) => reply(master) as Promise<R>,
  }
  return new Masters(connection, executor)
}

describe('what is sent to all masters', () => {
  it('counts as done at one that has taken over meanwhile and has it as a replica', async () => {
    const masters = mastersOf(['a', 'b'], ['b', 'c'], { a: new Error('it is gone'), b: 'OK', c: HAS_IT })
    expect(await masters.sendToAll(change, NOTHING, isReplicated)).toEqual(['OK'])
    await expect(masters.sendToAll(change, NOTHING)).rejects.toBe(HAS_IT)
  })

  it('has failed at one that was there from the beginning', async () => {
    const masters = mastersOf(['a', 'b'], ['a', 'b'], { a: 'OK', b: HAS_IT })
    await expect(masters.sendToAll(change, NOTHING, isReplicated)).rejects.toBe(HAS_IT)
  })

  it('has failed at one that has taken over meanwhile and fails otherwise', async () => {
    const other = new Error('another')
    const masters = mastersOf(['a'], ['b'], { a: 'OK', b: other })
    await expect(masters.sendToAll(change, NOTHING, isReplicated)).rejects.toBe(other)
  })
})

describe('what is sent to one master', () => {
  it('is not sent to it again once it is none any more', async () => {
    const connection = {
      masters: ['a', 'b'],
      refreshMasters: () => Promise.resolve(),
      sessionOf: () => undefined,
    }
    const asked: RunOptions[] = []
    const executor = {
      run: () => Promise.reject(new Error('not needed')),
      sendTo: <R>(_: string, __: unknown, ___: unknown, options: RunOptions) => {
        asked.push(options)
        return Promise.resolve('OK' as R)
      },
    }
    await new Masters(connection, executor).send('a', change, NOTHING)
    expect(asked.map(({ isOfUse }) => isOfUse?.())).toEqual([true])
    connection.masters = ['b']
    expect(asked.map(({ isOfUse }) => isOfUse?.())).toEqual([false])
  })
})
