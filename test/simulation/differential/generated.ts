import fc, { type Arbitrary } from 'fast-check'
import type { Bytes } from '../server/reply.js'

type Words = readonly Bytes[]

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const field = fc.constantFrom('f', 'g', 'h', '', '\x00\xff')
const whole = fc.oneof(
  fc.integer({ min: -5, max: 20 }).map(String),
  fc.constantFrom(
    '0',
    '-0',
    '+1',
    '01',
    ' 1',
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '9007199254740993',
    '1.0',
    '',
    'x',
  ),
)
const side = fc.constantFrom('LEFT', 'right', 'x')
const decimal = fc.oneof(
  fc.constantFrom(
    '0.1',
    '0.2',
    '-1.5',
    '3',
    '1e3',
    '.5',
    '5.',
    '1e-7',
    '12345678.9',
    '',
    'x',
    '0.30000000000000004',
    '1e17',
  ),
  fc.integer({ min: -1000, max: 1000 }).map((n) => String(n / 8)),
)
const score = fc.oneof(
  fc.integer({ min: -3, max: 6 }).map(String),
  fc.constantFrom(
    '1.5',
    '0.1',
    '-inf',
    '+inf',
    'inf',
    '1e10',
    '1764000000000',
    '1764000000000.5',
    'nan',
    'x',
    '',
  ),
)
const limit = fc.oneof(
  score,
  score.map((each) => `(${each}`),
)
const value = fc.oneof(whole, decimal, fc.constantFrom('text', '\x00\x01\xff', 'é', 'x'.repeat(70)))
const index = fc.integer({ min: -6, max: 6 }).map(String)
const far = fc.constantFrom('1000000', '100000000000', '2000000')
const sooner = fc.constantFrom('0', '-1', '-100000', 'x', '9223372036854775807')
const delay = fc.oneof({ arbitrary: far, weight: 4 }, sooner)
const moment = fc.constantFrom('4000000000000', '5000000000000', '1', '0', '-1', 'x')
const condition = fc.subarray(['NX', 'XX', 'GT', 'LT', 'nx'], { maxLength: 2 })
/** Of two delays that are the same, the second ends later if a millisecond has gone by: whether it does is a matter of time. */
const conditionOfDelay = fc.subarray(['NX', 'XX', 'nx'], { maxLength: 2 })

/** A command of fixed words and drawn ones. */
function words(...parts: readonly (Bytes | Arbitrary<Bytes | Words>)[]): Arbitrary<Words> {
  return fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((drawn) => drawn.flat())
}

const some = (each: Arbitrary<Bytes | Words>, maxLength = 3): Arbitrary<Words> =>
  fc.array(each, { minLength: 1, maxLength }).map((drawn) => drawn.flat())

const maybe = (...options: readonly Arbitrary<Bytes | Words>[]): Arbitrary<Words> =>
  fc
    .tuple(...options.map((each) => fc.option(each, { nil: undefined })))
    .map((drawn) => drawn.flatMap((each) => each ?? []))

const pair = (one: Arbitrary<Bytes>, other: Arbitrary<Bytes>): Arbitrary<Words> => fc.tuple(one, other)

const withScores = fc.constantFrom('WITHSCORES', 'withscores')
const limits = fc.tuple(fc.constant('LIMIT'), index, index)

/** Keys that no other command shows the value of: the server of the simulation has one form of HyperLogLogs, and Redis has two. */
const log = fc.constantFrom('log-1', 'log-2', 'log-3')
const element = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
    maxLength: 20,
  }),
  field,
)

