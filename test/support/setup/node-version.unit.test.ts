import { expect, it } from 'vitest'
import { isNewEnough } from './node-version.js'

it.each([
  ['20.20.2', false],
  ['22.11.9', false],
  ['22.12.0', true],
  ['24.0.0', true],
  ['100.1.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})
