import type { TestContext } from 'vitest'
import { single } from '../../support/topologies.js'

/** What a server is. */
export interface RealVersion {
  readonly name: 'redis' | 'valkey'
  /** Such as 7.2. */
  readonly number: number
}

/** The version that the simulated server replies as. */
const SIMULATED: RealVersion = { name: 'redis', number: 7 }

/** The server of the tests. */
export const realVersion = versionOf(String(await single.nodes[0].command('INFO', 'server')))

/** Skips a test whose replies are those of one version, with the reason in the output. */
export function skipOtherVersions(context: TestContext, what: string): void {
  const { name, number } = realVersion
  const isOther = name !== SIMULATED.name || number !== SIMULATED.number
  context.skip(
    isOther,
    `${what} are those of Redis ${SIMULATED.number.toFixed(1)}, the server is ${name} ${number.toFixed(1)}`,
  )
}

/** Valkey says besides which Redis it is compatible with. */
function versionOf(info: string): RealVersion {
  const [, name = '', number = ''] =
    /^(valkey)_version:(\d+\.\d+)/m.exec(info) ?? /^(redis)_version:(\d+\.\d+)/m.exec(info) ?? []
  return { name: name === 'valkey' ? 'valkey' : 'redis', number: Number(number) }
}
