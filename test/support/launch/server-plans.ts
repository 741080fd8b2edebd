import type { Ground, ServerPlan } from './launcher.js'

/** The address by which servers know each other, and by which tests know them. */
export const LOOPBACK = '127.0.0.1'

/** The first version that refuses `DEBUG` by default; older ones do not know the setting. */
const DEBUG_IS_REFUSED_SINCE = 7

/** What a server still knows when it is started again: nothing, or every write that it has confirmed. */
export type Durability = 'nothing' | 'every write'

/** A server that stands alone, or a master. */
export function serverPlan(ground: Ground, port: number, durability: Durability = 'nothing'): ServerPlan {
  const settings = serverArguments(ground, port)
  return { port, arguments: durability === 'nothing' ? settings : [...settings, ...EVERY_WRITE] }
}

/** Later arguments count. */
const EVERY_WRITE = ['--appendonly', 'yes', '--appendfsync', 'always']

/** A replica of the master at `masterPort`. */
export function replicaPlan(ground: Ground, port: number, masterPort: number): ServerPlan {
  const replication = [
    ['--replicaof', LOOPBACK, String(masterPort)],
    ['--repl-ping-replica-period', '1'],
    ['--replica-announce-ip', LOOPBACK],
  ]
  return { port, arguments: [...serverArguments(ground, port), ...replication.flat()] }
}

/** How long until a node that does not reply counts as failed. */
export interface ClusterTiming {
  readonly nodeTimeoutMs: number
}

/** A node of a cluster that has no slots and knows no other node yet. */
export function clusterNodePlan(ground: Ground, port: number, { nodeTimeoutMs }: ClusterTiming): ServerPlan {
  const cluster = [
    ['--cluster-enabled', 'yes'],
    ['--cluster-config-file', 'nodes.conf'],
    ['--cluster-node-timeout', String(nodeTimeoutMs)],
    ['--cluster-announce-ip', LOOPBACK],
    ['--cluster-replica-validity-factor', '0'],
    ['--cluster-require-full-coverage', 'no'],
    ['--repl-ping-replica-period', '1'],
  ]
  return { port, arguments: [...serverArguments(ground, port), ...cluster.flat()] }
}

/** What sentinels watch, and when they act. */
export interface SentinelWatch {
  readonly masterName: string
  readonly masterPort: number
  /** How many sentinels have to agree that the master is gone. */
  readonly quorum: number
  readonly downAfterMs: number
  readonly failoverTimeoutMs: number
}

/** A sentinel. Its configuration is a file because it writes there what it learns. */
export function sentinelPlan(ground: Ground, port: number, watch: SentinelWatch): ServerPlan {
  const { masterName, masterPort, quorum, downAfterMs, failoverTimeoutMs } = watch
  const settings = [
    ['port', port],
    ['bind', ground.bind],
    ['protected-mode', 'no'],
    ['sentinel announce-ip', LOOPBACK],
    ['sentinel monitor', masterName, LOOPBACK, masterPort, quorum],
    ['sentinel down-after-milliseconds', masterName, downAfterMs],
    ['sentinel failover-timeout', masterName, failoverTimeoutMs],
    ['sentinel parallel-syncs', masterName, 2],
  ]
  const content = settings.map((setting) => `${setting.join(' ')}\n`).join('')
  return { port, arguments: ['sentinel.conf', '--sentinel'], files: { 'sentinel.conf': content } }
}

function serverArguments({ bind, major }: Ground, port: number): string[] {
  const settings = [
    ['--port', String(port)],
    ['--bind', bind],
    ['--protected-mode', 'no'],
    ['--daemonize', 'no'],
    ['--save', ''],
    ['--appendonly', 'no'],
    ['--repl-diskless-sync', 'yes'],
    ['--repl-diskless-sync-delay', '0'], // by default a replica is kept waiting for five seconds
  ]
  if (major >= DEBUG_IS_REFUSED_SINCE) settings.push(['--enable-debug-command', 'yes'])
  return settings.flat()
}
