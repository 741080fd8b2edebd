import assert from 'node:assert/strict'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'

/** More than a script may unpack. */
const TOO_MANY = 9_000

export const fencingGuards: readonly Scenario[] = [
  {
    name: 'guard-with-many-operands',
    promise: 'A fencing guard runs a command with any number of operands, or refuses it by itself',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const operands = Array.from({ length: TOO_MANY }, () => 'x')
      const outcome = await outcomeName(
        mine.run((client) => client.getFencingGuard('list').run(1, 'RPUSH', ...operands)),
      )
      assert.match(outcome, /^(ok|RangeError)$/)
    },
  },
]
