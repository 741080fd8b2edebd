import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, textOf } from './snippets.js'

/** The events of objects as the sources declare them: each with its flag. */
const declared = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /(?:const )?(\w+)(?::| =) \{\s*names: \[[^\]]*\],\s*flag: '(.)',?\s*\}/g,
    ),
  ].map(([, event = '', flag = '']) => ({ event: event.toLowerCase(), flag })),
)

/** The rows of the table in the guide: some events and their flag. */
const rows = [...textOf('docs/guide/values.md').matchAll(/^\| (`.*`.*) \| `(.)` +\|$/gm)]

describe('the table of events', () => {
  it('has every event of every object, with its flag', () => {
    expect(declared.length).toBeGreaterThan(20)
    const missing = declared.filter(
      ({ event, flag }) =>
        !rows.some(([, events = '', of]) => of === flag && events.toLowerCase().includes(`\`${event}\``)),
    )
    expect(missing).toEqual([])
  })
})
