import { ConfigError } from '../errors/client-errors.js'
import { isThere, within } from './read-settings.js'
import { isRecord } from './readers.js'

type Options = Readonly<Record<string, unknown>>

/** A setting with which a client of ioredis cannot be shared. */
interface Unsafe {
  readonly name: string
  readonly expected: string
  readonly applies: (options: Options, timeoutMs: number) => boolean
}

/** What any connection must not have over which commands go. */
const ofConnection: readonly Unsafe[] = [
  {
    name: 'stringNumbers',
    expected: 'false, as replies that are numbers would be strings',
    applies: ({ stringNumbers }) => stringNumbers === true,
  },
  {
    name: 'replyMapping',
    expected: '`legacy`, as replies would have other types',
    applies: ({ replyMapping }) => isThere(replyMapping) && replyMapping !== 'legacy',
  },
  {
    name: 'readOnly',
    expected: 'false, as locks are written',
    applies: ({ readOnly }) => readOnly === true,
  },
  {
    name: 'role',
    expected: '`master`, as locks are written',
    applies: ({ role }) => isThere(role) && role !== 'master',
  },
  {
    name: 'commandTimeout',
    expected: 'absent, or as long as the library waits itself',
    applies: ({ commandTimeout }, timeoutMs) => Number(commandTimeout ?? Infinity) < timeoutMs,
  },
]

/** Where ioredis sends commands again whose reply was lost, one that counts would count twice. */
const ofServer: readonly Unsafe[] = [
  ...ofConnection,
  {
    name: 'autoResendUnfulfilledCommands',
    expected: 'false, or `maxRetriesPerRequest` to be 0, as a request that is sent twice may count twice',
    applies: ({ autoResendUnfulfilledCommands, maxRetriesPerRequest }) =>
      autoResendUnfulfilledCommands !== false && maxRetriesPerRequest !== 0,
  },
]

const ofCluster: readonly Unsafe[] = [
  {
    name: 'retryDelayOnFailover',
    expected: '0, as a request that is sent twice may count twice',
    applies: ({ retryDelayOnFailover }) => retryDelayOnFailover !== 0,
  },
  {
    name: 'clusterNodeRetryStrategy',
    expected: 'absent, as a request that is sent twice may count twice',
    applies: ({ clusterNodeRetryStrategy }) => typeof clusterNodeRetryStrategy === 'function',
  },
]

/**
 * Refuses a client of ioredis over which requests could go wrong.
 *
 * @throws {@link ConfigError} that names the setting of the client
 */
export function demandShareable({ options }: { readonly options: object }, timeoutMs: number): void {
  const { redisOptions } = options as Options
  if (redisOptions === undefined && !('clusterRetryStrategy' in options)) {
    demand('ioredis.options', options as Options, ofServer, timeoutMs)
    return
  }
  demand('ioredis.options', options as Options, ofCluster, timeoutMs)
  if (isRecord(redisOptions)) demand('ioredis.options.redisOptions', redisOptions, ofConnection, timeoutMs)
}

function demand(where: string, options: Options, rules: readonly Unsafe[], timeoutMs: number): void {
  for (const { name, expected, applies } of rules) {
    if (!applies(options, timeoutMs)) continue
    throw new ConfigError(within(where, name), `${expected}, for a client that is shared`, options[name])
  }
}
