import { afterEach, describe, expect, it, vi } from 'vitest'
import { substitute } from '../../../src/config/file/environment.js'
import { cpuMsOf } from '../../support/cpu-time.js'

const MEGABYTE = 1024 * 1024

const put = (text: string) => substitute(text, (name) => `<${name}>`)

/** The shortest of several times, in milliseconds. */
function took(text: string): number {
  return Math.min(...Array.from({ length: 5 }, () => cpuMsOf(() => put(text))))
}

describe('variables of the environment', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('are put in where they are named', () => {
    vi.stubEnv('A', 'x')
    vi.stubEnv('B', '')
    expect(put('${A} ${B:-y} ${C:-${A} ${C} $A ${} {A} ${A')).toBe('x y ${A <C> $A ${} {A} ${A')
    expect(put('')).toBe('')
    expect(put('${A:-')).toBe('${A:-')
  })

  it.each(['${A:-', '${A', '${', '${A:-}', '${A:-${', '${A.:-:-'])(
    'are looked for in time, where a megabyte of %s is to be looked through',
    { tags: ['timed'] },
    (part) => {
      const many = part.repeat(MEGABYTE / part.length)
      const plain = 'x'.repeat(MEGABYTE)
      expect(took(many)).toBeLessThan(took(plain) + 200)
      expect(took(`${many}}`)).toBeLessThan(took(plain) + 200)
    },
  )
})