/** A locale may order other texts in its own way. */
const digits = fc.integer({ min: 0, max: 12 }).map(String)
const sortOrder = fc.constantFrom('ASC', 'desc')
const twoKeys = fc.tuple(fc.constant('2'), key, key)
const weights = fc.tuple(fc.constant('WEIGHTS'), score, score)
const lexText = fc.constantFrom('', 'a', 'aa', 'b', 'B', '+', '\x00\xff')
const lexLimit = fc.oneof(
  fc.tuple(fc.constantFrom('[', '('), lexText).map((limit) => limit.join('')),
  fc.constantFrom('-', '+', 'a', '', '++'),
)
/** Other sets have several scores: their ranges of texts are not defined. */
const lexKey = fc.constantFrom('texts', 'none')
const aggregate = fc.tuple(fc.constant('AGGREGATE'), fc.constantFrom('SUM', 'MIN', 'MAX', 'x'))

/** Each place is that of one member, as members at one distance come in no order. No other command shows scores that are distances. */
const places = [
  ['f', '13.361389', '38.115556'],
  ['f', '-0.1', '51.5'],
  ['g', '15.087269', '37.502669'],
  ['g', '180', '-85.05112878'],
  ['h', '13.583333', '37.316667'],
  ['h', '-179.9', '0.3'],
  ['i', '179.99', '85.05112878'],
  ['i', '1e-7', '-1e-7'],
  ['j', '12.5', '41.9'],
  ['\x00\xff', '-122.4', '37.7'],
] as const
const wrongPlace = fc.constantFrom(['200', '0'], ['0', '86'], ['x', '0'], ['0', ''], ['-inf', 'inf'])
const entry = fc.oneof(
  {
    arbitrary: fc
      .constantFrom(...places)
      .map(([member, longitude, latitude]) => [longitude, latitude, member]),
    weight: 20,
  },
  wrongPlace.map((each) => [...each, 'f']),
)
const geo = fc.constantFrom('geo-1', 'geo-2')
const geoMember = fc.constantFrom('f', 'g', 'h', 'i', 'j', '\x00\xff', 'none')
const unit = fc.constantFrom('m', 'km', 'mi', 'ft', 'x')
const reach = fc.oneof(
  { arbitrary: fc.constantFrom('0', '1', '55.5', '200', '1000', '7000', '20000'), weight: 9 },
  fc.constantFrom('-1', 'x'),
)
const center = fc.oneof(
  fc.tuple(
    fc.constant('FROMLONLAT'),
    fc.constantFrom('13.7', '-179.99', '0.3'),
    fc.constantFrom('37.9', '-0.2'),
  ),
  fc.tuple(fc.constant('frommember'), geoMember),
)
const area = fc.oneof(
  fc.tuple(fc.constant('BYRADIUS'), reach, unit),
  fc.tuple(fc.constant('bybox'), reach, reach, unit),
)
const found = fc.constantFrom('1', '2', '10', '0', 'x')
const limited = maybe(
  sortOrder,
  fc.oneof(pair(fc.constant('COUNT'), found), fc.tuple(fc.constant('COUNT'), found, fc.constant('any'))),
)

const place = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 40 }).map(String), weight: 9 },
  fc.constantFrom('200', '-1', '4294967296', '9223372036854775807', 'x', '#1'),
)
const cellPlace = fc.oneof(
  place,
  fc.integer({ min: 0, max: 5 }).map((each) => `#${String(each)}`),
)
const cellType = fc.oneof(
  { arbitrary: fc.constantFrom('u1', 'u5', 'i5', 'u8', 'i8', 'i64', 'u63', 'i33'), weight: 9 },
  fc.constantFrom('u64', 'i65', 'i0', 'x8', 'u'),
)
const bitGet = fc.tuple(fc.constantFrom('GET', 'get'), cellType, cellPlace)
const bitChange = fc.tuple(fc.constantFrom('SET', 'INCRBY'), cellType, cellPlace, whole)
const overflowWord = fc.tuple(fc.constant('OVERFLOW'), fc.constantFrom('WRAP', 'sat', 'FAIL', 'FAIL', 'x'))

