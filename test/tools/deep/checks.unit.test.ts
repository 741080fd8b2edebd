import { existsSync } from 'node:fs'
import { delimiter } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checksOf, KINDS } from '../../../scripts/deep/checks.js'

const HOUR = { runMs: 3_600_000, seed: 7 }

/** The minutes that a check is given, if it lasts as long as it is given. */
const minutesOf = (args: readonly string[]) => {
  const at = args.indexOf('--minutes')
  return at < 0 ? undefined : Number(args[at + 1])
}

describe('the deep tests', () => {
  it.each(KINDS)('have a check of the kind %s', (kind) => {
    const checks = checksOf([kind], HOUR)
    expect(checks.length).toBeGreaterThan(0)
    for (const each of checks) expect(each.kind).toBe(kind)
  })

  it('give half of the time to those that last as long as they are given, where there are others', () => {
    const minutes = checksOf(KINDS, HOUR).flatMap(({ args }) => minutesOf(args) ?? [])
    expect(minutes.length).toBeGreaterThan(1)
    expect(minutes.reduce((sum, each) => sum + each)).toBeCloseTo(30, 0)
  })

  it('draw by the seed', () => {
    const seeded = checksOf(KINDS, HOUR).filter(
      ({ args, env }) => args.join(' ').includes('--seed 7') || env['REDISSON_TEST_SEED'] === '7',
    )
    expect(seeded.map(({ kind }) => kind)).toEqual([
      'random',
      'random',
      'random',
      'random',
      'random',
      'random',
      'chaos',
    ])
  })

  it('compare the simulated server with each server that is installed besides', () => {
    const checks = checksOf(['matrix'], { ...HOUR, servers: ['/opt/redis-6.2', '/opt/valkey-8.0'] })
    const compared = checks.filter(({ args }) => args.includes('test/simulation'))
    expect(compared.map(({ title }) => title)).toEqual([
      'simulated and real servers, redis-6.2',
      'simulated and real servers, valkey-8.0',
    ])
    expect(compared.map(({ env }) => env['PATH']?.split(delimiter)[0])).toEqual([
      '/opt/redis-6.2',
      '/opt/valkey-8.0',
    ])
  })

  it('test with each of them what newer servers have', () => {
    const checks = checksOf(['matrix'], { ...HOUR, servers: ['/opt/valkey-9.0'] })
    const newer = checks.filter(({ args }) => args.includes('test/collections/map-cache-native'))
    expect(newer.map(({ title }) => title)).toEqual(['what newer servers have, valkey-9.0'])
    expect(newer.map(({ env }) => env['PATH']?.split(delimiter)[0])).toEqual(['/opt/valkey-9.0'])
  })

  it('run files that are there', () => {
    const files = checksOf(KINDS, HOUR).flatMap(({ args }) => args.filter((each) => /\.mjs$/.test(each)))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(existsSync(file), file).toBe(true)
  })
})
