import { expect, it } from 'vitest'
import { FIRST_CURSOR, walk } from '../../../src/core/pages.js'

/** How many items come at most before the event loop gets a turn. */
const MOST = 5_000

it('lets the event loop have turns within a long page', async () => {
  const page = Array.from({ length: 3 * MOST }, (_, n) => n)
  let turn = 0
  let next = setImmediate(function count() {
    turn += 1
    next = setImmediate(count)
  })
  const found: number[][] = []
  for await (const item of walk(
    () => Promise.resolve([FIRST_CURSOR, page]),
    (n: number) => n,
    { onInvalid: 'throw', signal: undefined },
  ))
    (found[turn] ??= []).push(item)
  clearImmediate(next)
  expect(found.flat()).toEqual(page)
  expect(Math.max(...found.map((items) => items.length))).toBe(MOST)
})