/** Few streams, which no other command removes, so that most have entries and groups. */
const stream = fc.oneof({ arbitrary: fc.constantFrom('stream-1', 'stream-2'), weight: 20 }, key)
/** Streams whose entries have ids of now. No other command shows these. */
const streamOfNow = fc.constantFrom('now-1', 'now-2')
const small = fc.integer({ min: 0, max: 9 }).map(String)
const wrongId = fc.constantFrom(
  '',
  'x',
  '-1',
  '1-x',
  '1-',
  '-',
  '+',
  '1-1-1',
  '18446744073709551616',
  '$',
  '>',
)
const unusualId = fc.constantFrom('+1-01', ' 2', '18446744073709551615-18446744073709551615', '0', '0-0')
const entryId = fc.oneof(
  { arbitrary: fc.constantFrom('1-1', '2-1', '2-2', '3-0', '4-5'), weight: 30 },
  { arbitrary: fc.tuple(small, small).map((parts) => parts.join('-')), weight: 10 },
  { arbitrary: small, weight: 4 },
  wrongId,
  unusualId,
)
const newId = fc.oneof(
  { arbitrary: small.map((ms) => `${ms}-*`), weight: 4 },
  { arbitrary: fc.tuple(small, small).map((parts) => parts.join('-')), weight: 4 },
  entryId,
)
const from = fc.oneof(
  { arbitrary: fc.constant('-'), weight: 3 },
  entryId,
  entryId.map((id) => `(${id}`),
)
const to = fc.oneof(
  { arbitrary: fc.constant('+'), weight: 3 },
  entryId,
  entryId.map((id) => `(${id}`),
)
const most = fc.oneof(
  { arbitrary: fc.constantFrom('1', '2', '3', '10'), weight: 9 },
  fc.constantFrom('0', '-1', 'x'),
)
const counted = pair(fc.constantFrom('COUNT', 'count'), most)
const sign = fc.constantFrom('~', '=', [])
const trimWord = fc.oneof(
  fc.tuple(fc.constant('MAXLEN'), sign, most),
  fc.tuple(fc.constant('minid'), sign, entryId),
)
const strategy = trimWord.map((parts) => parts.flat())
const trimLimit = pair(fc.constant('LIMIT'), most)
const group = fc.constantFrom('g', 'h')
const consumer = fc.constantFrom('one', 'two')
const entriesRead = pair(fc.constant('ENTRIESREAD'), fc.constantFrom('0', '3', '-1', '-2', 'x'))
const after = fc.oneof({ arbitrary: fc.constant('>'), weight: 4 }, fc.constant('0'), entryId)
/** Idle times are either far from each other, or as good as none. */
const leastIdle = fc.oneof(
  { arbitrary: fc.constantFrom('0', '1000000'), weight: 9 },
  fc.constantFrom('-1', 'x'),
)
const claimOption = fc.oneof(
  pair(fc.constantFrom('IDLE', 'idle'), fc.constantFrom('2000000', '2000000', '-5', 'x')),
  pair(fc.constant('TIME'), fc.constantFrom('1', '4000000000000', 'x')),
  pair(fc.constant('RETRYCOUNT'), fc.constantFrom('0', '7', '-1', 'x')),
  pair(fc.constant('LASTID'), entryId),
  fc.constantFrom('JUSTID', 'FORCE'),
  fc.constantFrom('JUSTID', 'justid', 'FORCE', 'IDLE'),
)

/** What sequences of a family begin with. */
const begun: Readonly<Record<string, readonly Words[]>> = {
  streams: streamsToBeginWith(),
  streamGroups: [
    ...streamsToBeginWith(),
    ['XGROUP', 'CREATE', 'stream-1', 'g', '0'],
    ['XGROUP', 'CREATE', 'stream-1', 'h', '2-1', 'ENTRIESREAD', '2'],
    ['XGROUP', 'CREATE', 'stream-2', 'g', '0', 'ENTRIESREAD', '0'],
    ['XREADGROUP', 'GROUP', 'g', 'one', 'COUNT', '3', 'STREAMS', 'stream-1', 'stream-2', '>', '>'],
    ['XREADGROUP', 'GROUP', 'h', 'two', 'STREAMS', 'stream-1', '>'],
  ],
}

