import type { ServerNode } from './topology.js'

/** What a sentinel knows of its master. */
export interface SentinelView {
  /** `master`, if nothing is the matter. */
  readonly flags: string
  /** How many replicas there are. */
  readonly replicas: number
  /** How many of them could be promoted. */
  readonly healthyReplicas: number
  /** How many other sentinels there are. */
  readonly others: number
}

/** Asks a sentinel what it knows. */
export async function viewOf(sentinel: ServerNode, masterName: string): Promise<SentinelView> {
  const master = pairs(await sentinel.command('SENTINEL', 'MASTER', masterName))
  const replicas = (await sentinel.command('SENTINEL', 'REPLICAS', masterName)) as unknown[]
  return {
    flags: master['flags'] ?? '',
    replicas: Number(master['num-slaves']),
    healthyReplicas: replicas.map(pairs).filter(isHealthy).length,
    others: Number(master['num-other-sentinels']),
  }
}

function isHealthy(replica: Partial<Record<string, string>>): boolean {
  return replica['flags'] === 'slave' && replica['master-link-status'] === 'ok'
}

/** A flat list of names and values, as a record. */
function pairs(reply: unknown): Partial<Record<string, string>> {
  const list = reply as string[]
  const record: Partial<Record<string, string>> = {}
  for (let index = 0; index < list.length; index += 2) record[String(list[index])] = list[index + 1]
  return record
}
