import { describe, expect, it } from 'vitest'
import { stringCodec } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { topologies } from '../../support/topologies.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Values, and the bits that they have in Redisson for Java: of 729, and of 9 585 058. */
const VECTORS: readonly (readonly [value: string, few: readonly number[], many: readonly number[]])[] = [
  ['', [386, 57, 498, 169, 610], [582_673, 7_973_997, 1_950_482, 9_341_806, 3_318_291, 1_124_557, 1_707_230]],
  [
    'a',
    [103, 242, 345, 539, 642],
    [4_105_634, 8_127_933, 2_648_509, 64_620, 4_170_254, 8_192_553, 5_691_999],
  ],
  [
    'hello',
    [662, 410, 398, 146, 134],
    [1_904_273, 5_703_746, 1_001_831, 4_801_304, 99_389, 3_898_862, 8_782_005],
  ],
  [
    '123',
    [334, 496, 156, 318, 652],
    [521_240, 1_161_368, 4_661_478, 5_301_606, 5_822_846, 6_462_974, 378_026],
  ],
  [
    'é中😀',
    [459, 540, 325, 406, 191],
    [2_853_577, 4_331_944, 579_333, 2_057_700, 7_890_147, 6_389_644, 2_637_033],
  ],
  [
    `${ALPHABET}ABCDE`,
    [470, 154, 679, 363, 104],
    [2_352_523, 4_622_163, 368_498, 2_638_138, 4_990_661, 7_260_301, 3_006_636],
  ],
  [
    `${ALPHABET}ABCDEF`,
    [70, 100, 225, 200, 325],
    [4_852_253, 9_122_508, 7_368_573, 8_659_958, 6_906_023, 8_197_408, 6_443_473],
  ],
  [
    `${ALPHABET}ABCDEFG`,
    [361, 567, 199, 405, 37],
    [6_893_012, 3_521_550, 829_504, 7_043_100, 4_351_054, 979_592, 7_872_604],
  ],
  [
    '0123456789'.repeat(10),
    [632, 716, 674, 29, 716],
    [5_449_527, 8_339_893, 7_183_232, 488_540, 8_916_937, 2_222_245, 7_671_772],
  ],
]

describe.each(topologies)('on the wire ($kind)', (topology) => {
  const clients = twoClients(topology)
  const look = new Look(topology)

  it.each([
    ['wire-bloom', '{wire-bloom}:config'],
    ['{wire}:bloom', '{wire}:bloom:config'],
    ['a{wire}b', 'a{wire}b:config'],
    ['фильтр', '{фильтр}:config'],
  ])('a filter called %s has bits, and settings at %s', async (name, config) => {
    const filter = clients.mine.getBloomFilter(name, { codec: stringCodec() })
    await filter.tryInit(100, 0.03)
    expect(await look.ask(name, 'EXISTS')).toBe(0)
    expect(await look.ask(config, 'HGETALL')).toEqual([
      'size',
      '729',
      'hashIterations',
      '5',
      'expectedInsertions',
      '100',
      'falseProbability',
      '0.03',
    ])
    await filter.add('a')
    expect(await look.ask(name, 'TYPE')).toBe('string')
    expect(await look.ask(name, 'BITCOUNT')).toBe(5)
    await filter.delete()
    expect(await look.ask(config, 'EXISTS')).toBe(0)
  })

  it.each([
    [100, 0.03, '729', '5', '0.03'],
    [1_000_000, 0.01, '9585058', '7', '0.01'],
    [55_000_000, 0.001, '790767316', '10', '0.001'],
    [1_000, 0.0001, '19170', '13', '1.0E-4'],
    [1, 0.5, '1', '1', '0.5'],
    [10, 2 ** -128, '1846', '128', '2.938735877055719E-39'],
  ])(
    'for %i values with a probability of %d it has the size of Java',
    async (n, p, size, iterations, written) => {
      const name = 'wire-bloom-sizes'
      const filter = clients.mine.getBloomFilter(name)
      await filter.tryInit(n, p)
      const fields = ['size', 'hashIterations', 'expectedInsertions', 'falseProbability']
      expect(await look.ask(`{${name}}:config`, 'HMGET', ...fields)).toEqual([
        size,
        iterations,
        String(n),
        written,
      ])
      await filter.delete()
    },
  )

  it('it is used with as many bits of a value as Java sets for the smallest probability', async () => {
    const filter = clients.mine.getBloomFilter('wire-bloom-most')
    await look.ask('{wire-bloom-most}:config', 'HSET', 'size', '15494', 'hashIterations', '1074')
    expect([await filter.add('a'), await filter.contains('a'), await filter.contains('b')]).toEqual([
      true,
      true,
      false,
    ])
    await filter.delete()
  })

  it('values have the bits of Java', async () => {
    for (const [n, p, which] of [
      [100, 0.03, 1],
      [1_000_000, 0.01, 2],
    ] as const) {
      const filter = clients.mine.getBloomFilter('wire-bloom-bits', { codec: stringCodec() })
      for (const vector of VECTORS) {
        await filter.tryInit(n, p)
        await filter.add(vector[0])
        const places = new Set(vector[which])
        expect(await look.ask(filter.name, 'BITCOUNT'), vector[0]).toBe(places.size)
        for (const place of places) expect(await look.ask(filter.name, 'GETBIT', place), vector[0]).toBe(1)
        await filter.delete()
      }
    }
  })
})