function streamsToBeginWith(): readonly Words[] {
  return ['stream-1', 'stream-2'].flatMap((key) =>
    ['1-1', '2-1', '2-2', '3-0', '4-5'].map((id) => ['XADD', key, id, 'f', id]),
  )
}

const named: Readonly<Record<string, readonly Arbitrary<Words>[]>> = {
  strings: [
    words('GET', key),
    words('SET', key, value, maybe(fc.constantFrom('NX', 'XX'), fc.constantFrom('GET', 'KEEPTTL'))),
    words(
      'SET',
      key,
      value,
      fc.constantFrom('EX', 'PX'),
      delay,
      maybe(fc.constantFrom('NX', 'GET', 'KEEPTTL')),
    ),
    words('SET', key, value, fc.constantFrom('EXAT', 'PXAT'), moment),
    words('SETNX', key, value),
    words('GETDEL', key),
    words('GETSET', key, value),
    words('GETEX', key, maybe(fc.constant('PERSIST'), pair(fc.constantFrom('EX', 'PX'), delay))),
    words('GETEX', key, fc.constantFrom('EXAT', 'PXAT'), moment),
    words('MGET', some(key)),
    words('MSET', some(pair(key, value))),
    words('STRLEN', key),
    words('APPEND', key, value),
    words('GETRANGE', key, fc.oneof(index, whole), fc.oneof(index, whole)),
    words('SETRANGE', key, fc.oneof(index, whole), value),
    words('INCR', key),
    words('DECR', key),
    words('INCRBY', key, whole),
    words('DECRBY', key, whole),
    words('INCRBYFLOAT', key, decimal),
    words('LCS', key, key, maybe(fc.constant('LEN'))),
  ],
  hyperLogLogs: [
    words('PFADD', log, some(element, 20)),
    words('PFADD', log),
    words('PFCOUNT', some(log)),
    words('PFCOUNT', key, some(log)),
    words('PFMERGE', log, some(log)),
    words('PFMERGE', log, some(key)),
    words('SET', log, fc.constantFrom('text', 'HYLL', '')),
    words('DEL', log),
    words('RPUSH', log, field),
    words('EXISTS', log),
  ],
  bits: [
    words('SETBIT', key, place, fc.constantFrom('0', '1', '1', '2', 'x')),
    words('GETBIT', key, place),
    words('BITCOUNT', key),
    words('BITCOUNT', key, index, index),
    words('BITPOS', key, fc.constantFrom('0', '1', '1', '2', 'x')),
    words('BITPOS', key, fc.constantFrom('0', '1'), index),
    words('BITPOS', key, fc.constantFrom('0', '1'), index, index),
    words('BITOP', fc.constantFrom('AND', 'or', 'XOR', 'x'), key, some(key)),
    words('BITOP', 'NOT', key, some(key, 2)),
    words('BITFIELD', key, some(fc.oneof(bitGet, bitChange, overflowWord), 4)),
    words('BITFIELD_RO', key, some(fc.oneof({ arbitrary: bitGet, weight: 9 }, bitChange), 4)),
    words('GETRANGE', key, index, index),
    words('SETRANGE', key, fc.oneof(index, fc.constantFrom('70', 'x')), value),
    words('SETRANGE', key, index, fc.constant('')),
    words('SET', key, fc.constantFrom('\xff\xff\xff', '\x00\x00\x10', 'text', '')),
    words('STRLEN', key),
    words('GET', key),
  ],
  hashes: [
    words('HSET', key, some(pair(field, value))),
    words('HSETNX', key, field, value),
    words('HGET', key, field),
    words('HMGET', key, some(field)),
    words('HGETALL', key),
    words('HKEYS', key),
    words('HVALS', key),
    words('HLEN', key),
    words('HEXISTS', key, field),
    words('HSTRLEN', key, field),
    words('HDEL', key, some(field)),
    words('HINCRBY', key, field, whole),
    words('HINCRBYFLOAT', key, field, decimal),
    words('HSCAN', key, '0', maybe(pair(fc.constant('MATCH'), fc.constantFrom('*', 'f*', '[fg]', '?')))),
    words('HRANDFIELD', key, '10', maybe(fc.constantFrom('WITHVALUES', 'x'))),
  ],
  lists: [
    words('RPUSH', key, some(field)),
    words('LPUSH', key, some(field)),
    words('LPOP', key),
    words('RPOP', key),
    words(fc.constantFrom('RPUSHX', 'LPUSHX'), key, some(field)),
    words('RPOPLPUSH', key, key),
    words('LMOVE', key, key, side, side),
    words('LLEN', key),
    words('LINDEX', key, index),
    words('LRANGE', key, index, index),
    words('LSET', key, fc.oneof(index, whole), field),
    words('LINSERT', key, fc.constantFrom('BEFORE', 'after', 'x'), field, value),
    words('LTRIM', key, fc.oneof(index, whole), fc.oneof(index, whole)),
    words('LREM', key, index, field),
    words('LPOS', key, field, maybe(pair(fc.constant('RANK'), index), pair(fc.constant('COUNT'), index))),
    words('LPOS', key, field, 'MAXLEN', index),
  ],
  sets: [
    words('SADD', key, some(field)),
    words('SREM', key, some(field)),
    words('SCARD', key),
    words('SISMEMBER', key, field),
    words('SMISMEMBER', key, some(field)),
    words('SMEMBERS', key),
    words('SRANDMEMBER', key, fc.constantFrom('10', '0', 'x')),
    words('SPOP', key, fc.constantFrom('10', '0', '-1', 'x')),
    words('SMOVE', key, key, field),
    words('SSCAN', key, '0', maybe(pair(fc.constant('MATCH'), fc.constantFrom('*', 'f*', '[fg]', '?')))),
    words(fc.constantFrom('SUNION', 'SDIFF', 'SINTER'), some(key)),
    words(fc.constantFrom('SUNIONSTORE', 'SDIFFSTORE', 'SINTERSTORE'), key, some(key)),
    words('SINTERCARD', fc.constantFrom('1', '2', '0', 'x'), key, key),
    words('SINTERCARD', '2', key, key, 'LIMIT', fc.constantFrom('0', '1', '-1', 'x')),
    words('SADD', fc.constantFrom('n', 'm'), some(digits)),
    words('SORT', fc.constantFrom('n', 'm'), maybe(limits, sortOrder, fc.constant('ALPHA'))),
    words('SORT', 'n', 'BY', fc.constantFrom('weight:*', 'weights->*'), maybe(sortOrder)),
    words('SORT', 'n', 'GET', fc.constantFrom('#', 'weight:*'), maybe(pair(fc.constant('STORE'), key))),
    words('SORT', 'n', fc.constantFrom('LIMIT', 'BY', 'x')),
    words('SORT', 'n', maybe(limits, sortOrder), 'STORE', key),
    words('SET', fc.constantFrom('weight:1', 'weight:2', 'weight:3'), fc.constantFrom('5', '-1', '1.5')),
  ],
  sortedSets: [
    words('ZADD', key, some(pair(score, field))),
    words(
      'ZADD',
      key,
      fc.subarray(['NX', 'XX', 'GT', 'LT', 'CH', 'INCR'], { maxLength: 3 }),
      some(pair(score, field), 2),
    ),
    words('ZREM', key, some(field)),
    words('ZSCORE', key, field),
    words('ZCARD', key),
    words('ZRANK', key, field),
    words('ZCOUNT', key, limit, limit),
    words('ZRANGE', key, index, index, maybe(withScores, fc.constantFrom('REV', 'x'))),
    words('ZRANGE', key, limit, limit, 'BYSCORE', maybe(withScores, fc.constant('REV'), limits)),
    words('ZRANGE', key, index, index, maybe(limits)),
    words('ZREVRANGE', key, index, index, maybe(withScores)),
    words('ZRANGEBYSCORE', key, limit, limit, maybe(withScores, limits)),
    words('ZREVRANGEBYSCORE', key, limit, limit, maybe(withScores, limits)),
    words('ZREMRANGEBYSCORE', key, limit, limit),
    words('ZREMRANGEBYRANK', key, index, index),
    words('ZREVRANK', key, field),
    words('ZMSCORE', key, some(field)),
    words('ZINCRBY', key, score, field),
    words(fc.constantFrom('ZPOPMIN', 'ZPOPMAX'), key, maybe(index)),
    words('ZRANDMEMBER', key, '10', maybe(fc.constantFrom('WITHSCORES', 'x'))),
    words('ZSCAN', key, '0', maybe(pair(fc.constant('MATCH'), fc.constantFrom('*', 'f*', '[fg]', '?')))),
    words('ZRANGESTORE', key, key, index, index, maybe(fc.constantFrom('REV', 'x'))),
    words('ZRANGESTORE', key, key, limit, limit, 'BYSCORE', maybe(fc.constant('REV'), limits)),
    words('ZUNIONSTORE', key, twoKeys, maybe(weights, aggregate)),
    words('ZINTERSTORE', key, twoKeys, maybe(weights, aggregate)),
    words('ZDIFFSTORE', key, twoKeys),
    words('ZUNION', twoKeys, maybe(weights, aggregate, withScores)),
    words('ZINTER', twoKeys, maybe(weights, aggregate, withScores)),
    words('ZDIFF', twoKeys, maybe(withScores)),
    words('ZINTERCARD', twoKeys, maybe(pair(fc.constant('LIMIT'), index))),
    words(fc.constantFrom('ZUNION', 'ZINTER', 'ZDIFF', 'ZINTERCARD'), index, key),
    words('ZADD', 'texts', some(pair(fc.constant('0'), lexText))),
    words(fc.constantFrom('ZRANGEBYLEX', 'ZREVRANGEBYLEX'), lexKey, lexLimit, lexLimit, maybe(limits)),
    words(fc.constantFrom('ZLEXCOUNT', 'ZREMRANGEBYLEX'), lexKey, lexLimit, lexLimit),
  ],
  geo: [
    words('GEOADD', geo, some(entry)),
    words('GEOADD', geo, some(entry, 6)),
    words('GEOADD', geo, fc.subarray(['NX', 'XX', 'ch', 'x']), some(entry)),
    words('GEOADD', key, some(entry)),
    words('GEODIST', geo, geoMember, geoMember, maybe(unit, fc.constant('x'))),
    words('GEOHASH', geo, some(geoMember)),
    words('GEOPOS', geo, some(geoMember)),
    words(fc.constantFrom('GEOHASH', 'GEOPOS'), key, some(geoMember)),
    words('GEOSEARCH', geo, center, area, limited),
    words('GEOSEARCH', geo, center, area, limited),
    words('GEOSEARCH', geo, area, center, limited, fc.subarray(['WITHDIST', 'withcoord', 'WITHHASH'])),
    words('GEOSEARCH', geo, maybe(center, center, area, area, fc.constant('ANY'), fc.constant('STOREDIST'))),
    words('GEOSEARCH', geo, center, area, fc.constantFrom('x', 'COUNT')),
    words('GEOSEARCH', key, center, area),
    words('GEOSEARCHSTORE', geo, geo, center, area, limited, maybe(fc.constant('WITHDIST'))),
    words('GEOSEARCHSTORE', 'geo-distances', geo, center, area, limited, 'STOREDIST'),
    words('GEOSEARCHSTORE', geo, key, center, area),
    words('ZRANGE', geo, '0', '-1', 'WITHSCORES'),
    words('ZRANGE', 'geo-distances', '0', '-1'),
    words('ZREM', geo, geoMember),
    words('DEL', geo),
  ],
  streams: [
    words('XADD', stream, newId, pair(field, value)),
    words('XADD', stream, newId, some(pair(field, value))),
    words('XADD', stream, maybe(strategy, fc.constant('NOMKSTREAM')), newId, pair(field, value)),
    words('XADD', stream, maybe(strategy, trimLimit), newId, maybe(field, value)),
    words('XADD', streamOfNow, '*', pair(field, value)),
    words('XADD', streamOfNow, 'MAXLEN', fc.constantFrom('1', '5'), '*', pair(field, value)),
    words('XLEN', fc.oneof(stream, streamOfNow)),
    words('XRANGE', stream, from, to, maybe(counted)),
    words('XREVRANGE', stream, to, from, maybe(counted)),
    words('XRANGE', stream, to, from, fc.constantFrom('x', 'COUNT')),
    words('XDEL', stream, some(entryId)),
    words('XTRIM', stream, strategy),
    words('XTRIM', stream, maybe(strategy, trimLimit), fc.constantFrom('MAXLEN', 'LIMIT', 'x'), small),
    words('XREAD', maybe(counted), 'STREAMS', stream, fc.oneof(entryId, fc.constant('$'))),
    words('XREAD', 'streams', stream, stream, entryId, maybe(entryId)),
    words('XREAD', fc.constantFrom('NOACK', 'GROUP', 'x', 'COUNT', '1'), 'STREAMS', stream, '0'),
    words('XINFO', 'STREAM', stream),
    words('XINFO', 'STREAM', stream, 'x'),
    words('XSETID', stream, entryId, maybe(pair(fc.constantFrom('ENTRIESADDED', 'MAXDELETEDID'), small))),
    words('TYPE', stream),
    words('COPY', stream, stream, 'REPLACE'),
  ],
  streamGroups: [
    words('XADD', stream, newId, pair(field, value)),
    words('XADD', stream, newId, pair(field, value)),
    words('XGROUP', 'CREATE', stream, group, fc.oneof(entryId, fc.constant('$')), 'MKSTREAM'),
    words('XGROUP', 'create', stream, group, '0', maybe(fc.constant('mkstream'), entriesRead)),
    words('XGROUP', 'SETID', stream, group, fc.oneof(entryId, fc.constant('$')), maybe(entriesRead)),
    words('XGROUP', 'DESTROY', stream, group),
    words('XGROUP', fc.constantFrom('CREATECONSUMER', 'delconsumer'), stream, group, consumer),
    words('XGROUP', fc.constantFrom('CREATE', 'SETID', 'DESTROY', 'NOSUCH'), stream, maybe(group, consumer)),
    words('XREADGROUP', 'GROUP', group, consumer, maybe(counted), 'STREAMS', stream, after),
    words('XREADGROUP', 'GROUP', group, consumer, 'COUNT', '1', 'STREAMS', stream, '>'),
    words('XREADGROUP', 'group', group, consumer, 'NOACK', 'streams', stream, stream, after, after),
    words('XREADGROUP', 'COUNT', '1', fc.constantFrom('NOACK', 'GROUP'), 'STREAMS', stream, stream, '>', '>'),
    words('XACK', stream, group, some(entryId)),
    words('XPENDING', stream, group),
    words('XPENDING', stream, group, from, to, most, maybe(consumer)),
    words('XPENDING', stream, group, 'IDLE', leastIdle, from, to, '10', maybe(consumer)),
    words('XPENDING', stream, group, maybe(fc.constant('IDLE'), from, to, most, consumer)),
    words('XCLAIM', stream, group, consumer, leastIdle, some(entryId), maybe(claimOption)),
    words('XCLAIM', stream, group, consumer, '0', some(entryId), 'FORCE', maybe(claimOption, claimOption)),
    words('XAUTOCLAIM', stream, group, consumer, leastIdle, from, maybe(counted, fc.constant('JUSTID'))),
    words('XAUTOCLAIM', stream, group, consumer, '0', '-', 'COUNT', '2'),
    words('XDEL', stream, some(entryId)),
    words('XTRIM', stream, 'MAXLEN', small),
    words('XINFO', 'GROUPS', stream),
    words('XINFO', 'CONSUMERS', stream, group),
    words('XINFO', fc.constantFrom('STREAM', 'GROUPS', 'CONSUMERS', 'NOSUCH'), maybe(stream, group)),
    words('COPY', stream, stream, 'REPLACE'),
  ],
  keys: [
    words('DEL', some(key)),
    words('UNLINK', some(key)),
    words('EXISTS', some(key)),
    words('TOUCH', some(key)),
    words('TYPE', key),
    words('EXPIRE', key, delay, conditionOfDelay),
    words('PEXPIRE', key, delay, conditionOfDelay),
    words('EXPIREAT', key, moment, condition),
    words('PEXPIREAT', key, moment, condition),
    words('PEXPIRETIME', key),
    words('EXPIRETIME', key),
    words('PTTL', key),
    words('TTL', key),
    words('PERSIST', key),
    words('RENAME', key, key),
    words('RENAMENX', key, key),
    words(
      'COPY',
      key,
      key,
      maybe(fc.constant('REPLACE'), pair(fc.constant('DB'), fc.constantFrom('1', '16', 'x'))),
    ),
    words('MOVE', key, fc.constantFrom('0', '1', '16', 'x')),
    words('KEYS', fc.constantFrom('*', '[a-c]', '?', 'a', '[^a]', '\\a', 'a*')),
    words(
      'SCAN',
      '0',
      maybe(
        pair(fc.constant('MATCH'), fc.constantFrom('*', '[ab]')),
        pair(fc.constant('TYPE'), fc.constantFrom('string', 'hash', 'zset', 'stream')),
      ),
    ),
    words('DBSIZE'),
    words('SWAPDB', fc.constantFrom('0', '1'), fc.constantFrom('0', '1', '16', 'x')),
    words('OBJECT', 'IDLETIME', 'none'), // of a key that is there it is a matter of time
    words('FLUSHDB', maybe(fc.constantFrom('ASYNC', 'sync', 'x'))),
  ],
  others: [
    words('PING', maybe(value)),
    words('ECHO', value),
    words('PUBLISH', key, value),
    words('SPUBLISH', key, value),
    words('PUBSUB', 'CHANNELS'),
    words('PUBSUB', 'NUMSUB', some(key)),
    words('PUBSUB', 'NUMPAT'),
    words('SELECT', fc.constantFrom('0', '1', '16', 'x')),
    words('WAIT', '0', '0'),
    words('CLIENT', 'GETNAME'),
    words('CLIENT', 'SETNAME', fc.constantFrom('me', 'you')),
    words('MULTI'),
    words('EXEC'),
    words('DISCARD'),
    words('GET'),
    words('HSET', key, field),
    words('NOSUCH', key, value),
    words('SCRIPT', 'EXISTS', fc.constantFrom('x', '0'.repeat(40))),
    words('EVALSHA', '0'.repeat(40), fc.constantFrom('0', '1', '-1', 'x')),
  ],
}

/** Commands of the families, drawn so that most meet the type that they are for. */
export const families = Object.keys(named)

/** Sequences of commands: mostly of one family and of keys. */
export function sequencesOf(family: string): Arbitrary<readonly Words[]> {
  const own = fc.oneof(...(named[family] ?? []))
  const keys = fc.oneof(...(named['keys'] ?? []))
  const any = fc.oneof(...Object.values(named).flat())
  const one = fc.oneof(
    { arbitrary: own, weight: 12 },
    { arbitrary: keys, weight: 3 },
    { arbitrary: any, weight: 1 },
  )
  return fc.array(one, { minLength: 40, maxLength: 80 }).map((drawn) => [...(begun[family] ?? []), ...drawn])
}
